// Each of these types is known to be wrong, and the usual scope shows it; doc/defects says what happens
// in those that were published so.
//
//pangolin:of BoundedDEQueue expect violated
//pangolin:of BoundedDEQueuePatched expect violated
//pangolin:of UnboundedDEQueue expect violated
//pangolin:of SnarkDeque expect violated
package deque

// SPDX-License-Identifier: BSD-3-Clause

// Each of these types is known to be wrong, and the usual scope shows it; doc/defects says what happens
// in those that were published so.
//
//pangolin:of LockFreeListOriginal expect violated
package list

// SPDX-License-Identifier: BSD-3-Clause

// Each of these types is known to be wrong, and the usual scope shows it; doc/defects says what happens
// in those that were published so.
//
//pangolin:of ArrayQueue expect violated
//pangolin:of LockFreeQueueRecycleUnstamped expect violated
//pangolin:of SynchronousDualQueue expect violated
package queue

// SPDX-License-Identifier: BSD-3-Clause

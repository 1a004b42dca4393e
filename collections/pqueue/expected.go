// Each of these types is known to be wrong, and the usual scope shows it; doc/defects says what happens
// in those that were published so.
//
//pangolin:of FineGrainedHeap expect violated
//pangolin:of FineGrainedHeapFair expect violated
//pangolin:of SimpleTree expect quiescent:violated
//pangolin:of SkipQueueOriginal expect sc:violated
package pqueue

// SPDX-License-Identifier: BSD-3-Clause

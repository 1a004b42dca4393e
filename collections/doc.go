// Package collections is the root of the case studies: concurrent collections
// written as ordinary Go, each faithful to a published algorithm *including its
// defects*, so that a verifier has something to find and something to prove.
//
//	list      list-based sets               The Art of Multiprocessor Programming, ch. 9; Harris; Michael; O'Hearn et al.; Vechev and Yahav; Zhang et al.
//	queue     queues                        ch. 10; Shann, Huang and Chen; Herlihy and Wing; Doherty et al.; Moir et al.
//	stack     stacks                        ch. 11
//	hashset   hash sets                     ch. 13
//	skiplist  skip-list sets                ch. 14
//	pqueue    priority queues               ch. 15
//	conditional  swaps under a condition    Harris, Fraser and Pratt
//	deque     work-stealing deques          ch. 16
//
// The book is by Herlihy, Shavit, Luchangco and Spear (2nd ed. 2020); a type whose name
// ends in Original is the first edition's (2008), one in Patched or Repaired has a
// defect removed. What the book takes from Java is in atomicref (marked and stamped
// references), lock (reentrant and fair locks) and threadlocal.
//
// These are not collections to build on. Use a type only if its comment names no
// defect, and expect no more than its few methods.
//
// Beside each package's code stands EXPECT.csv, one line per collection and property:
//
//	row         the row of COLLECT's table 2, empty if the paper has none
//	collection  the type; behind a colon what tells two lines about one type apart
//	new         the constructor expression, or five for configurations A to E, with ;
//	kind, protocol, property, flags   as the command line takes them
//	A … E       expected verdict: the paper's where it has one, else ours; - if not run.
//	            An infinite state space counts as violated
//	class       of the violation, the same everywhere or by configuration
//	sA … sE     the paper's seconds (16 cores)
//	ours        "D=violated/history: …": our verdict, and for a violation its class, where it differs from the paper's, and why
//	provenance, note
//
// PINNED.csv holds what the verifier finds: the verdict and, as most general client with
// all reductions and one worker, the number of states.
//
// The paper's E was explored with at most two preemptions, so its verified there may
// well be violated without that bound; the note says where we know.
package collections

// SPDX-License-Identifier: BSD-3-Clause

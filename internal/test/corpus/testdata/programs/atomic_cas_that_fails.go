// construct: atomic compare-and-swap that cannot succeed, beside a plain read
// outcomes: exact
// outcome: stderr "0\n"
// outcome: race
// why: by the memory model a compare-and-swap is write-like, whether it succeeds or not, so that it
//	races with the plain read, with frozen reads or without; the race detector reports it as well.

package main

import "sync/atomic"

var w int32

func main() {
	go func() { atomic.CompareAndSwapInt32(&w, 2, 1) }()
	println(w)
}

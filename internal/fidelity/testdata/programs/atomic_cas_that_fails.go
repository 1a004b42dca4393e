// construct: atomic compare-and-swap that cannot succeed, beside a plain read
// outcomes: exact
// outcome: stderr "0\n"
// why: a compare-and-swap that fails writes nothing, so that the plain read races with nobody, with
//	frozen reads or without.

package main

import "sync/atomic"

var w int32

func main() {
	go func() { atomic.CompareAndSwapInt32(&w, 2, 1) }()
	println(w)
}

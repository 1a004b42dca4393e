// construct: a slice of bytes that is taken for a string, *(*string)(unsafe.Pointer(&b))
// outcomes: exact
// outcome: "n2 2 2 true 0\n"
// why: the header of a string is the beginning of that of a slice. What is only looked up may be written again afterwards; a slice that is
//	nil or empty is "", also one of a type with a name of its own.

package main

import (
	"fmt"
	"unsafe"
)

type digits []byte

type name string

func text(b []byte) string { return *(*string)(unsafe.Pointer(&b)) }

func main() {
	index := map[string]int{"n1": 1, "n2": 2}
	done := make(chan int)
	buf := make([]byte, 2, 8)
	go func() {
		copy(buf, "n1")
		n := index[text(buf)]
		buf[1] = '2'
		done <- n + 1
	}()
	n := <-done
	last := digits("n2")
	at := &last
	s := *(*name)(unsafe.Pointer(at))
	var none []byte
	fmt.Println(s, n, index[text(buf)], text(buf) == string(s), len(text(none))+len(text(buf[:0])))
}

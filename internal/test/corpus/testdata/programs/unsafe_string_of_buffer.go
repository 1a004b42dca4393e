// construct: unsafe.String of a buffer that is used again, strings.Clone
// outcomes: exact
// outcome: "1 2 true false n1\n"
// why: the string is used for lookups, and not any more when the buffer is written again; what is kept is a copy. Strings are equal
//	if their bytes are, whatever they are made of.

package main

import (
	"fmt"
	"strings"
	"unsafe"
)

type names struct {
	buf   []byte
	index map[string]int
}

func (n *names) of(x int) string {
	n.buf = append(n.buf[:0], 'n', byte('0'+x))
	return unsafe.String(&n.buf[0], len(n.buf))
}

func (n *names) number(x int) int {
	name := n.of(x)
	if k, ok := n.index[name]; ok {
		return k
	}
	k := len(n.index) + 1
	n.index[strings.Clone(name)] = k
	return k
}

func main() {
	n := &names{index: map[string]int{}}
	done := make(chan [2]int)
	go func() { done <- [2]int{n.number(1), n.number(2)} }()
	got := <-done
	again := n.number(2) == got[1]
	var one any = n.of(1)
	fmt.Println(got[0], got[1], again && one == any("n"+"1"), n.of(2)[1:] == "1", "n"+fmt.Sprint(got[0]))
}

// construct: cap of what []byte(s) gives
// outcomes: exact
// open: capacity
// outcome: "4 false\n"
// outcome: "8 true\n"
// outcome: "32 true\n"
// why: the capacity of four bytes is four (what is sure), eight (what gc's heap gives) or that of the buffer that gc keeps on the
//	stack, 32. With room, append stays where it is.

package main

import "fmt"

func main() {
	b := []byte(fmt.Sprint("key", ":"))
	fmt.Println(cap(b), cap(append(b, 'a')) == cap(b))
}

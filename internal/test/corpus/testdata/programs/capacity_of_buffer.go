// construct: an append for which gc's heap and its buffer on the stack have no room, and two smaller ones for which the buffer has
// outcomes: exact
// open: capacity
// outcome: "1 3 3\n"
// outcome: "1 2 3\n"
// outcome: "3 3 3\n"
// why: x has room for 5 to 24 bytes (gc's heap: 8), for 25 to 34 (gc's buffer on the stack: 32), or for 35 and more. With 32, the two
//	appends of 20 bytes write the same place.

package main

import "fmt"

func main() {
	x := append([]byte(nil), 0, 0, 0, 0, 0)
	var more [30]byte
	more[0] = 1
	y := append(x, more[:]...)
	more[0] = 2
	z := append(x, more[:20]...)
	more[0] = 3
	w := append(x, more[:20]...)
	fmt.Println(y[5], z[5], w[5])
}

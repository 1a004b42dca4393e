// construct: append to what []byte(s) gives, from two goroutines
// outcomes: exact
// open: capacity
// outcome: race
// outcome: "key:a key:a\n"
// outcome: "key:a key:b\n"
// outcome: "key:b key:b\n"
// why: if there is room behind the prefix's bytes (gc: eight for four), both goroutines append to one array, and write
//	the same byte. If there is none, each makes an array of its own.

package main

import (
	"fmt"
	"os"
)

func main() {
	prefix := []byte(fmt.Sprint("key", ":"))
	keys := make(chan string)
	var got [2]string
	for i := range got {
		go func() {
			key := append(prefix, 'a'+byte(i))
			got[i] = string(key)
			keys <- ""
		}()
	}
	<-keys
	<-keys
	fmt.Fprintln(os.Stdout, got[0], got[1])
}

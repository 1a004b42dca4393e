// construct: net.Pipe
// outcomes: exact
// outcome: "ab 2 <nil>\nEOF\ntimeout\n"
// why: a write ends when all of it was read; closing one end ends reads of the other; a deadline that is over ends a read at once.

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"time"
)

func main() {
	a, b := net.Pipe()
	type result struct {
		n   int
		err error
	}
	wrote := make(chan result)
	go func() {
		n, err := a.Write([]byte("ab"))
		wrote <- result{n, err}
		a.Close()
	}()
	var got string
	buf := make([]byte, 1)
	for range 2 {
		n, _ := b.Read(buf)
		got += string(buf[:n])
	}
	r := <-wrote
	fmt.Println(got, r.n, r.err)
	_, err := b.Read(buf)
	fmt.Println(err)
	c, _ := net.Pipe()
	c.SetReadDeadline(time.Unix(1, 0))
	if _, err = c.Read(buf); errors.Is(err, os.ErrDeadlineExceeded) {
		fmt.Println("timeout")
	}
}

// construct: package net, a deadline that passes while another goroutine writes
// outcomes: exact
// outcome: "got word\n"
// outcome: "late\n"
// why: the word may come before the deadline or behind it; a reader that waits goes on in both cases.

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"time"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	a, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	b, err := l.Accept()
	if err != nil {
		panic(err)
	}
	go a.Write([]byte("word"))
	b.SetReadDeadline(time.Now().Add(50 * time.Microsecond))
	buf := make([]byte, 4)
	n, err := b.Read(buf)
	switch {
	case err == nil:
		fmt.Println("got", string(buf[:n]))
	case errors.Is(err, os.ErrDeadlineExceeded):
		fmt.Println("late")
	default:
		fmt.Println(err)
	}
}

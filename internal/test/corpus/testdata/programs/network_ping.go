// construct: package net, two goroutines that answer each other over one connection
// outcomes: exact
// outcome: "3 2 1 true\n"
// why: each waits for what the other writes, and goes on when it has come; more than a connection holds waits for the reader.

package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		b := make([]byte, 1)
		for b[0] != 1 {
			io.ReadFull(c, b)
			b[0]--
			c.Write(b)
		}
		c.Write(bytes.Repeat([]byte{7}, 200_000))
		c.Close()
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	b := []byte{3}
	for b[0] != 1 {
		fmt.Print(b[0], " ")
		c.Write(b)
		io.ReadFull(c, b)
	}
	rest, err := io.ReadAll(c)
	fmt.Println(b[0], len(rest) == 200_000 && err == nil)
}

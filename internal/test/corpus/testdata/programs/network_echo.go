// construct: package net, a server and a client over the loopback interface
// outcomes: exact
// outcome: "a! <nil>\n"
// why: the client gets its word back; the server ends when its listener is closed.

package main

import (
	"errors"
	"fmt"
	"io"
	"net"
)

func serve(l net.Listener) error {
	for {
		c, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		go func() {
			defer c.Close()
			b, _ := io.ReadAll(c)
			c.Write(append(b, '!'))
		}()
	}
}

func ask(addr, word string) string {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	io.WriteString(c, word)
	c.(*net.TCPConn).CloseWrite()
	b, err := io.ReadAll(c)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	ended := make(chan error)
	go func() { ended <- serve(l) }()
	word := ask(l.Addr().String(), "a")
	l.Close()
	fmt.Println(word, <-ended)
}

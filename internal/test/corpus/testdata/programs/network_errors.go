// construct: package net, what goes wrong on the loopback interface
// outcomes: exact
// outcome: "refused true\nin use true\ntimeout true true\naccept true\nhello <nil>\n0 EOF\nfirst 1 <nil>\nsecond true\nclosed true\nreset true\naddress true\n"
// why: nobody listens at a port that was closed; a port has one listener; deadlines that are over end reads and Accept, and can be set anew;
//	what was written comes before the end; the first write behind the end of the other side is lost, the second one fails; who closes without
//	having read what was sent resets the connection.

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"
)

func pair(l net.Listener) (a, b net.Conn) {
	a, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	b, err = l.Accept()
	if err != nil {
		panic(err)
	}
	return a, b
}

func main() {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		panic(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, err = net.Dial("tcp", addr)
	fmt.Println("refused", errors.Is(err, syscall.ECONNREFUSED))
	l, err = net.Listen("tcp", addr)
	if err != nil {
		panic(err)
	}
	_, err = net.Listen("tcp", addr)
	fmt.Println("in use", errors.Is(err, syscall.EADDRINUSE))

	a, b := pair(l)
	buf := make([]byte, 9)
	b.SetReadDeadline(time.Unix(1, 0))
	_, err = b.Read(buf)
	var timeout net.Error
	fmt.Println("timeout", errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout())
	l.(*net.TCPListener).SetDeadline(time.Unix(1, 0))
	_, err = l.Accept()
	fmt.Println("accept", errors.Is(err, os.ErrDeadlineExceeded))
	l.(*net.TCPListener).SetDeadline(time.Time{})

	b.SetReadDeadline(time.Time{})
	a.Write([]byte("hello"))
	n, err := b.Read(buf)
	fmt.Println(string(buf[:n]), err)
	a.Close()
	n, err = b.Read(buf)
	fmt.Println(n, err)
	n, err = b.Write([]byte("x"))
	fmt.Println("first", n, err)
	time.Sleep(time.Millisecond)
	_, err = b.Write([]byte("x"))
	fmt.Println("second", errors.Is(err, syscall.EPIPE))
	b.Close()
	_, err = b.Read(buf)
	fmt.Println("closed", errors.Is(err, net.ErrClosed))

	a, b = pair(l)
	a.Write([]byte("unread"))
	time.Sleep(time.Millisecond)
	b.Close()
	time.Sleep(time.Millisecond)
	_, err = a.Read(buf)
	fmt.Println("reset", errors.Is(err, syscall.ECONNRESET))
	fmt.Println("address", a.RemoteAddr().String() == l.Addr().String())
}

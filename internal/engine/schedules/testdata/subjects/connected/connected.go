// Package connected counts in a server that it talks to over loopback.
package connected

import (
	"bufio"
	"net"
	"strconv"
	"strings"
	"sync"
)

// server counts: "get" answers with the number, "add" adds one and answers with the number before, "set N" makes it N.
type server struct {
	mu sync.Mutex
	n  int
}

func (s *server) serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go s.talk(c)
	}
}

func (s *server) talk(c net.Conn) {
	defer c.Close()
	for lines := bufio.NewScanner(c); lines.Scan(); {
		s.mu.Lock()
		before := s.n
		switch verb, arg, _ := strings.Cut(lines.Text(), " "); verb {
		case "add":
			s.n++
		case "set":
			s.n, _ = strconv.Atoi(arg)
		}
		s.mu.Unlock()
		if _, err := c.Write([]byte(strconv.Itoa(before) + "\n")); err != nil {
			return
		}
	}
}

// ask makes a connection for one request.
func ask(address, request string) int {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return -1
	}
	defer c.Close()
	if _, err := c.Write([]byte(request + "\n")); err != nil {
		return -1
	}
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return -1
	}
	n, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		return -1
	}
	return n
}

// Counter lets the server add.
type Counter struct{ address string }

func NewCounter() (*Counter, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go new(server).serve(l)
	return &Counter{l.Addr().String()}, nil
}

// Inc adds one, and returns the sum before.
func (c *Counter) Inc() int { return ask(c.address, "add") }

// Broken asks for the number and sets it.
type Broken struct{ Counter }

func NewBroken() (*Broken, error) {
	c, err := NewCounter()
	if err != nil {
		return nil, err
	}
	return &Broken{*c}, nil
}

// Inc adds one, and returns the sum before.
func (c *Broken) Inc() int {
	n := ask(c.address, "get")
	ask(c.address, "set "+strconv.Itoa(n+1))
	return n
}

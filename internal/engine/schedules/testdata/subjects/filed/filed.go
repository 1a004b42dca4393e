// Package filed keeps a number in a file.
package filed

import (
	"os"
	"strconv"
	"sync"
)

// Counter reads and writes its file under a lock.
type Counter struct {
	mu   sync.Mutex
	name string
}

func NewCounter() (*Counter, error) {
	f, err := os.CreateTemp("", "counter")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	_, err = f.WriteString("0")
	return &Counter{name: f.Name()}, err
}

// Inc adds one, and returns the sum before; -1 if the file cannot be read or written.
func (c *Counter) Inc() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return inc(c.name)
}

func inc(name string) int {
	text, err := os.ReadFile(name)
	if err != nil {
		return -1
	}
	n, err := strconv.Atoi(string(text))
	if err != nil {
		return -1
	}
	if os.WriteFile(name, []byte(strconv.Itoa(n+1)), 0o600) != nil {
		return -1
	}
	return n
}

// Broken has no lock.
type Broken struct{ name string }

func NewBroken() (*Broken, error) {
	c, err := NewCounter()
	if err != nil {
		return nil, err
	}
	return &Broken{c.name}, nil
}

// Inc adds one, and returns the sum before; -1 if the file cannot be read or written.
func (c *Broken) Inc() int { return inc(c.name) }

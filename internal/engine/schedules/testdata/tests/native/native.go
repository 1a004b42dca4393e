// Package native does what the machine does not execute.
package native

import (
	"fmt"
	"net/http"
	"os"
	"sync"
)

// Left is a variable.
var Left int

// File is a file to which is appended, not at once.
type File struct {
	mu   sync.Mutex
	Name string
}

// Append reads the file and writes it with one more byte.
func (f *File) Append() {
	text, _ := os.ReadFile(f.Name)
	os.WriteFile(f.Name, append(text, 'x'), 0o600)
}

// Locked is Append with the lock.
func (f *File) Locked() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Append()
}

// Len is the size of the file.
func (f *File) Len() int {
	text, _ := os.ReadFile(f.Name)
	return len(text)
}

// Hits counts requests without a lock.
type Hits struct{ n int }

// ServeHTTP says how many requests there were.
func (h *Hits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.n++
	fmt.Fprint(w, h.n)
}

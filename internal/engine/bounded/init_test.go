// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// What package initialisation does is part of every execution: the queue of each case
// works only if all of it has been done.
func TestInitialisation_IsPartOfEveryExecution(t *testing.T) {
	const queue = `

type Queue struct {
	mu   sync.Mutex
	list []int
}

func (q *Queue) Enqueue(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if ready {
		q.list = append(q.list, v)
	}
}

func (q *Queue) Dequeue() (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return 0, ErrEmpty
	}
	v := q.list[0]
	q.list = q.list[1:]
	return v, nil
}

var ErrEmpty = errors.New("empty")
`
	for i, c := range []struct{ name, imports, code, want string }{
		{"prints", "", `var ready bool; func init() { println("a"); ready = true }`, "verified"},
		{"prints with fmt", `import "fmt"`, `var ready bool; func init() { fmt.Println("a"); ready = true }`, "verified"},
		{"logs", `import "log"`, `var ready bool; func init() { log.Println("a"); ready = true }`, "verified"},
		{"a logger", `import ("log"; "os")`, `var l = log.New(os.Stderr, "x: ", 0); var ready = l.Prefix() == "x: "`, "verified"},
		{"draws", `import "math/rand"`, `var n = rand.Intn(3); var ready = n < 3`, "verified"},
		{"draws what matters", `import "math/rand"`, `var n = rand.Intn(3); var ready = n < 2`, "history"},
		{"chooses", "", `var ready bool; func init() { c := make(chan bool, 1); c <- true; select { case ready = <-c: case <-c: ready = true } }`, "verified"},
		{"starts a goroutine", "", `var c = make(chan int); var ready bool; func init() { go func() { for range c { } }(); ready = true }`, "verified"},
		{"waits for a goroutine", "", `var ready bool; func init() { c := make(chan bool); go func() { c <- true }(); ready = <-c }`, "verified"},
		{"a goroutine that may come later", "", `var ready bool; func init() { go func() { ready = true }() }`, "race"},
		{"a goroutine that races", "", `var n int; var ready bool; func init() { go func() { n++ }(); ready = true }
			func (q *Queue) Len() int { q.mu.Lock(); defer q.mu.Unlock(); n++; return len(q.list) }`, "race"},
		{"a ticker", `import "time"`, `var t = time.NewTicker(time.Second); var ready bool; func init() { go func() { for range t.C { } }(); ready = true }`, "verified"},
		{"panics", "", `var ready bool; func init() { ready = true; panic("no") }`, "package initialisation panics: no"},
		{"cannot be executed", `import "os"`, `var ready bool; func init() { ready = true; os.Open("x") }`, "example.go:5: os.Open"},
		{"nothing is done of it", "", `var ready bool`, "history"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if level.Out(i, 2) {
				t.Skip("every second will do, the first in short; -level more tries all")
			}
			source := "package example\n\nimport (\"errors\"; \"sync\"); " + c.imports + "\n\n" + c.code + queue
			v, err := trySource(t, source, pangolin.Request{Kind: "queue", Scope: pangolin.Scope{Config: "A"}})
			got := string(v.Status) + " " + v.Reason
			switch {
			case err != nil:
				got = err.Error()
			case v.Status == verdict.Violated:
				got = v.Violation.Class
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

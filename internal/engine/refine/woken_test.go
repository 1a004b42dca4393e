// SPDX-License-Identifier: BSD-3-Clause

package refine_test

import (
	"testing"

	"pangolin"
	"pangolin/verdict"
)

// A call may return in the step of another thread, which has served it: what it returns counts. It was passed over, and so was all that
// its thread did next; the first and the third of these types were verified.
func TestEngine_SeesCallsThatReturnInAnothersStep(t *testing.T) {
	const head = "package example\n\ntype Queue struct{ c chan int }\n\nfunc New() *Queue { return &Queue{c: make(chan int)} }\n\n" +
		"func (q *Queue) Enqueue(v int) bool {\n\tselect {\n\tcase q.c <- v:\n\t\treturn true\n\tdefault:\n\t\treturn false\n\t}\n}\n\n"
	for _, c := range []struct {
		name, dequeue string
		status        verdict.Status
		class         string
	}{
		{"another item", "func (q *Queue) Dequeue() int { <-q.c; return 7 }", verdict.Violated, "history"},
		{"the item", "func (q *Queue) Dequeue() int { return <-q.c }", verdict.Verified, ""},
		{"a panic", "func (q *Queue) Dequeue() int { <-q.c; panic(\"no\") }", verdict.Violated, "panic"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, engine := range []string{"refine", "bounded"} {
				list, err := pangolin.Verify(modules.Context, pangolin.Request{
					Dir: modules.Dir(t, head+c.dequeue), Specification: pangolin.Specification{Expect: "violated"}, Type: "Queue", Kind: "queue", New: "New()", Protocol: "synchronous", Engine: engine,
					Scope: pangolin.Scope{Threads: "2..2", Steps: "2..3", PreAdds: "0..0"}})
				if err != nil {
					t.Fatal(err)
				}
				v, class := list[0], ""
				if v.Violation != nil {
					class = v.Violation.Class
				}
				if v.Status != c.status || class != c.class {
					t.Errorf("%s: %s %s, want %s %s", engine, v.Status, class, c.status, c.class)
				}
			}
		})
	}
}

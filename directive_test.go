// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin"
)

// Each wrong directive is an error that begins with the place of the directive.
func TestDirectives_ErrorsSayWhere(t *testing.T) {
	const source = `package queue

// Queue has one directive or two.
//
//pangolin:unfair
//pangolin:WRONG
type Queue struct{ a []int }

func (q *Queue) Put(x int)        { q.a = append(q.a, x) }
func (q *Queue) Get() (int, bool) { return 0, false }
`
	for _, tc := range []struct{ directive, want string }{
		{"roles Put:2x,Get:1", `role "Put:2x": thread "2x": want 1 to 8, once, last, first, alone or not-OPERATION+OPERATION`},
		{"roles Pop:1", `role "Pop:1": there is no operation Pop (there are Put and Get)`},
		{"roles Put", `role "Put": want OPERATION:THREAD, OPERATION:~THREAD, OPERATION:*, OPERATION:once, OPERATION:last, OPERATION:first, OPERATION:alone or OPERATION:not-OPERATION+OPERATION`},
		{"kind bag", `unknown kind "bag": there are counter, deque, map, pqueue, queue, register, set, stack, object and lock`},
		{"kind set", "the kind set does not fit: there are no methods like add, remove, contains with suitable arguments"},
		{"ops Pop", "there is no operation Pop (there are Get and Put)"},
		{"ops Put,Put", "operation Put is given twice"},
		{"oracle bag", `unknown oracle "bag": there are auto, self, counter, deque, map, pqueue, queue, register, set and stack, and Go types (PKG.Type)`},
		{"new make()", "make(): invalid operation: not enough arguments for make() (expected 1, found 0)"},
		{"new a Queue", `"a Queue" is not a Go expression`},
		{"prefix it.Put(", "it.Put(: these are not Go statements"},
		{"config Q", `configuration "Q": there are A, B, C, D and E, and such as 2x5 for 2 threads and 5 calls in all, 2x5x0 without pre-adds, 2xany for any number of calls`},
		{"protocol x", `unknown protocol "x": there are nonblocking, blocking, bounded(N) and synchronous`},
		{"give Put=f", "Put does not take f: the package has no function of this name"},
		{"fast", "unknown directive: there are new, prefix, ops, give, roles, invariant, kind, protocol, oracle, property, overlaps, expect, config, unfair, leaks and skip"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"go.mod": "module example\n\ngo 1.26\n", "queue.go": strings.Replace(source, "WRONG", tc.directive, 1)} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		_, err := pangolin.Prepare(t.Context(), pangolin.Request{Dir: dir})
		if want := "queue.go:6: queue.Queue: //pangolin:" + tc.directive + ": " + tc.want; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example\n\ngo 1.26\n", "queue.go": strings.Replace(source, "WRONG", "roles Get:1", 1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, err := pangolin.Prepare(t.Context(), pangolin.Request{Dir: dir, Roles: "Pop:1"})
	if want := `queue.Queue: role "Pop:1": there is no operation Pop (there are Put and Get)`; err == nil || err.Error() != want {
		t.Errorf("what the user asks for is no directive's fault: got  %v\nwant %s", err, want)
	}
}

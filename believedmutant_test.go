// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pangolin"
	"pangolin/internal/subject"
	"pangolin/internal/task"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// twins is a type with a mutant that does not compile, one whose code is that of the original, and two (2 - 1, 1 - 0) that have the same code.
const twins = `package m

import "sync"

// Counter counts.
type Counter struct {
	mu sync.Mutex
	n  int
}

func (c *Counter) Inc() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	step := [1]int{1}
	c.n += step[0] + (1 - 1)
	if c.n < 0 {
		return 0
	}
	return c.n
}

func (c *Counter) Value() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.n
	for {
		return n
	}
}
`

// mutated is what Mutate says of twins: a line for each mutant without its seconds, and the summary.
func mutated(t *testing.T, change func(id int, r *task.Result)) (lines []string, err error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "box.go": twins} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	r := pangolin.Request{Dir: dir, Scope: pangolin.Scope{Config: "2x2"}, Search: pangolin.Search{NoCache: true}}
	if change != nil {
		r.Events.Elsewhere = elsewhere(t, dir, func(r *task.Result) {
			mu.Lock()
			defer mu.Unlock()
			if r.Mutant != nil { // else it was interrupted
				change(r.Mutant.ID, r)
			}
		})
	}
	sum, err := pangolin.Mutate(t.Context(), r, pangolin.Mutation{Mutant: func(m verdict.Mutant) {
		m.Seconds = 0
		text, err := json.Marshal(&m)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(text))
	}})
	if err != nil {
		return lines, err
	}
	sum.Seconds = 0
	text, err := json.Marshal(sum)
	return append(lines, string(text)), err
}

// Mutants that are judged elsewhere are compiled there: what is told of them, and which are left out, is the same. A machine that would have a mutant left out
// wrongly is found out.
func TestMutate_ChecksWhatLeavesAMutantOut(t *testing.T) {
	level.SkipShort(t, "judges twenty mutants, several times")
	want, err := mutated(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	var sum verdict.MutationSummary
	if err := json.Unmarshal([]byte(want[len(want)-1]), &sum); err != nil || sum.Same == 0 || sum.Invalid == 0 || sum.Killed == 0 || sum.Survived == 0 {
		t.Fatalf("want mutants of each kind: %+v, %v", sum, err)
	}
	codes := map[int]subject.Code{}
	got, err := mutated(t, func(id int, r *task.Result) { codes[id] = r.Code })
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("elsewhere: %v\n%s\nwant\n%s", err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	got, err = mutated(t, func(_ int, r *task.Result) { // nobody could judge them
		r.Code, r.Mutant.Outcome, r.Mutant.Reason, r.Mutant.Class = "", verdict.Undecided, "given up", ""
	})
	var given verdict.MutationSummary
	if err != nil || json.Unmarshal([]byte(got[len(got)-1]), &given) != nil || given.Same != sum.Same || given.Invalid != sum.Invalid || given.Unknown != sum.Killed+sum.Survived {
		t.Errorf("given up: %+v, %v", given, err)
	}
	first, second := 0, 0 // that count
	twin := 0             // has the code of an earlier mutant
	for id := 1; id <= sum.Planted; id++ {
		switch {
		case codes[id] == "":
		case first == 0:
			first = id
		case second == 0:
			second = id
		}
		for earlier := 1; earlier < id && twin == 0; earlier++ {
			if codes[id] != "" && codes[earlier] == codes[id] {
				twin = id
			}
		}
	}
	if twin == 0 {
		t.Fatal("no two mutants have the same code")
	}
	for name, lie := range map[string]func(id int, r *task.Result){
		"it does not compile": func(id int, r *task.Result) {
			if id == first {
				r.Code, r.Mutant.Outcome, r.Mutant.Reason = "", verdict.Invalid, "box.go:1: no"
			}
		},
		"it has code and does not compile": func(id int, r *task.Result) {
			if id == first {
				r.Mutant.Outcome, r.Mutant.Reason = verdict.Invalid, "box.go:1: no"
			}
		},
		"it compiles": func(_ int, r *task.Result) {
			if r.Mutant.Outcome == verdict.Invalid {
				r.Mutant.Reason += ", as they say"
			}
		},
		"it has the code of an earlier one": func(id int, r *task.Result) {
			if id == second {
				r.Code = codes[first]
			}
		},
		"an earlier one has its code": func(id int, r *task.Result) {
			if id == first {
				r.Code = codes[second]
			}
		},
	} {
		if lines, err := mutated(t, lie); err == nil || !strings.Contains(err.Error(), "a worker of the farm has told") {
			t.Errorf("%s: %v\n%s", name, err, strings.Join(lines, "\n"))
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"sync"
	"testing"

	"pangolin/internal/cache"
	"pangolin/internal/farm"
	"pangolin/internal/farm/client"
)

// Comparisons on a farm, by workers with the flag -native. The tests are then a client of it, and each of these workers starts this program
// again for each job.

var (
	on        = flag.String("on", "", "have the comparisons computed by the farm at this `URL` (doc/farm.md)")
	file      = flag.String("job", "", "do the job in this `file`, for a worker of a farm")
	spellings = new(int) // of each text, beside as it is
)

// job is a batch of texts to compare. It has their numbers, not the texts: so a worker compiles and runs nothing but what this package writes.
type job struct {
	Comparison, Grammar, Constructs, Containing string
	Situated                                    bool
	First                                       uint64
	Count, Schedules, Ways                      int
	States                                      uint64
}

// outcome is what came of a job.
type outcome struct {
	Differences []Difference
	Tally       *Tally
	Error       string
}

// done is what a worker reads of this program.
type done struct {
	Tool    string
	Outcome *outcome
	Lasting bool
}

// elsewhere has the farm compare texts, and gives a function that waits for what comes of it.
func elsewhere(t *testing.T, name string, first uint64, n int) func() ([]Difference, *Tally, error) {
	t.Helper()
	c, err := joined()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(job{name, *grammar, *withThese, *containing, *situated, first, n, *schedules, *spellings, *states})
	if err != nil {
		t.Fatal(err)
	}
	nothing := []byte("numbers of generated texts") // a task has sources, and these have none
	var came client.Outcome
	finished := make(chan error, 1)
	go func() {
		var err error
		came, err = c.Send(context.Background(), &farm.Order{Name: fmt.Sprintf("%s %s %d-%d", *grammar, name, first, first+uint64(n)-1), Task: text, Bundle: farm.Digest(nothing)}, nothing, func(uint64) {})
		finished <- err
	}()
	return func() ([]Difference, *Tally, error) {
		if err := errors.Join(<-finished, c.Err()); err != nil {
			return nil, nil, err
		}
		var o outcome
		switch err := json.Unmarshal(came.Text, &o); {
		case came.GivenUp != "":
			return nil, nil, errors.New(came.GivenUp)
		case err != nil:
			return nil, nil, err
		case o.Error != "":
			return nil, nil, errors.New(o.Error)
		}
		return o.Differences, o.Tally, nil
	}
}

// joined is the connection to the farm. It ends with the process, and then the farm finds out that nobody waits.
var joined = sync.OnceValues(func() (*client.Client, error) {
	tool, err := cache.Shared()
	if err != nil {
		return nil, err
	}
	server, err := farm.FromEnvironment(*on)
	if err != nil {
		return nil, err
	}
	c := &client.Client{Server: server, Tool: farm.Natively(tool), Note: func(text string) { fmt.Fprintln(os.Stderr, text) }}
	return c, c.Open(context.Background())
})

// TestJob_IsDoneForAFarm does a worker's job; without one it says from which sources it is.
func TestJob_IsDoneForAFarm(t *testing.T) {
	if *file == "" {
		t.Skip("for workers of a farm: pangolind worker -native")
	}
	tool, err := cache.Shared()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(*file)
	if err != nil {
		t.Fatal(err)
	}
	a := done{Tool: tool}
	if len(text) > 0 {
		a.Outcome = perform(t, text)
		a.Lasting = lasting(a.Outcome)
	}
	written, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*file+".answer", written, 0o600); err != nil {
		t.Fatal(err)
	}
}

// perform does a job.
func perform(t *testing.T, text []byte) *outcome {
	t.Helper()
	var j job
	if err := json.Unmarshal(text, &j); err != nil {
		return &outcome{Error: err.Error()}
	}
	c, known := comparisons[j.Comparison]
	if !known || c.real || j.Count < 1 || j.Count > batch || j.Grammar != "plain" && j.Grammar != "grown" {
		return &outcome{Error: fmt.Sprintf("there is no comparison such as %.200s", text)}
	}
	*grammar, *withThese, *containing, *situated, *schedules, *spellings, *states = j.Grammar, j.Constructs, j.Containing, j.Situated, j.Schedules, j.Ways, j.States
	list := c.write(j.First, j.Count)
	if len(list) == 0 {
		return &outcome{Tally: newTally()}
	}
	diffs, tally, err := c.compare(t.Context(), t.TempDir(), list)
	if err != nil {
		return &outcome{Error: err.Error()}
	}
	return &outcome{Differences: diffs, Tally: tally}
}

// passing is in the reason for which a text was left out if the reason may be another one the next time: a limit on time, a crash.
var passing = regexp.MustCompile(`second opinion: .*(\ds\b|crashed)`)

// lasting says that each run of the job has the outcome.
func lasting(o *outcome) bool {
	if o.Error != "" {
		return false
	}
	for why := range o.Tally.Left {
		if passing.MatchString(why) {
			return false
		}
	}
	return true
}

// What comes of a job is what the comparison says, differences included; and a worker refuses what it does not know, and what others may see otherwise.
func TestJob_SaysWhatAComparisonSays(t *testing.T) {
	defer func(g, c string) { *grammar, *withThese = g, c }(*grammar, *withThese)
	found := []Difference{{"p000001", "none", "package main\n", "  only here: <1> & \xe2\x82\xac\n"}, {"p000002", "native", "", ""}}
	left := newTally()
	left.Left["machine: none"], left.Kinds["race"], left.Has["room"], left.Compared, left.Failed = 2, 3, 4, 5, 6
	comparisons["planted"] = comparison{generated, func(context.Context, string, []Program) ([]Difference, *Tally, error) { return found, left, nil }, false}
	defer delete(comparisons, "planted")
	text, err := json.Marshal(perform(t, []byte(`{"Comparison":"planted","Grammar":"plain","First":1,"Count":2}`)))
	if err != nil {
		t.Fatal(err)
	}
	var o outcome
	if err := json.Unmarshal(text, &o); err != nil || o.Error != "" || !slices.Equal(o.Differences, found) || o.Tally.String() != left.String() || !lasting(&o) {
		t.Errorf("%v %+v", err, o)
	}
	for _, c := range []string{`{"Comparison":"detector","Grammar":"plain","First":1,"Count":2}`, `{"Comparison":"none","Grammar":"plain","Count":2}`, `{"Comparison":"planted","Grammar":"both","Count":2}`,
		`{"Comparison":"planted","Grammar":"plain","Count":101}`, `{"Comparison":"planted","Grammar":"plain","Count":0}`, `[]`} {
		if o := perform(t, []byte(c)); o.Error == "" || lasting(o) {
			t.Errorf("%s: %+v", c, o)
		}
	}
	for why, want := range map[string]bool{"second opinion: 4000 schedules": true, "machine, none: the limit on states was reached": true,
		"second opinion: 15s of an execution without a turn": false, "second opinion: 1m0s": false, "second opinion: the runner has crashed: x": false} {
		if got := lasting(&outcome{Tally: &Tally{Left: map[string]int{why: 1}}}); got != want {
			t.Errorf("%s: lasting is %v", why, got)
		}
	}
}

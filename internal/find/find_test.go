// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/collection"
	"pangolin/internal/front"
	"pangolin/verdict"
)

// A module with a package of two collections and one that is skipped, one of nothing, one that does not compile.

var module = map[string]string{
	"go.mod": "module example\n\ngo 1.24\n",
	"both/both.go": `package both

// Queue is found by its names.
type Queue struct{ items []int }

func New() *Queue { return &Queue{} }
func (q *Queue) Enqueue(x int) {}
func (q *Queue) Dequeue() (int, bool) { return 0, false }

//pangolin:kind stack
type Pile struct{ items []int }

func (p *Pile) Push(x int) {}
func (p *Pile) Pop() (int, bool) { return 0, false }

//pangolin:skip is a draft
type Draft struct{ n int }

func (d *Draft) Inc() {}
func (d *Draft) Get() int { return 0 }
`,
	"nothing/nothing.go": "package nothing\n\nconst X = 1\n",
	"broken/broken.go":   "package broken\n\nfunc F() { undefined() }\n",
	"tests/a_test.go":    "package tests\n",
}

// written is a directory with the module.
func written(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range module {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// query asks for packages; directives are given to a type as its kind.
func query(dir string, notes *[]string, packages ...string) *Query {
	return &Query{Dir: dir, Packages: packages,
		Overrides: func(lines []string) (w Wishes, err error) {
			for _, l := range lines {
				if kind, ok := strings.CutPrefix(l, "kind "); ok {
					w.Kind = Kind(kind)
				}
			}
			return w, nil
		},
		Note: func(format string, args ...any) { *notes = append(*notes, fmt.Sprintf(format, args...)) }}
}

func TestFind_ListsWhatIsFoundAndWhatIsNot(t *testing.T) {
	dir := written(t)
	ctx := front.Share(t.Context())
	for _, c := range []struct {
		packages []string
		found    string
		missed   string // names, with what they are
		notes    string
	}{
		{[]string{"./both"}, "both.Pile stack, both.Queue queue", "", "both.Draft is not verified: is a draft"},
		{[]string{"./both.Queue"}, "both.Queue queue", "", ""},
		{[]string{"./..."}, "both.Pile stack, both.Queue queue", "example/broken 1", "example/broken is not verified"},
		{[]string{"./both", "./nothing"}, "both.Pile stack, both.Queue queue", "example/nothing 2", ""},
		{[]string{"./both", "./nope"}, "both.Pile stack, both.Queue queue", "./nope 0", ""},
		{[]string{"./both.Draft"}, "both.Draft counter", "", ""},
	} {
		var notes []string
		targets, missed, err := query(dir, &notes, c.packages...).Find(ctx)
		if err != nil {
			t.Errorf("%v: %v", c.packages, err)
			continue
		}
		var found, not []string
		for _, x := range targets {
			found = append(found, x.Name()+" "+string(x.Found.Kind))
		}
		for _, x := range missed {
			not = append(not, fmt.Sprintf("%s %d", x.Name, x.What))
		}
		if got := strings.Join(found, ", "); got != c.found {
			t.Errorf("%v: found %s, want %s", c.packages, got, c.found)
		}
		if got := strings.Join(not, ", "); got != c.missed {
			t.Errorf("%v: missed %s, want %s", c.packages, got, c.missed)
		}
		if !strings.Contains(strings.Join(notes, "\n"), c.notes) {
			t.Errorf("%v: %q, want %q", c.packages, notes, c.notes)
		}
	}
}

func TestFind_SaysWhyThereIsNoTarget(t *testing.T) {
	dir := written(t)
	ctx := front.Share(t.Context())
	for arg, want := range map[string]string{
		"./nothing":   "package example/nothing has no collection",
		"./broken":    "undefined: undefined",
		"./both.Nope": "Nope",
		"both":        "is ./both meant?",
		"./tests":     "has test files only",
	} {
		var notes []string
		_, _, err := query(dir, &notes, arg).Find(ctx)
		if none := (*NoTarget)(nil); !errors.As(err, &none) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", arg, err, want)
		}
	}
}

// A target is never changed: what is asked of it otherwise is another target.
func TestAs_GivesAnotherTarget(t *testing.T) {
	dir := written(t)
	ctx := front.Share(t.Context())
	var notes []string
	targets, _, err := query(dir, &notes, "./both.Queue").Find(ctx)
	if err != nil {
		t.Fatal(err)
	}
	queue := targets[0]
	before := *queue.Found
	bag, err := queue.Whole(ctx)
	if err != nil || !bag.Found.Oracle.IsSelf() || bag == queue || queue.Found.Oracle != before.Oracle || queue.Found.Kind != before.Kind {
		t.Errorf("%+v, %v", bag, err)
	}
	if _, err := queue.As(ctx, "set", KindOracle("set")); err == nil {
		t.Error("a queue has no Add")
	}
	if queue.Operation("Dequeue") < 0 || queue.Operation("Pop") >= 0 {
		t.Error("operations are found by their names")
	}
	if !queue.Guessed() || bag.Guessed() {
		t.Error("nobody names the queue's kind or oracle")
	}
}

func TestSkipped_ReadsTheDirective(t *testing.T) {
	if why, ok := skipped([]string{"kind queue", "skip too slow"}); !ok || why != "too slow" {
		t.Errorf("%q, %t", why, ok)
	}
	if _, ok := skipped([]string{"kind skip"}); ok {
		t.Error("that is a kind")
	}
}

func TestWild_IsAPatternOfSeveral(t *testing.T) {
	for pattern, want := range map[string]bool{"./...": true, "std": true, "all": true, "./queue": false, "sync": false, "example/x...": true} {
		if wild(pattern) != want {
			t.Errorf("%s: want %t", pattern, want)
		}
	}
}

func TestNearby_IsWhatMayBeMeant(t *testing.T) {
	q := &Query{Dir: written(t)}
	for pattern, want := range map[string]string{"both": "./both", "./both": "", ".": "./...", "nope": "", "./...": "", "both/": "./both"} {
		if got := q.nearby(pattern); got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
	if !q.inModule() {
		t.Error("there is a go.mod")
	}
}

func TestJoined_SaysEachTextOnce(t *testing.T) {
	list := []Missed{{Name: "a", Err: errors.New("x"), What: Without}, {Name: "b", Err: errors.New("y")}, {Name: "c", Err: errors.New("x"), What: Without}}
	if err := Joined(list, Mistake, Without); err == nil || err.Error() != "x\ny" {
		t.Errorf("%v", err)
	}
	if err := Joined(list, NotTaken); err != nil {
		t.Errorf("%v", err)
	}
}

func TestRefuses_IsNothingButRefusal(t *testing.T) {
	boolean, failure := &collection.Codec{Shape: collection.AsBool}, &collection.Codec{Shape: collection.AsError}
	op := func(name string, codecs ...*collection.Codec) collection.Operation {
		o := collection.Operation{Name: name}
		for _, c := range codecs {
			o.Results = append(o.Results, collection.Result{Codec: c})
		}
		return o
	}
	number := &collection.Codec{Shape: collection.AsInt}
	told, objects := op("Swap", boolean, number), op("First", boolean, number, number)
	told.Call.Observed, objects.Call.Observed, objects.Results[2].Objects = true, true, []string{"v0"}
	target := &Target{Found: &collection.Collection{Operations: []collection.Operation{op("Get", number, boolean), op("Put", failure), op("Len", number), told, objects}}}
	for _, c := range []struct {
		name    string
		results []string
		want    bool
	}{
		{"Get", []string{"0, false"}, true},
		{"Get", []string{"0, false", "1, true"}, false},
		{"Put", []string{"error"}, true},
		{"Put", []string{"nil"}, false},
		{"Len", []string{"0"}, false},
		{"Nope", []string{"0, false"}, false},
		{"Swap", []string{"false"}, true},
		{"Swap", []string{"false, 0 calls"}, true},
		{"Swap", []string{"false", "false, 1 call"}, false},
		{"Swap", []string{"true"}, false},
		{"First", []string{"false, no object", "false, 0 calls, no object"}, true},
		{"First", []string{"false, object #1"}, false},
		{"First", []string{"true, no object"}, false},
		{"Get", nil, false},
	} {
		x := &verdict.Returns{Operation: c.name, Results: c.results}
		if got := target.Refuses(x); got != c.want {
			t.Errorf("%s %q: %t, want %t", c.name, c.results, got, c.want)
		}
		if x.More = true; target.Refuses(x) {
			t.Errorf("%s: there are results that nobody has seen", c.name)
		}
	}
}

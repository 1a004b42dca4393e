// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/collection"
	"pangolin/internal/test/level"
	"pangolin/oracle"
)

// What is printed as the protocol asks, typed back, for what was found, and nothing else.

// typedBack finds a collection as it was found, with the protocol that was printed, and compares.
func typedBack(t *testing.T, c *checked, o collection.Overrides, found *collection.Collection) {
	t.Helper()
	p, err := oracle.ParseProtocol(found.Protocol.String())
	if err != nil || p.String() != found.Protocol.String() {
		t.Fatalf("%s: %v is read as %v, %v", found.Display, found.Protocol, p, err)
	}
	o.Type, o.Protocol = found.Type, p
	again, err := Find(c.pkg, o)
	if err != nil {
		t.Errorf("%s, typed back %s: %v", found.Display, p, err)
		return
	}
	if got, want := summary(again[0]), summary(found); got != want {
		t.Errorf("%s, typed back:\ngot  %s\nwant %s\nwhy  %s", found.Display, got, want, found.Reason)
	}
}

func TestFind_TakesAPrintedProtocolForWhatItIs(t *testing.T) {
	names := []string{"Queue", "SynchronousQueue", "UnboundedQueue", "Stack", "PriorityQueue", "Box"}
	puts := []string{"", "bool", "error"}
	takes := []string{"int", "(int, bool)", "(int, error)", "*int"}
	makers := []string{"", "capacity int", "size int", "logSize int", "width int", "name string"}
	protocols := []string{"", "nonblocking", "blocking", "synchronous", "bounded(1)", "bounded(2)", "bounded(7)"}
	cases, self, roomy := 0, 0, 0
	for i := range len(names) * len(puts) * len(takes) * len(makers) {
		name, put := names[i%len(names)], puts[i/len(names)%len(puts)]
		take, made := takes[i/len(names)/len(puts)%len(takes)], makers[i/len(names)/len(puts)/len(takes)]
		src := fmt.Sprintf("package p; type %[1]s struct{}; func (*%[1]s) Put(v int) %[2]s { panic(0) }; func (*%[1]s) Take() %[3]s { panic(0) }\n", name, put, take)
		if made != "" {
			src += fmt.Sprintf("func New%[1]s(%[2]s) *%[1]s { return nil }\n", name, made)
		}
		c := check(t, "example.com/p", src)
		for _, text := range protocols {
			o := collection.Overrides{Type: name}
			if text != "" {
				o.Protocol, _ = oracle.ParseProtocol(text)
			}
			found, err := Find(c.pkg, o)
			if err != nil {
				continue // it does not fit, and that is said
			}
			if text != "" && found[0].Protocol.String() != text {
				t.Errorf("%s: -protocol %s is printed as %s\n%s", name, text, found[0].Protocol, src)
			}
			cases++
			if found[0].Oracle.IsSelf() {
				self++
			}
			if strings.Contains(found[0].Reason, "capacity is not reached") {
				roomy++
			}
			typedBack(t, c, o, found[0])
		}
	}
	if cases < 2000 || self < 500 || roomy < 20 {
		t.Errorf("of %d cases the code judges %d, and %d have room for all items", cases, self, roomy)
	}
}

func TestFind_TakesAPrintedProtocolForWhatItIs_CaseStudies(t *testing.T) {
	level.SkipShort(t, "lists all collections")
	for _, name := range packages(t) {
		c := checkDir(t, "pangolin/collections/"+name, filepath.Join(shelf, name))
		found, _, err := Survey(c.pkg, collection.Overrides{})
		if err != nil {
			t.Fatal(name, err)
		}
		for _, col := range found {
			typedBack(t, c, collection.Overrides{}, col)
		}
	}
}

// A plain counter in the functions that an operation is given shows what the operation orders, where it is called as sync.Once is.
// Elsewhere two functions that run under a lock, or later, would race with the caller who reads the counter.
func TestFind_CountsCallsOfAllTogetherOnlyWhereOneIsCalled(t *testing.T) {
	const once, guard = "package p; type Once struct{}; func (*Once) Do(f func()) {}", "package p; type Guard struct{}; func (*Guard) With(f func()) {}"
	const more = "; func (*Once) Done() bool { return false }; func (*Once) Reset() {}"
	for _, tc := range []struct {
		src     string
		ops     []string
		watched bool
	}{
		{once, nil, true}, {once, []string{"Do"}, true}, {once + more, nil, false}, {once + more, []string{"Do", "Done"}, true},
		{strings.ReplaceAll(once, "Once", "First"), nil, false}, {"package p; type Init struct{}; func (*Init) DoOnce(f func()) {}", nil, true},
		{guard, nil, false}, {guard, []string{"With"}, false},
		{"package p; type Pool struct{}; func (*Pool) Submit(f func()) {}; func (*Pool) Len() int { return 0 }", []string{"Submit", "Len"}, false},
		{"package p; type Pool struct{}; func (*Pool) Submit(f func()) bool { return false }; func (*Pool) Close() {}", []string{"Submit", "Close"}, false},
	} {
		_, c := findOne(t, tc.src, collection.Overrides{Ops: tc.ops, Type: strings.Fields(tc.src)[3]})
		got := false
		for i := range c.Operations {
			got = got || c.Operations[i].Call.Watched
		}
		if got != tc.watched {
			t.Errorf("%s, %v: the calls of all together are counted: %t", tc.src, tc.ops, got)
		}
	}
}

// What is no method of the type, but received from a channel that one gives, or called, is an operation without a function of the
// package.
func TestSurvey_KnowsOperationsThatAreNoMethods(t *testing.T) {
	for _, tc := range []struct{ methods, want string }{
		{"func (*Feed) C() <-chan int { return nil }", "C, receive from C"},
		{"func (Feed) C() <-chan int { return nil }", "C, receive from C"},
		{"func (*Feed) Each() func() int { return nil }", "Each, call Each"},
		{"func (*Feed) Each() func(func()) int { return nil }", ""}, // what it is given cannot be made
		{"func (*Feed) Both() (func() int, func(int) int) { return nil, nil }", "Both, call Both, call Both#2"},
		{"func (*Feed) Add(f func() bool) func() { return nil }", "Add, call Add"},
	} {
		c := check(t, "example.com/p", "package p; type Feed struct{ in *inner }; type inner struct{ c chan int }; "+tc.methods)
		found, _, err := Survey(c.pkg, collection.Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, col := range found {
			for i := range col.Operations {
				got = append(got, col.Operations[i].Name)
			}
		}
		if strings.Join(got, ", ") != tc.want {
			t.Errorf("%s: %q", tc.methods, got)
		}
	}
}

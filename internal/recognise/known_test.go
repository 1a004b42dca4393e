// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/collection"
)

// Which parameters could be given what an operation returns.
func TestTakers_AreOfTheResultsTypeAndNameSomething(t *testing.T) {
	for _, tc := range []struct{ name, methods, want string }{
		{"all strings, if none is called an id", `func (*O) Make() string { return "" }; func (*O) Put(a, b string) {}; func (*O) Get(a string) int { return 0 }`, "Get.0 Put.0 Put.1"},
		{"of one operation those that are called so", `func (*O) Make() string { return "" }; func (*O) Put(key, jobID string) {}; func (*O) Get(a string) int { return 0 }`, "Get.0 Put.1"},
		{"one that has the result's name", `func (*O) Make() (name string) { return "" }; func (*O) Put(key, name string) {}`, "Put.1"},
		{"not the operation's own", `func (*O) Make(id string) string { return "" }; func (*O) Get(id string) int { return 0 }`, "Get.0"},
		{"of numbers only those that are called so", `func (*O) Make() int { return 0 }; func (*O) Add(n int) {}; func (*O) Drop(id int) {}`, "Drop.0"},
		{"of a type with a name all", `type ID int64; func (*O) Make() ID { return 0 }; func (*O) Move(from, to ID) {}; func (*O) Drop(id ID) {}`, "Drop.0 Move.0 Move.1"},
		{"of the same type", `func (*O) Make() int64 { return 0 }; func (*O) Drop(id int) {}; func (*O) Keep(id int64) {}`, "Keep.0"},
		{"not constants of the package", `type Mode string; const ( Fast Mode = "f"; Slow Mode = "s" ); func (*O) Make() Mode { return Fast }; func (*O) Set(m Mode) {}; func (*O) Size() int { return 0 }`, ""},
		{"behind a context", `func (*O) Make() string { return "" }; func (*O) Get(ctx context.Context, id string) int { return 0 }`, "Get.1"},
	} {
		src := "package p; import \"context\"; var _ context.Context; type O struct{ n int }; func New() *O { return nil }; " + tc.methods
		_, c := findOne(t, src, collection.Overrides{Kind: collection.Object})
		at := slices.IndexFunc(c.Operations, func(o collection.Operation) bool { return o.Name == "Make" })
		if at < 0 {
			t.Fatalf("%s: no operation Make", tc.name)
		}
		var got []string
		for _, taking := range c.Takers(at, 0) {
			got = append(got, fmt.Sprintf("%s.%d", c.Operations[taking.Operation].Name, taking.Param))
		}
		if slices.Sort(got); strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %v, want %s", tc.name, got, tc.want)
		}
	}
}

// How many calls of a function were counted is nothing that names something, whatever its type.
func TestTakers_AreGivenNoCounts(t *testing.T) {
	_, c := findOne(t, "package p; type O struct{ n int }; func New() *O { return nil }; func (*O) Do(f func()) {}; func (*O) Get(id int) int { return 0 }", collection.Overrides{Kind: collection.Object})
	for i := range c.Operations {
		for j := range c.Operations[i].Results {
			if c.Operations[i].Name == "Do" && len(c.Takers(i, j)) > 0 {
				t.Errorf("the count of Do's calls is given to %v", c.Takers(i, j))
			}
		}
	}
}

// A parameter that is given what is known has no other values, and those of its own where others are made up.
func TestFind_GivesWhatIsKnown(t *testing.T) {
	known := []collection.Known{{Operation: "Put", Param: 0, Values: []string{`"s1"`, `"s2"`}, By: "Make"}, {Operation: "Put", Param: 1, Values: []string{`"s1"`, `"s2"`}, By: "Make"}, {Operation: "Get", Param: 0, Values: []string{`"s1"`, "\"s2\""}, By: "Make"}, {Operation: "Take", Param: 0, Values: []string{`"s1"`, `""`}, By: "Make"}, {Operation: "Set", Param: 0, Values: []string{`"a"`, `"b"`}}}
	src := `package p; type O struct{ n int }; func New() *O { return nil }; func (*O) Make() string { return "" }; func (*O) Turn() string { return "" }
		func (*O) Put(from, to, key string) {}; func (*O) Get(id string) int { return 0 }; func (*O) Take(id string) int { return 0 }; func (*O) Set(m string) {}`
	_, c := findOne(t, src, collection.Overrides{Kind: collection.Object, Known: known})
	var got []string
	for i := range c.Operations {
		for k, p := range c.Operations[i].Call.Params {
			got = append(got, fmt.Sprintf("%s.%d %v", c.Operations[i].Name, k, p.Names))
		}
	}
	slices.Sort(got)
	want := []string{`Get.0 ["s1" "s2"]`, `Put.0 ["s1" "s2"]`, `Put.1 ["s1" "s2"]`, `Put.2 []`, `Set.0 ["a" "b"]`, `Take.0 ["s1" ""]`}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	said := []string{`Put, Get are given what Make returns first ("s1" or "s2"), whichever thread got it, and nothing else`, `Take is given what Make returns first ("s1" or ""), whichever thread got it, and nothing else`}
	for _, s := range said {
		if !slices.Contains(c.Environment, s) {
			t.Errorf("it is not said that %s: %q", s, c.Environment)
		}
	}
	if slices.ContainsFunc(c.Environment, func(s string) bool { return strings.Contains(s, "what  returns") }) {
		t.Errorf("values of test files are given by nobody: %q", c.Environment)
	}
}

// What is known is given to the operations of a kind as well.
func TestFind_GivesTheOperationsOfAKindWhatIsKnown(t *testing.T) {
	_, c := findOne(t, "package p; type Set struct{}; func (*Set) Add(x string) bool { return false }; func (*Set) Contains(x string) bool { return false }",
		collection.Overrides{Known: []collection.Known{{Operation: "Add", Values: []string{`"a"`, `"b"`}}}})
	want := map[string][]string{"Add": {`"a"`, `"b"`}, "Contains": nil}
	for i := range c.Operations {
		if o := &c.Operations[i]; !slices.Equal(o.Call.Params[0].Names, want[o.Name]) {
			t.Errorf("%s is given %v, want %v", o.Name, o.Call.Params[0].Names, want[o.Name])
		}
	}
}

// Values that are known are numbered from 0, whatever the numbers of others are.
func TestShowing_NumbersWhatIsKnown(t *testing.T) {
	k := &coder{shown: []collection.Known{{Operation: "Get", Param: 1, Values: []string{`"a"`, `"b"`}}}}
	c := &collection.Codec{Shape: collection.AsString, Function: collection.Function{Tag: 2}}
	if k.showing(&method{name: "Get"}, 0, c); c.Names != nil || c.Tag != 2 {
		t.Errorf("another parameter: %+v", c)
	}
	if k.showing(&method{name: "Get"}, 1, c); len(c.Names) != 2 || c.Tag != 0 {
		t.Errorf("%+v", c)
	}
}

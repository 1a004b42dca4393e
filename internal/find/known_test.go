// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"slices"
	"testing"

	"pangolin/internal/collection"
	"pangolin/internal/front"
	"pangolin/verdict"
)

// The strings that test files give an operation: two or four, each once, of one argument.
func TestLiterals_AreThoseOfOneArgument(t *testing.T) {
	text := func(method string, arg int, texts ...string) (list []collection.ShownText) {
		for _, s := range texts {
			list = append(list, collection.ShownText{Method: method, Arg: arg, Text: s})
		}
		return list
	}
	texts := slices.Concat(text("On", 0, `"open"`, "`open`", `"shut"`, `"half"`), text("On", 1, `"x"`), text("Off", 0, `"gone"`),
		text("All", 0, `"a"`, `"b"`, `"c"`, `"d"`, `"e"`), text("Bad", 0, `open`), text("Four", 0, `"a"`, `"b"`, `"c"`, `"d"`))
	target := &Target{Overrides: collection.Overrides{Clues: &collection.Clues{Texts: texts}}}
	for _, c := range []struct {
		operation string
		param     int
		want      []string
	}{
		{"On", 0, []string{`"open"`, `"shut"`}},
		{"On", 1, []string{`"x"`, `"x-"`}},
		{"Off", 0, []string{`"gone"`, `"gone-"`}},
		{"All", 0, []string{`"a"`, `"b"`, `"c"`, `"d"`}},
		{"Four", 0, []string{`"a"`, `"b"`, `"c"`, `"d"`}},
		{"Bad", 0, nil}, {"Off", 1, nil}, {"Never", 0, nil},
	} {
		if got := target.literals(c.operation, c.param); !slices.Equal(got, c.want) {
			t.Errorf("%s, argument %d: %q, want %q", c.operation, c.param, got, c.want)
		}
	}
	if got := new(Target).literals("On", 0); got != nil {
		t.Errorf("without test files: %q", got)
	}
}

// A witness has the values of all operations.
func TestKnows_AreTheValuesOfAWitness(t *testing.T) {
	list := []verdict.KnownValues{{Operation: "Put", Param: 1, Values: []string{`"s1"`}, By: "Create"}, {Operation: "Set", Values: []string{`"red"`}}}
	got := Knows(list)
	if len(got) != 2 || got[0].Operation != "Put" || got[0].Param != 1 || got[0].By != "Create" || !slices.Equal(got[0].Values, list[0].Values) || got[1].Operation != "Set" {
		t.Errorf("%+v", got)
	}
}

// What is known is kept where more becomes known, and the target that it was asked of stays as it is.
func TestKnowing_KeepsWhatIsKnown(t *testing.T) {
	ctx := front.Share(t.Context())
	var notes []string
	targets, _, err := query(written(t), &notes, "./both.Queue").Find(ctx)
	if err != nil {
		t.Fatal(err)
	}
	first, err := targets[0].Knowing(ctx, []collection.Known{{Operation: "Enqueue", Values: []string{"7", "8"}, By: "Dequeue"}})
	if err != nil {
		t.Fatal(err)
	}
	second, err := first.Knowing(ctx, []collection.Known{{Operation: "Dequeue", Values: []string{"9", "10"}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, target := range []*Target{targets[0], first, second} {
		if got := len(target.Overrides.Known); got != i {
			t.Errorf("%d are known, want %d", got, i)
		}
	}
	if list := second.Overrides.Known; len(list) == 2 && list[0].Operation != "Enqueue" {
		t.Errorf("%+v", list)
	}
	if got := second.Found.Operations[second.Operation("Enqueue")].Call.Params[0].Names; !slices.Equal(got, []string{"7", "8"}) {
		t.Errorf("Enqueue is given %q", got)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"go/types"
	"slices"
	"strconv"
	"testing"
)

// Values that mean something to a collection: which parameters name something, which values they are given, and how results are written as source.

func TestParam_NamesSomething(t *testing.T) {
	for _, tc := range []struct {
		name, result string
		want         bool
	}{
		{"id", "", true}, {"jobID", "", true}, {"jobId", "", true}, {"job_id", "", true}, {"ID", "", true}, {"sessionToken", "", true}, {"lease", "", true},
		{"paid", "", false}, {"key", "", false}, {"key", "key", true}, {"", "", false}, {"HTTPToken", "", true},
	} {
		if p := (&Param{Name: tc.name}); p.names(tc.result) != tc.want {
			t.Errorf("%q beside a result %q: %v", tc.name, tc.result, !tc.want)
		}
	}
}

// Two values are given: those that are returned first, filled up by what is made up and is another one.
func TestCodec_KnownAreTwo(t *testing.T) {
	text := &Codec{Type: types.Typ[types.String], Shape: AsString}
	number := &Codec{Type: types.Typ[types.Int], Shape: AsInt}
	for _, tc := range []struct {
		codec          *Codec
		returned, want []string
	}{
		{text, []string{`"s1"`, `"s2"`, `"s3"`}, []string{`"s1"`, `"s2"`}},
		{text, []string{`"s1"`}, []string{`"s1"`, `""`}},
		{text, []string{`""`}, []string{`""`, `"v01"`}},
		{number, []string{"1001"}, []string{"1001", "0"}},
		{number, []string{"0"}, []string{"0", "1"}},
	} {
		if got := tc.codec.Known(tc.returned); !slices.Equal(got, tc.want) {
			t.Errorf("%q: %q, want %q", tc.returned, got, tc.want)
		}
	}
}

// Literals of results are Go source; a long string is found among the texts by its number.
func TestCodec_LiteralIsSource(t *testing.T) {
	texts := func(fits func(string) bool) (string, bool) {
		for _, s := range []string{"a text that is long", "another text that is long"} {
			if fits(s) {
				return s, true
			}
		}
		return "", false
	}
	text := &Codec{Type: types.Typ[types.String], Shape: AsString}
	if got, ok := text.Literal(textNumber("another text that is long"), texts); !ok || got != `"another text that is long"` {
		t.Errorf("%s, %v", got, ok)
	}
	if got, ok := text.Literal(textNumber("a long text that nobody has"), texts); ok {
		t.Errorf("%s of a text that is not there", got)
	}
	number := &Codec{Type: types.Typ[types.Uint8], Shape: AsInt}
	if got, ok := number.Literal(200, texts); !ok || got != "200" {
		t.Errorf("%s, %v", got, ok)
	}
	tagged := &Codec{Type: types.Typ[types.Int], Shape: AsInt, Function: Function{Tag: 1}}
	if got, ok := tagged.Literal(7, texts); !ok || got != strconv.FormatInt(Tagged(7, 1), 10) || got == "7" {
		t.Errorf("%s, %v of a number with a tag", got, ok)
	}
}

// What means something by its shape alone is plain: a string or a number of any value.
func TestCodec_IsPlain(t *testing.T) {
	for want, list := range map[bool][]*Codec{
		true:  {{Shape: AsString}, {Shape: AsInt}},
		false: {nil, {Shape: AsBool}, {Shape: AsString, Names: []string{"Fast"}}, {Shape: AsInt, Zero: true}, {Shape: AsHandle}},
	} {
		for _, c := range list {
			if c.Plain() != want {
				t.Errorf("%+v: %v", c, !want)
			}
		}
	}
}

// What a call tells beside its results is given to nobody: which functions it has called, what it has left in an argument, which objects it has returned.
func TestTakers_AreOfResultsOnly(t *testing.T) {
	text := &Codec{Type: types.Typ[types.String], Shape: AsString}
	for _, tc := range []struct {
		result Result
		want   int
	}{
		{Result{Codec: text}, 1},
		{Result{Codec: text, Calls: true}, 0},
		{Result{Codec: text, Filled: true}, 0},
		{Result{Codec: text, Objects: []string{"v0"}}, 0},
		{Result{Codec: &Codec{Type: text.Type, Shape: AsHandle}}, 0},
	} {
		c := &Collection{Operations: []Operation{
			{Name: "Create", Results: []Result{tc.result}},
			{Name: "Put", Params: []Param{{Name: "id", Codec: text}}, Call: Call{Args: []int{0}, Params: []*Codec{text}}},
		}}
		if got := c.Takers(0, 0); len(got) != tc.want {
			t.Errorf("%+v is given to %v", tc.result, got)
		}
	}
}

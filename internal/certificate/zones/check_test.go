// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/certificate/file"
	"pangolin/internal/ir"
	"pangolin/internal/mutant"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/test/proving"
)

// Whole certificates: those that the checker's own steps lead to are accepted, and nothing leads to one of what is wrong; damaged ones are refused, and others have an answer.

const (
	collections = "../../../collections/queue"
	rights      = "testdata/subjects/right"
	wrongs      = "testdata/subjects/wrong"
)

// counting and mixing are the heads of Counts and Mixed.
func counting() Head {
	h := plainQueue()
	h.Fingers, h.Bounds = []int{0}, every(0, 3)
	return h
}

func mixing() Head {
	return Head{Fingers: []int{1, 0}, Next: 0, Words: []string{"next", "?", "number", "item 0"}, Slots: []Slot{{2, -1}, {3, -1}}, Offers: [][]string{{"?", "number 0", "?", "item 0"}}, Left: []string{"0"}, Bounds: every(0, 4), Offered: every(4, 6)}
}

// certified are the certificates that were made, by the type.
var certified = map[string]*made{}

type made struct {
	s *subject.Subject
	x *Certificate
}

// filledOf is a certificate of a subject that has one.
func filledOf(t testing.TB, dir, typ string, h Head) (*subject.Subject, *Certificate) {
	t.Helper()
	if m := certified[typ]; m != nil {
		return m.s, m.x
	}
	s := proving.Load(t, dir, typ)
	x, err := fill(s, h)
	if err != nil {
		t.Fatalf("%s: %v", typ, err)
	}
	certified[typ] = &made{s, x}
	return s, x
}

// leastOf is a certificate of a subject without threads that others cover.
func leastOf(t testing.TB, dir, typ string, h Head) (*subject.Subject, *Certificate) {
	t.Helper()
	s, whole := filledOf(t, dir, typ, h)
	x := copyOf(whole)
	for i := len(x.Threads) - 1; i >= 0; i-- {
		less := *x
		less.Threads = slices.Delete(slices.Clone(x.Threads), i, i+1)
		if Check(t.Context(), s, &less) == nil {
			x = &less
		}
	}
	return s, x
}

// What the checker's own steps lead to from nothing is a certificate that it accepts, also if it was written and read again.
func TestCheck_AcceptsWhatItsOwnStepsLeadTo(t *testing.T) {
	for _, c := range []struct {
		dir, typ string
		head     Head
	}{{collections, "LockFreeQueue", plainQueue()}, {collections, "DGLMQueue", plainQueue()}, {collections, "EliminationQueue", eliminating()}, {rights, "Waits", plainQueue()}, {rights, "Counts", counting()}, {rights, "Mixed", mixing()}, {wrongs, "Whole", eliminating()}} {
		s, x := filledOf(t, c.dir, c.typ, c.head)
		var text, drawn bytes.Buffer
		if err := x.Write(&text); err != nil {
			t.Fatal(err)
		}
		v, err := CheckFile(context.Background(), s, text.Bytes(), &drawn)
		if err != nil || !v.Holds || v.Views != len(x.Threads) || v.Views < 8 || !v.Races || drawn.Len() == 0 {
			t.Errorf("%s: %v, %+v", c.typ, err, v)
		}
		t.Logf("%s: %d views, %v", c.typ, v.Views, x.Head.Bounds)
	}
}

// Nothing leads to a certificate of a queue that is wrong, or that the method does not treat: the checker refuses a step on the way there.
func TestCheck_RefusesAStepOfWhatIsWrong(t *testing.T) {
	text, err := os.ReadFile(wrongs + "/wrong.go")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i, m := range regexp.MustCompile(`type (\w+) struct`).FindAllStringSubmatch(string(text), -1) {
		if m[1] == "Whole" || level.Out(i, 12) {
			continue
		}
		s, h := proving.Load(t, wrongs, m[1]), eliminating()
		if m[1] == "Erases" {
			h.Left = []string{"0"}
		}
		if _, err := fill(s, h); !refuses(err) {
			t.Errorf("%s: %v", m[1], err)
		} else {
			lines = append(lines, m[1]+": "+err.Error())
		}
	}
	t.Log(strings.Join(lines, "\n"))
}

// endless are the classes of what a proof says nothing of: calls that do not return.
var endless = []string{"livelock", "nontermination", "infinite"}

// No mutant of a queue is accepted that goes wrong in a scope, but for calls that do not return, of which a proof says nothing.
func TestCheck_AcceptsNoMutantThatGoesWrong(t *testing.T) {
	if !level.All() {
		t.Skip("takes minutes; -level all")
	}
	ctx := context.Background()
	for _, c := range []struct {
		dir, typ string
		head     Head
	}{{collections, "LockFreeQueue", plainQueue()}, {collections, "DGLMQueue", plainQueue()}, {collections, "EliminationQueue", eliminating()}, {rights, "Mixed", mixing()}, {wrongs, "Whole", eliminating()}} {
		o := proving.Order(t, c.dir, c.typ)
		original, err := o.Load(ctx)
		if err != nil {
			t.Fatal(err)
		}
		list, err := mutant.All(ctx, o, original)
		if err != nil {
			t.Fatal(err)
		}
		tried, accepted := 0, 0
		for _, m := range list {
			s, err := m.Subject(ctx, o, original)
			if errors.As(err, new(*subject.Invalid)) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			tried++
			if _, err := fill(s, c.head); err != nil {
				continue
			}
			accepted++
			for _, scope := range [][2]int{{2, 4}, {3, 4}, {4, 4}} {
				if class := proving.GoesWrong(t, s, proving.Scope{Threads: scope[0], Steps: scope[1], Values: 2}); class != "" && !slices.Contains(endless, class) {
					t.Errorf("%s: a mutant is accepted, and %d threads with %d calls go wrong (%s):\n%s", c.typ, scope[0], scope[1], class, m.Diff())
				}
			}
		}
		t.Logf("%s: %d of %d mutants are accepted", c.typ, accepted, tried)
		if tried < 30 || accepted == tried {
			t.Errorf("%s: %d of %d mutants are accepted", c.typ, accepted, tried)
		}
	}
}

// A certificate from which something is left out that its steps lead to, or that says more than what is so, is refused, for a reason.
func TestCheck_RefusesWhatIsDamaged(t *testing.T) {
	s, whole := leastOf(t, wrongs, "Whole", eliminating())
	r := rand.New(rand.NewPCG(1, 1))
	n := 400
	if level.Short() {
		n = 100
	}
	tried := map[string]int{}
	for i := range n {
		x := copyOf(whole)
		th := &x.Threads[r.IntN(len(x.Threads))]
		last := &th.Calls[len(th.Calls)-1]
		what := ""
		switch i % 10 {
		case 0:
			what = "without a thread"
			k := r.IntN(len(x.Threads))
			x.Threads = slices.Delete(x.Threads, k, k+1)
		case 1:
			what = "with a bound that is not so"
			th.Bounds = append(th.Bounds, Bound{r.IntN(4), 4 + r.IntN(max(1, th.Vars)), -3})
		case 2:
			if len(last.Regs) == 0 {
				continue
			}
			what = "without a register that is read"
			k := r.IntN(len(last.Regs))
			last.Regs, last.Values = slices.Delete(last.Regs, k, k+1), slices.Delete(last.Values, k, k+1)
		case 3:
			what = "without bounds that hold at all times"
			x.Head.Bounds = []Bound{}
		case 4:
			what = "without bounds of offers"
			x.Head.Offered = []Bound{}
		case 5:
			what = "without calls of an operation"
			op := s.Operations[r.IntN(2)].Name
			x.Threads = slices.DeleteFunc(x.Threads, func(th Thread) bool { return th.Op == op })
		case 6:
			what = "with a bound at all times that does not hold"
			x.Head.Bounds = append(x.Head.Bounds, []Bound{{2, 1, 0}, {1, 0, 0}, {1, 0, 1}, {2, 0, 2}, {1, 3, 1}, {2, 3, 0}}[r.IntN(6)])
		case 7:
			what = "with a bound of offers that does not hold"
			x.Head.Offered = append(x.Head.Offered, []Bound{{0, 4, 0}, {5, 4, 0}, {5, 0, 0}, {4, 0, 0}, {3, 4, 0}, {5, 3, 0}}[r.IntN(6)])
		case 8:
			if th.Empty || th.Op == s.Operations[0].Name {
				continue
			}
			what = "with a moment at which it was empty"
			th.Empty = true
		case 9:
			if th.Offered < 0 {
				continue
			}
			what = "without its offer"
			th.Offered, th.Slot, th.Met = -1, -1, false
		}
		tried[what]++
		if err := Check(context.Background(), s, x); !refuses(err) {
			t.Errorf("%s: %v (%v)", what, err, th)
		}
	}
	t.Log(tried)
	if err := Check(context.Background(), s, whole); err != nil {
		t.Error(err)
	}
}

// A certificate that makes no sense is refused, with a reason.
func TestCheck_RefusesWhatMakesNoSense(t *testing.T) {
	s, whole := filledOf(t, wrongs, "Whole", eliminating())
	put := func(x *Certificate) *Thread {
		return &x.Threads[slices.IndexFunc(x.Threads, func(t Thread) bool {
			return t.Op == "Enqueue" && t.Did == "" && t.Slot < 0 && len(t.Private) > 0 && len(t.Calls) > 1
		})]
	}
	take := func(x *Certificate) *Thread {
		return &x.Threads[slices.IndexFunc(x.Threads, func(t Thread) bool { return t.Op == "Dequeue" && len(t.Offers) > 0 })]
	}
	inner := func(t *Thread) *Call { return &t.Calls[len(t.Calls)-1] }
	for _, c := range []struct {
		what string
		edit func(*Certificate)
		why  string
	}{
		{"no finger", func(x *Certificate) { x.Head.Fingers = []int{} }, "has no chain"},
		{"one finger", func(x *Certificate) { x.Head.Fingers = []int{0} }, "word 1 of a new collection is not modelled"},
		{"a finger twice", func(x *Certificate) { x.Head.Fingers = []int{0, 0} }, "two fingers"},
		{"a finger that is none", func(x *Certificate) { x.Head.Fingers = []int{0, 99} }, "finger 1 leads to no cell"},
		{"a finger that leads elsewhere", func(x *Certificate) { x.Head.Fingers = []int{0, 1, 5} }, "finger 2 leads to no cell"},
		{"a finger that is a slice", func(x *Certificate) { x.Head.Fingers = []int{2} }, "no chain"},
		{"a link that is none", func(x *Certificate) { x.Head.Next = 3 }, "not where its link is"},
		{"another link", func(x *Certificate) { x.Head.Next = 1 }, "is not"},
		{"two links", func(x *Certificate) { x.Head.Words[0] = "next" }, "is not"},
		{"a link that is an item", func(x *Certificate) { x.Head.Words[2] = "item 0" }, "is not"},
		{"more words", func(x *Certificate) { x.Head.Words = append(x.Head.Words, "?") }, "has 3 words"},
		{"a word that is none", func(x *Certificate) { x.Head.Words[1] = "numbers" }, "is not"},
		{"no slot", func(x *Certificate) { x.Head.Slots = []Slot{} }, "is no slot"},
		{"a slot twice", func(x *Certificate) { x.Head.Slots = append(x.Head.Slots, x.Head.Slots[0]) }, "slot 1 is there twice"},
		{"a slot that is a finger", func(x *Certificate) { x.Head.Slots = append(x.Head.Slots, Slot{0, -1}) }, "is no word of the collection that is nil"},
		{"a slot that is a slice", func(x *Certificate) { x.Head.Slots = append(x.Head.Slots, Slot{2, -1}) }, "is no word of the collection that is nil"},
		{"a slot that is a constant", func(x *Certificate) { x.Head.Slots = append(x.Head.Slots, Slot{5, -1}) }, "is no word of the collection that is nil"},
		{"a slot behind the slice", func(x *Certificate) { x.Head.Slots = append(x.Head.Slots, Slot{2, 1}) }, "no element of a slice"},
		{"a slot before the slice", func(x *Certificate) { x.Head.Slots = append(x.Head.Slots, Slot{2, -2}) }, "is no word"},
		{"a slot of no slice", func(x *Certificate) { x.Head.Slots = append(x.Head.Slots, Slot{5, 0}) }, "no element of a slice"},
		{"a slot of no word", func(x *Certificate) { x.Head.Slots = append(x.Head.Slots, Slot{6, -1}) }, "no word of the collection"},
		{"a slot of a negative word", func(x *Certificate) { x.Head.Slots = append(x.Head.Slots, Slot{-1, -1}) }, "no word of the collection"},
		{"no offers", func(x *Certificate) { x.Head.Offers = [][]string{}; x.Head.Offered = []Bound{} }, "has 2 variables"},
		{"an offer without an item", func(x *Certificate) { x.Head.Offers[1][0] = "?" }, "no item"},
		{"a cell of an offer that nothing leads to", func(x *Certificate) { x.Head.Offers[0][0] = "?" }, "leads to"},
		{"a cell of an offer that is none", func(x *Certificate) { x.Head.Offers[0][0] = "cell 2" }, "is nothing"},
		{"a number of an offer that is missing", func(x *Certificate) { x.Head.Offers[0][1] = "number 1" }, "only 1 numbers"},
		{"five cells of an offer", func(x *Certificate) { x.Head.Offers = slices.Repeat([][]string{{"item 0", "cell 1"}}, 5) }, "more than"},
		{"something is left that is no constant", func(x *Certificate) { x.Head.Left = []string{"constant 2"} }, "may leave"},
		{"something is left that is no word", func(x *Certificate) { x.Head.Left = []string{"constant 9"} }, "may leave"},
		{"something is left that is no value", func(x *Certificate) { x.Head.Left = []string{"5"} }, "may leave"},
		{"something is left twice", func(x *Certificate) { x.Head.Left = []string{"0", "0"} }, "twice"},
		{"something else is left", func(x *Certificate) { x.Head.Left = []string{"0"} }, "is cleared by a thread"},
		{"a bound of nothing", func(x *Certificate) { x.Head.Bounds = append(x.Head.Bounds, Bound{0, 4, 0}) }, "of a variable that is none"},
		{"a bound of a negative variable", func(x *Certificate) { x.Head.Bounds = append(x.Head.Bounds, Bound{-1, 0, 0}) }, "of a variable that is none"},
		{"a bound that is too large", func(x *Certificate) { x.Head.Bounds = append(x.Head.Bounds, Bound{0, 1, 1 << 40}) }, "of a variable that is none"},
		{"a bound that does not hold at first", func(x *Certificate) { x.Head.Bounds = append(x.Head.Bounds, Bound{0, 1, -1}) }, "does not hold of a new collection"},
		{"a bound of an offer of nothing", func(x *Certificate) { x.Head.Offered = append(x.Head.Offered, Bound{0, 6, 0}) }, "of a variable that is none"},
		{"a bound of an offer that others break", func(x *Certificate) { x.Head.Offered = append(x.Head.Offered, Bound{2, 5, 0}) }, "does not stay true"},

		{"an operation that is none", func(x *Certificate) { put(x).Op = "Peek" }, "in no operation"},
		{"another operation", func(x *Certificate) { take(x).Op = "Enqueue" }, ""},
		{"fewer variables", func(x *Certificate) { put(x).Vars = 0 }, ""},
		{"negative variables", func(x *Certificate) { put(x).Vars = -1 }, "too many variables"},
		{"too many variables", func(x *Certificate) { put(x).Vars = 1 << 30 }, "too many variables"},
		{"no since", func(x *Certificate) { put(x).Since = -1 }, "a Put has no since"},
		{"a since that is none", func(x *Certificate) { put(x).Since = put(x).Vars }, "a Put has no since"},
		{"a since of a Take", func(x *Certificate) { take(x).Since = 0 }, "a Take has one"},
		{"a Put that took", func(x *Certificate) { put(x).Did = "took cell 0" }, "what its operation does not do"},
		{"a Take that linked", func(x *Certificate) { take(x).Did = "linked 0" }, "what its operation does not do"},
		{"a Take that handed over", func(x *Certificate) { take(x).Did = "handed" }, "what its operation does not do"},
		{"a Put that linked nothing", func(x *Certificate) { put(x).Did = "linked 9" }, "what its operation does not do"},
		{"a Take that took nothing", func(x *Certificate) { take(x).Did = "took offer 9" }, "what its operation does not do"},
		{"a Put that did nothing that there is", func(x *Certificate) { put(x).Did = "left" }, "what its operation does not do"},
		{"a Put that has seen something", func(x *Certificate) { put(x).Empty = true }, "what its operation does not do"},
		{"an offer of no private cell", func(x *Certificate) { put(x).Offered, put(x).Slot = 9, 0 }, "an offer in a slot that is none"},
		{"an offer in no slot", func(x *Certificate) { put(x).Offered, put(x).Slot = 0, 1 }, "an offer in a slot that is none"},
		{"a slot without an offer", func(x *Certificate) { put(x).Slot = 0 }, "an offer in a slot that is none"},
		{"an offer without a slot", func(x *Certificate) { put(x).Offered = 0 }, "an offer in a slot that is none"},
		{"a negative offer", func(x *Certificate) { put(x).Offered, put(x).Slot = -2, -2 }, "an offer in a slot that is none"},
		{"no offer that was met", func(x *Certificate) { put(x).Met = true }, "an offer in a slot that is none"},
		{"an offer of a Take", func(x *Certificate) { take(x).Offered, take(x).Slot = 0, 0 }, "an offer in a slot that is none"},
		{"an offer of what is linked", func(x *Certificate) { put(x).Offered, put(x).Slot, put(x).Did = 0, 0, "linked 0" }, "an offer in a slot that is none"},
		{"an offer of what was handed over", func(x *Certificate) { put(x).Offered, put(x).Slot, put(x).Did = 0, 0, "handed" }, "an offer in a slot that is none"},
		{"shown of no cell", func(x *Certificate) { put(x).Shown = append(put(x).Shown, true) }, "too many variables or cells"},
		{"a variable of an offer that is none", func(x *Certificate) { take(x).Offers[0][0] = take(x).Vars }, "an offer has a variable that is none"},
		{"an offer with one variable more", func(x *Certificate) { take(x).Offers[0] = append(take(x).Offers[0], 0) }, "has 3 variables"},
		{"a bound of a thread of nothing", func(x *Certificate) { put(x).Bounds[0][1] = 1 << 20 }, "of a variable that is none"},
		{"no call", func(x *Certificate) { put(x).Calls = []Call{} }, "no call in progress"},
		{"a function that is none", func(x *Certificate) { inner(put(x)).Func = 1 << 20 }, "a function that is none"},
		{"a function without code", func(x *Certificate) {
			inner(put(x)).Func = slices.IndexFunc(s.Prog.Funcs, func(f *ir.Func) bool { return f.External })
		}, "a function that is none"},
		{"a function of another type", func(x *Certificate) { inner(put(x)).Func = 0 }, "something else than its operation"},
		{"an instruction that is none", func(x *Certificate) { inner(put(x)).PC = -1 }, "something else than its operation"},
		{"an instruction behind the code", func(x *Certificate) { inner(put(x)).PC = 1 << 20 }, "something else than its operation"},
		{"another caller", func(x *Certificate) { put(x).Calls = put(x).Calls[1:] }, "something else than its operation"},
		{"a caller that calls nothing", func(x *Certificate) {
			put(x).Calls[0].PC = slices.IndexFunc(s.Prog.Funcs[put(x).Calls[0].Func].Code, func(in ir.Instr) bool { return in.Op != ir.OpCall })
		}, "something else than its operation"},
		{"a caller of another function", func(x *Certificate) { put(x).Calls = append(put(x).Calls[:1], *inner(put(x))) }, ""},
		{"a register that is none", func(x *Certificate) { inner(put(x)).Regs[0] = 1 << 20 }, "a register is there twice"},
		{"a register twice", func(x *Certificate) { f := inner(put(x)); f.Regs[0] = f.Regs[1] }, "a register is there twice"},
		{"a register without a value", func(x *Certificate) { f := inner(put(x)); f.Values = f.Values[1:] }, "registers, and values of"},
	} {
		x := copyOf(whole)
		c.edit(x)
		if err := Check(context.Background(), s, x); !refuses(err) || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	for _, text := range []string{"cell 9.0", "cell 0.3", "offer 0.0.0", "private 9.0", "private 0.9", "number 9+0", "number 0+5", "item cell 9.0", "item cell 0.1", "item own 1", "item offer 0.0", "word 6", "slice 5", "slot 1", "constant 2", "constant 9", "x", ""} {
		x := copyOf(whole)
		inner(put(x)).Values[0] = text
		if err := Check(context.Background(), s, x); !refuses(err) {
			t.Errorf("%q: %v", text, err)
		}
		put(x).Private[0][0] = text
		if err := Check(context.Background(), s, x); !refuses(err) {
			t.Errorf("%q in a private cell: %v", text, err)
		}
	}
}

// copyOf is a copy that shares nothing.
func copyOf(x *Certificate) *Certificate {
	out := *x
	copyLists(reflect.ValueOf(&out).Elem())
	return &out
}

func copyLists(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			copyLists(v.Field(i))
		}
	case reflect.Slice:
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(list, v)
		v.Set(list)
		if k := v.Type().Elem().Kind(); k == reflect.Struct || k == reflect.Slice {
			for i := range v.Len() {
				copyLists(v.Index(i))
			}
		}
	}
}

// Whatever a certificate says, the checker has an answer.
func TestCheck_HasAnAnswerToAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	n := 600
	if level.Short() {
		n = 100
	}
	for i := range n {
		typ, head := "Whole", eliminating()
		dir := wrongs
		if i%2 == 0 {
			dir, typ, head = rights, "Mixed", mixing()
		}
		s, whole := filledOf(t, dir, typ, head)
		x := copyOf(whole)
		for range 1 + r.IntN(3) {
			disturb(r, reflect.ValueOf(x).Elem())
		}
		x.Head.Head = whole.Head.Head
		var rejection *file.Rejection
		if err := Check(context.Background(), s, x); err != nil && !errors.As(err, &rejection) {
			t.Errorf("an error that is none of a certificate: %v", err)
		}
		if err := x.Draw(io.Discard, s.Prog); err != nil {
			t.Error(err)
		}
	}
}

// disturb changes something somewhere in a value.
func disturb(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		disturb(r, v.Field(r.IntN(v.NumField())))
	case reflect.Array:
		disturb(r, v.Index(r.IntN(v.Len())))
	case reflect.Slice:
		switch n := v.Len(); {
		case n == 0 || r.IntN(6) == 0:
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		case r.IntN(6) == 0:
			v.Set(reflect.Zero(v.Type()))
		case r.IntN(6) == 0:
			v.SetLen(r.IntN(n))
		default:
			disturb(r, v.Index(r.IntN(n)))
		}
	case reflect.Int:
		v.SetInt([]int64{-1, -2, 0, 1, 2, 3, 5, 62, 63, 64, 1 << 20, math.MaxInt64, math.MinInt64}[r.IntN(13)])
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.String:
		list := strings.Split("|0|-1|1048577|?|item own|item cell 0|item offer 0|item|number|number 0|number 0+1|number 9+0|next|word 0|word 2|slice 2|slot 0|slot 1|constant 5|cell 0.0|cell 0.1|cell 1|cell 9.9|offer 0.0.0|offer 0.1.9|private 0.0|private 1.0|private 0.9|linked 0|handed|took cell 0|took offer 0|Enqueue|Dequeue", "|")
		v.SetString(list[r.IntN(len(list))])
	}
}

// What is wrong with a certificate is said with the place in the code.
func TestCheck_SaysWhere(t *testing.T) {
	s := proving.Load(t, wrongs, "Unchecked")
	_, err := fill(s, eliminating())
	var r *file.Rejection
	if !errors.As(err, &r) || !strings.HasPrefix(r.Where, "wrong.go:") {
		t.Errorf("%v", err)
	}
	if text := fmt.Sprint(Limits()); !strings.Contains(text, "threads, calls, items") {
		t.Error(text)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/certificate/file"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/test/proving"
)

// filler makes a certificate with the checker's own steps, so that there is one to be damaged. What it shows of the checker is that it
// accepts something; whether what it accepts is true is for other tests.
type filler struct {
	c    *checker
	rows map[int]*filled
	work []*filledView
	laid map[string][]memory // what overlay gave
}

type filled struct {
	first  int
	views  map[string][]*filledView
	all    []*filledView
	writes []*write
	known  map[string]bool
}

type filledView struct {
	row *filled
	t   *thread
	old bool
}

// blank is a certificate that claims nothing, with all kinds that there may be.
func blank(s *subject.Subject, h Head) *Certificate {
	x := &Certificate{Head: h}
	x.Head.Head = NewHead(s.Source, s.Prog).Head
	for _, op := range s.Operations {
		for state := range 4 {
			for i := range 4 {
				if state != h.Dead {
					x.Kinds = append(x.Kinds, Kind{Op: op.Name, Found: i&1 != 0, Done: i&2 != 0, State: state, Below: []int{}})
				}
			}
		}
	}
	for _, f := range s.Prog.Funcs {
		if f.External || len(f.Code) == 0 {
			continue
		}
		l := ir.NewLive(s.Prog, f)
		for pc := range f.Code {
			for _, calling := range []bool{false, true} {
				regs := l.Before(pc)
				if calling {
					if f.Code[pc].Op != ir.OpCall {
						continue
					}
					regs = l.During(pc)
				}
				k := Kept{f.ID, pc, calling, []int{}}
				for _, r := range regs {
					k.Regs = append(k.Regs, int(r))
				}
				x.Kept = append(x.Kept, k)
			}
		}
	}
	return x
}

// fill adds to the certificate what it lacks. It gives up with the checker's reason.
func fill(s *subject.Subject, x *Certificate) error {
	for {
		c := &checker{s: s, x: x, kept: map[place][]int{}, codes: map[string]int{}, table: map[entry][][]gap{}, rows: map[int]bool{}}
		if err := c.load(); err != nil {
			return err
		}
		f := &filler{c: c, rows: map[int]*filled{}, laid: map[string][]memory{}}
		err := f.run()
		if err == nil {
			f.write(x)
			return nil
		}
		at := strings.Index(err.Error(), "it does not claim that the first")
		var kind, below int
		if at < 0 {
			return err
		}
		if n, _ := fmt.Sscanf(err.Error()[at:], "it does not claim that the first cell that counts below one of kind %d may have kind %d", &kind, &below); n != 2 {
			return err
		}
		x.Kinds[kind].Below = append(x.Kinds[kind].Below, below)
		slices.Sort(x.Kinds[kind].Below)
	}
}

func (f *filler) row(first int) (*filled, error) {
	if r := f.rows[first]; r != nil {
		return r, nil
	}
	r := &filled{first: first, views: map[string][]*filledView{}, known: map[string]bool{}}
	f.rows[first] = r
	for op := range f.c.s.Operations {
		if err := f.c.executions(func() (*thread, error) { return f.c.begin(first, op) }, f.settled(r)); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (f *filler) settled(from *filled) func(t *thread) error {
	return func(t *thread) error {
		choices, at := f.c.choices, f.c.at
		f.c.choices = nil
		defer func() { f.c.choices, f.c.at = choices, at }()
		r, err := f.row(t.first)
		if err != nil {
			return err
		}
		if w := t.wrote; w != nil && !from.known[w.key()] {
			from.known[w.key()] = true
			from.writes = append(from.writes, w)
			if _, err := f.row(w.to); err != nil {
				return err
			}
			for i := 0; i < len(from.all); i++ {
				if v := from.all[i]; !v.old {
					f.meet(w, v)
				}
			}
		}
		if t.op < 0 {
			return nil
		}
		if !t.sharpen(f.c.below) {
			return errElse
		}
		if err := f.c.settle(t); err != nil {
			return err
		}
		if t.sharpen(f.c.below) {
			f.add(r, t)
		}
		return nil
	}
}

func (f *filler) meet(w *write, v *filledView) {
	key := w.key() + v.t.text()
	list, known := f.laid[key]
	if !known {
		m := v.t.memory.clone()
		if m.sharpen(f.c.below) {
			list = overlay(w, &m, f.c.below)
		}
		f.laid[key] = list
	}
	for _, m := range list {
		t := v.t.clone()
		t.memory = m.clone()
		t.first, t.wrote = w.to, nil
		t.note(t.is, f.c.held(w.to))
		f.add(f.rows[w.to], t)
	}
}

func (f *filler) add(r *filled, t *thread) {
	key := fmt.Sprint(f.c.code(t), t.noted, t.shape())
	for _, v := range r.views[key] {
		if !v.old && t.memory.within(v.t.gaps) {
			return
		}
	}
	for _, v := range r.views[key] {
		if !v.old { // one claim for all: the union
			v.old = true
			t = t.clone()
			for i := range t.gaps {
				t.gaps[i].kinds |= v.t.gaps[i].kinds
				t.gaps[i].below |= v.t.gaps[i].below
			}
		}
	}
	t.wrote = nil
	v := &filledView{row: r, t: t}
	r.views[key] = append(r.views[key], v)
	r.all = append(r.all, v)
	f.work = append(f.work, v)
	for _, w := range r.writes {
		if !v.old {
			f.meet(w, v)
		}
	}
}

func (f *filler) run() error {
	if _, err := f.row(None); err != nil {
		return err
	}
	for len(f.work) > 0 {
		v := f.work[0]
		f.work = f.work[1:]
		if v.old {
			continue
		}
		start := v.t.clone()
		if !start.sharpen(f.c.below) {
			continue
		}
		err := f.c.executions(func() (*thread, error) {
			t := start.clone()
			return t, f.c.execute(t, runs{})
		}, f.settled(v.row))
		if err != nil {
			return fmt.Errorf("%w; from %s", err, f.describe(start))
		}
	}
	return nil
}

func (f *filler) describe(t *thread) string {
	x := f.thread(t)
	return fmt.Sprintf("first %d %+v", t.first, x)
}

func listOf(s set) []int { return append([]int{}, s.each()...) }

func (f *filler) thread(t *thread) Thread {
	x := Thread{Op: f.c.s.Operations[t.op].Name, Is: t.is, Changed: t.changed, Present: t.present, Absent: t.absent, Empty: t.empty,
		Gaps: []Gap{}, Cells: []Cell{}, Private: [][]string{}, Calls: []Call{}}
	for _, g := range t.gaps {
		x.Gaps = append(x.Gaps, Gap{listOf(g.kinds), listOf(g.below)})
	}
	for _, k := range t.cells {
		x.Cells = append(x.Cells, Cell{k.is, k.kind, k.own})
	}
	for _, words := range t.private {
		list := []string{}
		for _, w := range words {
			list = append(list, w.String())
		}
		x.Private = append(x.Private, list)
	}
	for i, k := range t.calls {
		k2 := Call{k.fn.ID, k.pc, []string{}}
		for _, r := range f.c.kept[place{k.fn.ID, k.pc, i < len(t.calls)-1}] {
			k2.Values = append(k2.Values, k.regs[ir.Reg(r)].String())
		}
		x.Calls = append(x.Calls, k2)
	}
	return x
}

func (f *filler) write(x *Certificate) {
	used := map[place]bool{}
	for first := None; first < len(x.Kinds); first++ {
		r := f.rows[first]
		if r == nil {
			continue
		}
		row := Row{First: first, Threads: []int{}}
		for _, v := range r.all {
			if v.old {
				continue
			}
			row.Threads = append(row.Threads, len(x.Threads))
			x.Threads = append(x.Threads, f.thread(v.t))
			for i, k := range v.t.calls {
				used[place{k.fn.ID, k.pc, i < len(v.t.calls)-1}] = true
			}
		}
		x.Rows = append(x.Rows, row)
	}
	x.Kept = slices.DeleteFunc(x.Kept, func(k Kept) bool { return !used[place{k.Func, k.PC, k.Calling}] })
}

// marks is the head of certificates of sets in which the state of the youngest cell says whether its item is there.
var marks = Head{Item: 0, State: 1, Link: 2, Dead: 0, Held: []int{1}}

// unordered is that of collections/list.UnorderedList, and of what is like it.
var unordered = Head{Item: 0, State: 1, Link: 2, Dead: 3, Held: []int{0, 2}, Ends: true}

const (
	own    = "testdata/subjects"
	rights = "../../engine/ages/testdata/subjects/right"
	wrongs = "../../engine/ages/testdata/subjects/wrong"
)

// filledOf is a certificate of a subject that has one.
func filledOf(t testing.TB, dir, typ string, h Head) (*subject.Subject, *Certificate) {
	t.Helper()
	if known := made[typ]; known.x != nil {
		return known.s, known.x
	}
	s := proving.Load(t, dir, typ)
	x := blank(s, h)
	if err := fill(s, x); err != nil {
		t.Fatalf("%s: %v", typ, err)
	}
	made[typ] = certified{s, x}
	return s, x
}

type certified struct {
	s *subject.Subject
	x *Certificate
}

// made are the certificates that were made, by the type.
var made = map[string]certified{}

// What the checker's own steps lead to from nothing is a certificate that it accepts, also if it was written and read again.
func TestCheck_AcceptsWhatItsOwnStepsLeadTo(t *testing.T) {
	right := marks
	right.Item, right.State, right.Link, right.Held = 2, 1, 0, []int{1}
	for _, c := range []struct {
		dir, typ string
		head     Head
	}{{rights, "Marks", right}, {own, "Boxed", marks}, {own, "Quick", marks}} {
		s, x := filledOf(t, c.dir, c.typ, c.head)
		var text bytes.Buffer
		if err := x.Write(&text); err != nil {
			t.Fatal(err)
		}
		v, err := CheckFile(context.Background(), s, text.Bytes(), io.Discard)
		if err != nil || !v.Holds || v.Views < 100 {
			t.Errorf("%s: %v, %+v", c.typ, err, v)
		}
		t.Logf("%s: %d views", c.typ, x.Views())
	}
}

// Nothing leads to a certificate of a set that is wrong, or that the method does not treat: the checker refuses a step on the way there.
func TestCheck_RefusesAStepOfWhatIsWrong(t *testing.T) {
	var lines []string
	refused := func(dir, typ string, h Head) {
		s := proving.Load(t, dir, typ)
		err := fill(s, blank(s, h))
		if err == nil {
			t.Errorf("%s: a certificate is found", typ)
			return
		}
		text, _, _ := strings.Cut(err.Error(), "; from")
		lines = append(lines, typ+": "+text)
	}
	for i, typ := range []string{"Stale", "Passes", "Again", "Leaves", "Unmarked", "Early", "Late", "Blind", "Second", "Back", "Pops", "Reads"} {
		if level.Out(i, 6) {
			continue
		}
		refused(wrongs, typ, unordered)
	}
	for _, typ := range []string{"Leaks", "Doubles", "Renames", "Compares", "Zero", "Guesses", "Takes", "Insists", "Follows"} {
		refused(own, typ, marks)
	}
	t.Log(strings.Join(lines, "\n"))
}

// A certificate from which something is left out that its steps lead to is refused, for a reason.
func TestCheck_RefusesWhatLeavesSomethingOut(t *testing.T) {
	for _, typ := range []string{"Boxed", "Quick"} { // of Quick the last step of a call is a write
		leavesOut(t, typ)
	}
}

func leavesOut(t *testing.T, typ string) {
	s, whole := filledOf(t, own, typ, marks)
	r := rand.New(rand.NewPCG(1, 1))
	tried := 0
	n := 150
	if level.Short() {
		n = 100
	}
	for i := range n {
		x := copyOf(whole)
		row, kind := &x.Rows[r.IntN(len(x.Rows))], &x.Kinds[r.IntN(len(x.Kinds))]
		at := &x.Threads[row.Threads[r.IntN(len(row.Threads))]]
		what := ""
		switch i % 10 {
		case 0:
			what = "a thread of a row"
			row.Threads = slices.Delete(row.Threads, 0, 1+r.IntN(3))
		case 1:
			what = "a row"
			k := r.IntN(len(x.Rows))
			x.Rows = slices.Delete(x.Rows, k, k+1)
		case 2:
			if len(kind.Below) == 0 {
				continue
			}
			what = "what is below a kind"
			k := r.IntN(len(kind.Below))
			kind.Below = slices.Delete(kind.Below, k, k+1)
		case 3:
			g := &at.Gaps[r.IntN(len(at.Gaps))]
			if len(g.Kinds) == 0 || at.Empty {
				continue
			}
			what = "what is in a gap"
			g.Kinds = g.Kinds[1:]
		case 4:
			k := 1 + r.IntN(len(at.Gaps))
			if k == len(at.Gaps) || len(at.Gaps[k].Below) < 2 {
				continue
			}
			what = "what is below a gap"
			at.Gaps[k].Below = at.Gaps[k].Below[1:]
		case 5:
			k := &x.Kept[r.IntN(len(x.Kept))]
			if len(k.Regs) == 0 {
				continue
			}
			what = "a register that is kept"
			k.Regs = k.Regs[1:]
		case 6:
			what = "a state that says that k is held"
			x.Head.Held = []int{}
		case 7:
			op := s.Operations[r.IntN(3)].Name
			what = "calls of " + op
			for i := range x.Rows {
				x.Rows[i].Threads = slices.DeleteFunc(x.Rows[i].Threads, func(id int) bool { return x.Threads[id].Op == op })
			}
		case 8:
			is := r.IntN(2) == 0
			what = fmt.Sprintf("calls with k, or with another item: %t", is)
			for i := range x.Rows {
				x.Rows[i].Threads = slices.DeleteFunc(x.Rows[i].Threads, func(id int) bool { return x.Threads[id].Is == is })
			}
		case 9:
			k := r.IntN(3)
			what = []string{"a gap", "a cell", "a value"}[k]
			last := &at.Calls[len(at.Calls)-1]
			switch {
			case k == 0:
				at.Gaps = at.Gaps[1:]
			case k == 1 && len(at.Cells) > 0:
				at.Cells = at.Cells[1:]
			case k == 2 && len(last.Values) > 0:
				last.Values = last.Values[1:]
			default:
				continue
			}
		}
		tried++
		var rejection *file.Rejection
		if err := Check(context.Background(), s, x); err == nil || !errors.As(err, &rejection) {
			t.Errorf("without %s: %v", what, err)
		}
	}
	t.Logf("%d tried", tried)
	if err := Check(context.Background(), s, whole); err != nil {
		t.Error(err)
	}
}

// Addresses of words that are none are refused, and so are other values that are none.
func TestCheck_RefusesAddressesOfNothing(t *testing.T) {
	s, whole := filledOf(t, own, "Boxed", marks)
	for _, text := range []string{"cell 9.0", "cell 0.3", "private 9.0", "private 0.9", "cell -1.0", "cell 0", "x", ""} {
		for i := range whole.Threads {
			if i%41 != 0 {
				continue
			}
			x := copyOf(whole)
			th := &x.Threads[i]
			last := &th.Calls[len(th.Calls)-1]
			switch {
			case len(th.Private) > 0:
				th.Private[0][0] = text
			case len(last.Values) > 0:
				last.Values[0] = text
			default:
				continue
			}
			if err := Check(context.Background(), s, x); !refuses(err) {
				t.Errorf("%q: %v", text, err)
			}
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
	s, whole := filledOf(t, own, "Boxed", marks)
	r := rand.New(rand.NewPCG(2, 2))
	n := 200
	if level.Short() {
		n = 100
	}
	for range n {
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
		v.SetString([]string{"", "0", "-1", "1048577", "?", "item k", "item other", "word", "cell 0.0", "cell 0.1", "cell 0.3", "cell 9.9", "private 0.0", "private 1.0", "private 0.9", "Add", "Contains"}[r.IntN(17)])
	}
}

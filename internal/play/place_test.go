// SPDX-License-Identifier: BSD-3-Clause

package play

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/find"
	"pangolin/internal/interleave"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// The contract of Place: two places, one in a machine and one in parts, walk side by side. They give the same answers, hear the
// same events, and save the same words, once parts are put together.
func TestPlace_BothFormsAreOneState(t *testing.T) {
	for _, c := range []struct {
		pkg, typ    string
		items, keys bool
		races       bool
	}{
		{"list", "LockFreeList", false, true, true}, {"queue", "LockFreeQueue", true, false, true}, {"stack", "EliminationBackoffStack", true, false, true},
		{"list", "LazyList", false, false, true}, {"queue", "SynchronousDualQueue", true, false, false}, {"queue", "BoundedQueue", false, false, true},
		{"hashset", "LockFreeHashSet", false, false, true}, {"stack", "LockFreeStack", false, false, false}, {"list", "FineList", false, true, true},
	} {
		t.Run(c.typ, func(t *testing.T) {
			s := load(t, c.pkg, c.typ)
			p := newPair(t, s, Options{Clients: 3, Renamed: Renamed{Generic: c.items, Items: c.items, Keys: c.keys}, Races: c.races, Fuse: true})
			for range 40 {
				p.walk(60)
			}
			if p.recalled < 200 || p.executed < 50 || p.named < p.recalled || p.reordered > p.named/20 {
				t.Errorf("%d turns were recalled, %d executed, %d states had parts, %d sorted otherwise", p.recalled, p.executed, p.named, p.reordered)
			}
			t.Log(p.recalled, p.executed, p.named, p.reordered)
		})
	}
}

// Where there is no room, or what is remembered is forgotten, a place in parts still is the machine's.
func TestPlace_WithoutRoomIsTheMachine(t *testing.T) {
	defer func(usual struct{ Parts, Steps int64 }) { Limits.Parts, Limits.Steps = usual.Parts, usual.Steps }(Limits)
	s := load(t, "list", "LockFreeList")
	for _, room := range [][2]int64{{0, 1 << 20}, {3000, 1 << 20}, {1 << 20, 0}, {20000, 5000}} {
		Limits.Parts, Limits.Steps = room[0], room[1]
		for _, keys := range []bool{false, true} {
			p := newPair(t, s, Options{Clients: 2, Renamed: Renamed{Keys: keys}, Races: true, Fuse: true})
			for range 10 {
				p.walk(40)
			}
		}
	}
}

// A call whose first access would race is not begun in either form.
func TestPlace_RacesInBothForms(t *testing.T) {
	s := loadFrom(t, "testdata/racy", "Box")
	p := newPair(t, s, Options{Clients: 3, Races: true, Fuse: true})
	for range 400 {
		p.walk(12)
	}
	if p.recalled < 100 || p.raced < 100 {
		t.Errorf("%d turns were recalled, %d walks raced", p.recalled, p.raced)
	}
}

func load(t *testing.T, pkg, typ string) *subject.Subject {
	t.Helper()
	return loadFrom(t, filepath.Join("../../collections", pkg), typ)
}

func loadFrom(t *testing.T, dir, typ string) *subject.Subject {
	t.Helper()
	q := &find.Query{Dir: dir, Packages: []string{"."}, Note: func(string, ...any) {},
		Overrides: func([]string) (find.Wishes, error) { return find.Wishes{}, nil }}
	found, _, err := q.Find(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(found, func(f *find.Target) bool { return f.Found.Type == typ || strings.HasPrefix(f.Found.Type, typ+"[") })
	if k < 0 {
		t.Fatal("not found")
	}
	o := subject.Order{Listed: found[k].Listed, Patterns: found[k].Patterns, Dir: dir, Overrides: found[k].Overrides}
	o.Ops, _ = found[k].Operations()
	s, err := o.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// pair is a place in either form, and a third in a machine.
type pair struct {
	*testing.T
	s                         *subject.Subject
	opt                       *Options
	machine, parts, scratch   Place
	calls                     []client.Step
	at                        *rand.Rand
	items, keys               int // that the state has
	recalled, executed, named int
	reordered                 int // states whose threads the machine sorts otherwise: two of them lead to one object
	raced                     int // walks that ended with a race, or otherwise
}

func newPair(t *testing.T, s *subject.Subject, opt Options) *pair {
	img, err := vm.NewImage(s.Prog)
	if err != nil {
		t.Fatal(err)
	}
	p := &pair{T: t, s: s, opt: &opt, at: rand.New(rand.NewPCG(1, 2))}
	opt.Machine, opt.Operations = interleave.Operations(vm.Hash{}), s.Operations
	opt.Words = func(call *client.Step) []uint64 { return p.words(p.parts, call) }
	opt.View, opt.Tie = func(int) uint64 { return 0 }, func([]int, []uint8) uint64 { return 0 }
	p.machine, p.scratch = NewPlace(img, &opt), NewPlace(img, &opt)
	with := opt
	with.Store = NewStore(img, 0)
	p.parts = NewPlace(img, &with)
	for op := range s.Operations {
		p.calls = append(p.calls, p.callsOf(op, 0)...)
	}
	return p
}

// callsOf lists the calls of an operation with arguments 0 and 1, from parameter at on.
func (p *pair) callsOf(op, at int) []client.Step {
	params := p.s.Operations[op].Client.Params
	if at == len(params) {
		return []client.Step{{Op: op}}
	}
	var list []client.Step
	for _, c := range p.callsOf(op, at+1) {
		for v := range 2 {
			c.Args = c.Args.With(at, history.IntValue(int64(v)))
			list = append(list, c)
		}
	}
	return list
}

// words are the arguments: items have names, and a key is one of the state's, or a new one before it.
func (p *pair) words(at Place, call *client.Step) []uint64 {
	op := &p.s.Operations[call.Op]
	words := op.Words(nil, at.Root(), call.Args)
	for i, param := range op.Client.Params {
		switch v := int(call.Args.At(i).Int); {
		case param == oracle.ParamItem && p.opt.Items:
			words[i+1] = vm.Item(p.items)
		case param == oracle.ParamKey && p.opt.Keys && v < p.keys:
			words[i+1] = vm.Key(v)
		case param == oracle.ParamKey && p.opt.Keys:
			words[i+1] = vm.KeyBefore(v % (p.keys + 1))
		}
	}
	return words
}

// walk takes turns at random from a new collection on.
func (p *pair) walk(turns int) {
	p.items, p.keys = 0, 0
	for _, at := range []Place{p.machine, p.parts} {
		m := at.Reset()
		for range p.opt.Clients {
			m.Spawn()
		}
		m.Call(0, p.s.New, nil)
		for m.Settle(0, explore.Replay(nil)); !m.Idle(0); {
			m.Step(0, explore.Replay(nil))
		}
		m.SetRoots(m.Results(0)[0])
		for i := range p.opt.Clients {
			m.Inherit(i, 0)
		}
	}
	for p.same(); turns > 0; turns-- {
		t, ok := p.turn()
		if !ok {
			return
		}
		var heard [2]string
		over := false
		for k, at := range []Place{p.machine, p.parts} {
			counts := p.counts(at, &t)
			e := at.Take(&t, explore.Replay(nil))
			heard[k] = fmt.Sprint(e.Race, e.Site, e.Said, e.Returned, at.Ended())
			if k == 0 { // nothing is saved behind these
				over = e.Race != nil || at.Ended() || at.Stand().Fault() != nil || at.Stand().Looked() != (vm.Looked{})
			}
			for _, r := range e.Returned {
				at.SetTag(r.Thread, 0)
			}
			at.Count(counts, t.Thread%p.opt.Clients)
		}
		if heard[0] != heard[1] {
			p.Errorf("thread %d: the machine says\n%s\nparts say\n%s", t.Thread, heard[0], heard[1])
		}
		if over {
			p.raced++
			return
		}
		if p.parts.(*Parts).Recalled() {
			p.recalled++
		} else {
			p.executed++
		}
		p.same()
	}
}

// counts are how many calls of the clients' threads are counted behind a turn: up to three, so that states come again.
func (p *pair) counts(at Place, t *Turn) (list []uint64) {
	list = make([]uint64, p.opt.Clients)
	at.Counts(list)
	if t.Begins {
		list[t.Thread] = (list[t.Thread] + 1) % 4
	}
	return list
}

// turn chooses one among those that are possible in the state that has been loaded.
func (p *pair) turn() (t Turn, ok bool) {
	a, b := p.machine, p.parts
	if a.Threads() != b.Threads() || a.Root() != b.Root() {
		p.Fatalf("%d threads, root %x; parts: %d, %x", a.Threads(), a.Root(), b.Threads(), b.Root())
	}
	var list []int
	for i := range a.Threads() {
		x := fmt.Sprint(a.Idle(i), a.Enabled(i), a.Anonymous(i), a.Tag(i))
		if y := fmt.Sprint(b.Idle(i), b.Enabled(i), b.Anonymous(i), b.Tag(i)); x != y {
			p.Errorf("thread %d: the machine says %s, parts say %s", i, x, y)
		}
		if a.Enabled(i) || a.Idle(i) && i < p.opt.Clients {
			list = append(list, i)
		}
	}
	if len(list) == 0 || p.items == vm.MaxItems || p.keys > 8 {
		return t, false
	}
	t = Turn{Thread: list[p.at.IntN(len(list))], Fresh: -1}
	if !a.Idle(t.Thread) {
		return t, true
	}
	k := p.at.IntN(len(p.calls))
	t.Begins, t.Call = true, p.calls[k]
	if p.opt.Items { // and so the words do not tell which call it is
		t.Number = uint32(k) + 1
		if slices.Contains(p.s.Operations[t.Call.Op].Client.Params, oracle.ParamItem) {
			t.Fresh = p.items
		}
	}
	return t, true
}

// same saves both states, holds them against each other, and loads them.
func (p *pair) same() {
	want, items := p.save(p.machine)
	got, listed := p.save(p.parts)
	x, y := p.judged(p.machine), p.judged(p.parts)
	if x != y {
		p.Errorf("the state is to the machine %s, to parts %s", x, y)
	}
	joined, named := p.parts.(*Parts).Joined(nil)
	if named {
		p.named++
	} else {
		joined = got
	}
	if slices.Equal(joined, want) {
		if !slices.Equal(items, listed) {
			p.Errorf("items in the order %v, parts: %v", items, listed)
		}
	} else {
		p.sameOrder(want)
		p.scratch.Load(joined) // what two threads lead to has its place then
		if perm := p.scratch.Sort(true); !slices.IsSorted(perm) {
			p.reordered++
		}
		if joined = p.scratch.Append(nil); !slices.Equal(joined, want) {
			p.Fatalf("a state as parts:\n%x\nwant\n%x", joined, want)
		}
		joined, _ = p.parts.(*Parts).Joined(nil)
		if !named {
			joined = got
		}
	}
	p.machine.Load(joined)
	p.parts.Load(got)
}

// sameOrder compares the order of the threads in the state that parts have saved last with that in the machine's words.
func (p *pair) sameOrder(want []uint64) {
	p.scratch.Load(want)
	s := &p.parts.(*Parts).Saved
	for i := range s.N {
		if p.scratch.Tag(i) != s.Tags[i] || p.scratch.Idle(i) != p.parts.(*Parts).Thread(s.Threads[i]).Idle {
			p.Errorf("thread %d has tag %x, as a part %x", i, p.scratch.Tag(i), s.Tags[i])
		}
	}
}

// save saves a state, with its keys ranked, and lists its items.
func (p *pair) save(at Place) (words []uint64, items []uint8) {
	for whole := false; ; whole = true {
		at.Sort(whole)
		if p.opt.Items {
			items = slices.Clone(at.Items())
			p.items = len(items)
		}
		if !p.opt.Keys {
			break
		}
		present := at.Keys()
		p.keys = bits.OnesCount64(present)
		if at.Rank(present) {
			break
		}
	}
	return at.Append(nil), items
}

// judged is what is seen of a state as a whole.
func (p *pair) judged(at Place) string {
	_, races := at.Race()
	return fmt.Sprint(at.Ended(), races, Stuck(at), at.Deep(1), at.Deep(2), at.Deep(4))
}

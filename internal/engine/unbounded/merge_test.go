// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/fragment"
	"pangolin/internal/engine/unbounded/interference"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/engine/unbounded/transfer"
	"pangolin/internal/ir"
	"pangolin/internal/test/level"
	"pangolin/oracle"
)

// scene is a small memory without summaries that two threads know, one of whom writes.
type scene struct {
	heap  shape.Heap      // before the write; locks are free
	owner map[int]int     // of locks, by node: 0 the victim, 1 the writer, 2 somebody else
	named [2][]shape.Word // what registers refer to, of the victim and of the writer
	at    shape.Word
	value shape.Word
}

// stage makes scenes of one collection.
type stage struct {
	d          *shape.Domain
	collection *ir.Type
	cell       *ir.Type
	random     *rand.Rand
}

// newStage sets up scenes of a collection whose cells are of one type.
func newStage(t *testing.T, pkg, typ string, seed uint64) *stage {
	t.Helper()
	p, err := fragment.Of(load(t, pkg, typ))
	if err != nil {
		t.Fatal(err)
	}
	d := shape.NewDomain(p.Prog, p.Kind == oracle.Set)
	m := content.Candidates(d, p.Collection(), p.Kind)[0]
	if _, _, err := fixpoint.Compute(context.Background(), &fixpoint.Task{Program: p, Domain: d, Map: m}, fixpoint.Options{MaxViews: 500}); err != nil && !isLimit(err) {
		t.Fatal(err)
	}
	d.Forget() // what words are for is known now
	return &stage{d, p.Collection(), p.Collection().PointeeAt(m.Word), rand.New(rand.NewPCG(seed, 7))}
}

func isLimit(err error) bool { _, is := err.(*fixpoint.LimitError); return is }

// fill gives a cell random contents.
func (s *stage) fill(h *shape.Heap, n int) {
	link := s.d.Link(s.cell.ID)
	for off, kind := range s.cell.Layout() {
		leaf, _ := s.cell.LeafAt(off)
		switch {
		case off == link || kind != ir.Scalar || s.d.IsMutex(s.cell.ID, off):
		case s.d.HoldsData(s.cell.ID, off):
			c := shape.Above
			if s.random.IntN(4) == 0 {
				c = shape.Equal
			} else if s.d.Ordered && s.random.IntN(2) == 0 {
				c = shape.Below
			}
			h.Put(n, off, shape.Data(c))
		case leaf.Class == ir.Bool || leaf.Name == "atomic.Bool" || leaf.Name == "atomic.noCopy":
			h.Put(n, off, shape.Const(uint64(s.random.IntN(2))))
		}
	}
}

// some is a reference to one of the first n nodes behind the collection, or nil.
func (s *stage) some(n int) shape.Word {
	if k := s.random.IntN(n + 1); k > 0 {
		return shape.Ref(k, 0)
	}
	return shape.Nil
}

// scene makes a scene: a chain, cells that were removed from it, and a cell of the writer's own.
func (s *stage) scene() *scene {
	x := &scene{owner: map[int]int{}}
	h := &x.heap
	link := s.d.Link(s.cell.ID)
	h.New(s.collection.ID, s.collection.Size)
	held, removed := s.random.IntN(6), s.random.IntN(3)
	all := held + removed
	for n := 1; n <= all; n++ {
		h.New(s.cell.ID, s.cell.Size)
		s.fill(h, n)
		switch {
		case n < held:
			h.Put(n, link, shape.Ref(n+1, 0))
		case n > held:
			h.Put(n, link, s.some(n-1))
		}
	}
	first := true
	for off := range s.collection.Layout() {
		if to := s.collection.PointeeAt(off); to == s.cell && held > 0 {
			if first {
				h.Put(0, off, shape.Ref(1, 0))
			} else {
				h.Put(0, off, shape.Ref(1+s.random.IntN(held), 0))
			}
			first = false
		}
	}
	for i := range h.Nodes {
		h.Nodes[i].Shared = true
		if len(s.d.Mutexes(int(h.Nodes[i].Type))) > 0 && s.random.IntN(4) == 0 {
			x.owner[i] = s.random.IntN(3)
		}
	}
	for who := range x.named {
		for range s.random.IntN(3) {
			if w := s.some(all); w != shape.Nil {
				x.named[who] = append(x.named[who], w)
			}
		}
	}
	for n, owner := range x.owner { // a lock that a thread holds is one that it sees
		if owner < 2 && !sees(h, n, x.named[owner]) {
			x.owner[n] = 2
		}
	}
	s.write(x, all)
	return x
}

// sees says whether a node can be reached from the collection or from registers.
func sees(h *shape.Heap, n int, regs []shape.Word) bool {
	met := map[int]bool{0: true}
	work := []int{0}
	add := func(w shape.Word) {
		if w.IsRef() && !met[w.Node()] {
			met[w.Node()] = true
			work = append(work, w.Node())
		}
	}
	for _, w := range regs {
		add(w)
	}
	for ; len(work) > 0; work = work[1:] {
		for _, w := range h.Of(work[0]) {
			add(w)
		}
	}
	return met[n]
}

// write chooses what is written.
func (s *stage) write(x *scene, all int) {
	h := &x.heap
	link := s.d.Link(s.cell.ID)
	x.at = shape.Ref(0, s.pointers()[s.random.IntN(len(s.pointers()))])
	if all > 0 && s.random.IntN(3) > 0 {
		x.at = shape.Ref(1+s.random.IntN(all), link)
	}
	x.value = s.some(all)
	if s.random.IntN(2) == 0 {
		n := h.New(s.cell.ID, s.cell.Size)
		s.fill(h, n)
		h.Put(n, link, s.some(all))
		x.value = shape.Ref(n, 0)
	}
}

// pointers are the words of the collection that refer to cells.
func (s *stage) pointers() (list []int) {
	for off := range s.collection.Layout() {
		if s.collection.PointeeAt(off) == s.cell {
			list = append(list, off)
		}
	}
	return list
}

// seen is a heap with its locks as one of the two sees them.
func (s *stage) seen(x *scene, h *shape.Heap, who int) shape.Heap {
	c := h.Clone()
	for n, owner := range x.owner {
		off := s.d.Mutexes(int(c.Nodes[n].Type))[0]
		switch {
		case owner == who:
			c.Put(n, off, transfer.Mine)
		case n == 0:
			c.Put(n, off, transfer.Others)
		}
	}
	return c
}

// seenBy is what a thread knows, in canonical form.
type seenBy struct {
	heap  shape.Heap
	named []shape.Word
}

func (k *seenBy) key() string {
	key := k.heap.Key(nil)
	for _, w := range k.named {
		key = binary.LittleEndian.AppendUint32(key, uint32(w))
	}
	return string(key)
}

// knows is what the victim knows of a heap of a scene.
func (s *stage) knows(c *shape.Canonizer, x *scene, h *shape.Heap) *seenBy {
	seen := s.seen(x, h, 0)
	k := &seenBy{named: slices.Clone(x.named[0])}
	k.heap = c.Run(&seen, k.named, nil)
	return k
}

// mergeFault looks for a scene in which merging does not find what the victim knows after the
// write; "" if there is none. Views and effects with one key are joined before, as in the table.
func (s *stage) mergeFault(scenes int) string {
	canon := shape.NewCanonizer(s.d)
	victims, effects := map[string]*seenBy{}, map[string]*interference.Effect{}
	type pair struct {
		x      *scene
		victim *seenBy
		effect *interference.Effect
		want   *seenBy
	}
	var pairs []pair
	for range scenes {
		x := s.scene()
		before := s.knows(canon, x, &x.heap)
		hers := s.seen(x, &x.heap, 1)
		effect := interference.NewEffect(s.d, canon, &transfer.Write{Heap: hers, Target: x.at, Words: []shape.Word{x.value}})
		after := x.heap.Clone()
		after.Put(x.at.Node(), x.at.Off(), x.value)
		after.Publish(x.value)
		p := pair{x: x, want: s.knows(canon, x, &after)}
		if v := victims[before.key()]; v != nil {
			v.heap.Join(&before.heap)
			before = v
		}
		victims[before.key()] = before
		key := string(effect.Key(nil))
		if e := effects[key]; e != nil {
			e.Join(&effect.Heap)
			effect = e
		}
		effects[key] = effect
		p.victim, p.effect = before, effect
		pairs = append(pairs, p)
	}
	merger := interference.NewMerger(s.d)
	for i := range pairs {
		p := &pairs[i]
		want := p.want.key()
		found := want == p.victim.key() && p.victim.heap.Covers(&p.want.heap)
		err := merger.Merge(&p.victim.heap, p.effect, func(m *interference.Merged) {
			k := &seenBy{named: slices.Clone(p.victim.named)}
			k.heap = canon.Run(m.Heap, k.named, nil)
			found = found || k.key() == want && k.heap.Covers(&p.want.heap)
		})
		if err == nil && !found {
			return fmt.Sprintf("scene %d: %s = %s of %+v with %v; nobody finds %+v", i, p.x.at, p.x.value, p.x.heap, p.x.named, p.want.heap)
		}
	}
	return ""
}

// stages are the collections of which scenes are made.
var stages = [][2]string{{"queue", "LockFreeQueue"}, {"right", "CoarseStack"}, {"list", "FineList"}, {"right", "HindsightSet"}}

// TestMerge_FindsWhatHappens compares merging with what a write does to small memories.
func TestMerge_FindsWhatHappens(t *testing.T) {
	level.SkipShort(t, "walks")
	for i, c := range stages {
		t.Run(c[1], func(t *testing.T) {
			if level.Out(i, 2) {
				t.Skip("every second will do, the first in short; -level more tries all")
			}
			scenes := 3_000
			if level.All() {
				scenes *= 20
			}
			if text := newStage(t, c[0], c[1], 1).mergeFault(scenes); text != "" {
				t.Error(text)
			}
		})
	}
}

// TestAlignment_LeavesNothingOut lets every view of an invariant meet every effect, with the cases
// that the alignment leaves and with all, and compares what is found.
func TestAlignment_LeavesNothingOut(t *testing.T) {
	for i, c := range [][2]string{{"stack", "LockFreeStack"}, {"queue", "UnboundedQueue"}, {"list", "CoarseList"}, {"right", "HindsightSet"}} {
		t.Run(c[1], func(t *testing.T) {
			if level.Out(i, 2) {
				t.Skip("every second will do; -level more tries all")
			}
			p, err := fragment.Of(load(t, c[0], c[1]))
			if err != nil {
				t.Fatal(err)
			}
			found, err := Search(context.Background(), p, fixpoint.Options{})
			if err != nil || found.Invariant == nil {
				t.Fatal(err, found)
			}
			inv := found.Invariant
			some, all := interference.NewMerger(inv.Domain), interference.NewMerger(inv.Domain)
			all.Exhaustive = true
			canon := shape.NewCanonizer(inv.Domain)
			count := 0
			for _, e := range inv.Entries {
				for _, f := range inv.Effects {
					var texts [2][]string
					for i, g := range []*interference.Merger{some, all} {
						err := g.Merge(&e.View.Heap, &f.Effect, func(m *interference.Merged) {
							regs := slices.Clone(e.View.Regs)
							texts[i] = append(texts[i], string(canon.Form(m.Heap, regs, nil).Exact(nil))+fmt.Sprint(regs, m.Hit))
						})
						if err != nil {
							t.Fatal(err)
						}
						slices.Sort(texts[i])
					}
					if !slices.Equal(texts[0], texts[1]) {
						t.Fatalf("%d memories are found, and %d without the alignment", len(texts[0]), len(texts[1]))
					}
					count += len(texts[0])
				}
			}
			if count < 50 {
				t.Errorf("only %d memories are found", count)
			}
		})
	}
}

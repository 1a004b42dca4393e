// SPDX-License-Identifier: BSD-3-Clause

package interference

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/engine/unbounded/transfer"
	"pangolin/internal/test/assembler"
	"pangolin/oracle"
)

// What a write of one thread makes of another one's view, on all stacks of up to three cells: each is a memory that both know in part, and
// the write is made to the memory itself. Shared with the code under test are the canonical form and NewEffect.

var program = assembler.Parse(`
type cell { item int; next *cell }
type Stack { top *cell; mu sync.Mutex }
func New() *Stack
    s = new Stack
    return s
`)

var above, itemK = shape.Data(shape.Above), shape.Data(shape.Equal)

const link = 1 // the word of a cell that leads to the next one

func domain() *shape.Domain {
	d := shape.NewDomain(program.Program, false)
	d.SetData(program.Type("cell").ID, 0)
	return d
}

// memory is a stack with cells; tops and links are numbers of cells from 1 on, or 0.
func memory(items []shape.Word, top int, next []int) shape.Heap {
	h := shape.Heap{}
	h.New(program.Type("Stack").ID, 2)
	h.Put(0, 0, ref(top))
	for i, item := range items {
		n := h.New(program.Type("cell").ID, 2)
		h.Put(n, 0, item)
		h.Put(n, link, ref(next[i]))
	}
	for n := range h.Nodes {
		h.Nodes[n].Shared = true
	}
	return h
}

func ref(n int) shape.Word {
	if n == 0 {
		return shape.Nil
	}
	return shape.Ref(n, 0)
}

// seen is what a thread with registers sees, as a text that is the same for views that mean the same.
func seen(c *shape.Canonizer, h *shape.Heap, regs []shape.Word) (shape.Heap, []shape.Word, string) {
	regs = slices.Clone(regs)
	out := c.Run(h, regs, nil)
	return out, regs, key(&out, regs)
}

func key(h *shape.Heap, regs []shape.Word) string {
	b := h.Key(nil)
	for _, w := range regs {
		b = binary.LittleEndian.AppendUint32(b, uint32(w))
	}
	return string(b)
}

// scene is a memory with what two threads have in registers, and a write.
type scene struct {
	heap           shape.Heap
	victim, writer []shape.Word
	at, value      shape.Word
}

// scenes are all there are: of each the writer's new cell, if it writes one, is the last node.
func scenes(yield func(*scene)) {
	for n := range 4 {
		for bits := range 1 << n {
			items := make([]shape.Word, n)
			for i := range items {
				items[i] = []shape.Word{above, itemK}[bits>>i&1]
			}
			eachLinks(n, func(next []int) {
				for top := range n + 1 {
					for v := range n + 1 {
						for w := range n + 1 {
							eachWrite(memory(items, top, next), v, w, yield)
						}
					}
				}
			})
		}
	}
}

// eachLinks gives all ways to link n cells, each to a later one or none.
func eachLinks(n int, yield func(next []int)) {
	next := make([]int, n)
	var fill func(i int)
	fill = func(i int) {
		if i == n {
			yield(next)
			return
		}
		for to := i + 1; to <= n; to++ {
			next[i] = (to + 1) % (n + 1)
			if to == n {
				next[i] = 0
			}
			fill(i + 1)
		}
	}
	fill(0)
}

// eachWrite gives all writes to top, and to the links of the cell that the writer has in a register.
func eachWrite(h shape.Heap, v, w int, yield func(*scene)) {
	n := len(h.Nodes) - 1
	named := func(i int) []shape.Word {
		if i == 0 {
			return nil
		}
		return []shape.Word{ref(i)}
	}
	ats := []shape.Word{shape.Ref(0, 0)}
	if w > 0 {
		ats = append(ats, shape.Ref(w, link))
	}
	for _, at := range ats {
		for value := range n + 1 {
			if at.Node() == 0 || value == 0 || value > at.Node() {
				yield(&scene{h.Clone(), named(v), named(w), at, ref(value)})
			}
			x := &scene{h.Clone(), named(v), named(w), at, ref(n + 1)}
			x.heap.New(program.Type("cell").ID, 2)
			x.heap.Put(n+1, 0, itemK)
			if at.Node() == 0 || value == 0 || value > at.Node() {
				x.heap.Put(n+1, link, ref(value))
				yield(x)
			}
		}
	}
}

func (x *scene) String() string {
	return fmt.Sprintf("%v: %s = %s, the victim has %v", x.heap.Words, x.at, x.value, x.victim)
}

// Views that differ in their soft part are joined first, and so are effects, as they are in a table.
func TestMerge_FindsWhatHappensInEachSmallStack(t *testing.T) {
	d := domain()
	c, g := shape.NewCanonizer(d), NewMerger(d)
	memo := NewMemo(d, content.New(d, content.Map{}, oracle.Stack, nil))
	type known struct {
		heap shape.Heap
		regs []shape.Word
	}
	victims, effects, ids := map[string]*known{}, map[string]*Effect{}, map[*Effect]int{}
	var all []func()
	untold, alone := 0, 0
	scenes(func(x *scene) {
		heap, regs, before := seen(c, &x.heap, x.victim)
		victim := victims[before]
		if victim == nil {
			victim = &known{heap, regs}
			victims[before] = victim
		}
		victim.heap.Join(&heap)
		e := NewEffect(d, c, &transfer.Write{Heap: x.heap, Target: x.at, Words: []shape.Word{x.value}})
		text := string(e.Key(nil))
		if old := effects[text]; old != nil {
			old.Join(&e.Heap)
			e = old
		}
		effects[text] = e
		if _, ok := ids[e]; !ok {
			ids[e] = len(ids)
		}
		all = append(all, func() {
			after := x.heap.Clone()
			after.Put(x.at.Node(), x.at.Off(), x.value)
			after.Publish(x.value)
			want, _, wanted := seen(c, &after, x.victim)
			found, some := wanted == before && victim.heap.Covers(&want), 0
			err := g.Merge(&victim.heap, e, func(m *Merged) {
				some++
				h, _, k := seen(c, m.Heap, victim.regs)
				found = found || k == wanted && h.Covers(&want)
			})
			switch {
			case err != nil:
				untold++
				return
			case !found:
				t.Fatalf("%s: that is not found", x)
			case some == 1:
				alone++
			}
			v := &shape.View{Heap: victim.heap, Regs: victim.regs}
			shape := memo.Of(v)
			sp, _ := memo.Spread(shape, ids[e], 0, e)
			found = wanted == before && v.Heap.Covers(&want)
			for i := range sp.Outs {
				out := shape.View(v, &sp.Outs[i], 0, nil)
				found = found || key(&out.Heap, out.Regs) == wanted && out.Heap.Covers(&want)
			}
			if !found {
				t.Fatalf("%s: the memo does not have that", x)
			}
		})
	})
	for _, check := range all {
		check()
	}
	t.Logf("%d scenes, of %d nothing is told, in %d one view is left", len(all), untold, alone)
	if len(all) < 20_000 || untold > len(all)/2 || alone < len(all)/10 {
		t.Error("that compares little")
	}
}

// Where both threads know every cell the memory is certain, and so is what becomes of it.
func TestMerge_IsExactWhereNothingIsFolded(t *testing.T) {
	d := domain()
	c, g := shape.NewCanonizer(d), NewMerger(d)
	for n := range 3 {
		next := []int{2, 0}[2-n:] // 1 leads to 2, 2 to nothing
		h := memory([]shape.Word{above, itemK}[2-n:], min(n, 1), next)
		if n == 1 {
			h = memory([]shape.Word{above}, 1, []int{0})
		}
		var regs []shape.Word
		for i := range n {
			regs = append(regs, ref(i+1))
		}
		victim := h.Clone() // no summaries
		cell := h.New(program.Type("cell").ID, 2)
		h.Put(cell, 0, itemK)
		h.Put(cell, link, ref(min(n, 1)))
		e := &Effect{Heap: h, Regs: []shape.Word{shape.Ref(0, 0), ref(cell)}, Words: 1}
		var out []string
		if err := g.Merge(&victim, e, func(m *Merged) {
			_, _, k := seen(c, m.Heap, regs)
			out = append(out, k)
		}); err != nil {
			t.Fatal(err)
		}
		after := h.Clone()
		after.Put(0, 0, ref(cell))
		after.Publish(ref(cell))
		if _, _, want := seen(c, &after, regs); len(out) != 1 || out[0] != want {
			t.Errorf("%d cells: %d views, want one, as it is", n, len(out))
		}
	}
}

// merged is how many views come of an effect on a memory.
func merged(t *testing.T, v *shape.Heap, e *Effect) (out []shape.Heap) {
	t.Helper()
	if err := NewMerger(domain()).Merge(v, e, func(m *Merged) { out = append(out, m.Heap.Clone()) }); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestMerge_IsNothingWhereTheTwoContradictEachOther(t *testing.T) {
	clear := func(h shape.Heap) *Effect {
		return &Effect{Heap: h, Regs: []shape.Word{shape.Ref(0, 0), shape.Nil}, Words: 1}
	}
	one := func(item shape.Word) shape.Heap { return memory([]shape.Word{item}, 1, []int{0}) }
	for _, c := range []struct {
		name           string
		victim, writer shape.Heap
		want           int
	}{
		{"the same cell", one(above), one(above), 1},
		{"another item", one(above), one(itemK), 0},
		{"an item that nobody knows", one(shape.Top), one(itemK), 1},
		{"a constant, which may be k", one(shape.Const(3)), one(itemK), 1},
		{"no cell", memory(nil, 0, nil), one(itemK), 0},
		{"one more cell", memory([]shape.Word{above, above}, 1, []int{2, 0}), one(above), 0},
	} {
		if got := merged(t, &c.victim, clear(c.writer)); len(got) != c.want {
			t.Errorf("%s: %d views, want %d", c.name, len(got), c.want)
		}
	}
}

// A lock of the collection's is held by one thread, by the other, by a third or by nobody, and both know which.
func TestMerge_FollowsTheLock(t *testing.T) {
	free, mine, others := transfer.Free, transfer.Mine, transfer.Others
	for _, c := range []struct {
		lock           transfer.Locking
		victim, writer shape.Word // what they know before
		want           int
		after          shape.Word
	}{
		{transfer.Taking, free, free, 1, others},
		{transfer.Taking, mine, free, 0, 0},
		{transfer.Taking, others, free, 0, 0},
		{transfer.Giving, others, mine, 1, free},
		{transfer.Giving, free, mine, 0, 0},
		{transfer.Giving, mine, mine, 0, 0},
	} {
		v, w := memory(nil, 0, nil), memory(nil, 0, nil)
		v.Put(0, 1, c.victim)
		w.Put(0, 1, c.writer)
		got := merged(t, &v, &Effect{Heap: w, Regs: []shape.Word{shape.Ref(0, 1)}, Lock: c.lock})
		if len(got) != c.want || c.want == 1 && got[0].Get(0, 1) != c.after {
			t.Errorf("%+v: %d views", c, len(got))
		}
	}
}

// Of the lock of a cell each thread knows whether it holds it itself.
func TestLockable_LetsOneThreadHoldTheLockOfACell(t *testing.T) {
	if lockable(transfer.Mine, transfer.Mine, false) || !lockable(transfer.Mine, transfer.Free, false) || !lockable(transfer.Free, transfer.Free, false) {
		t.Error("two threads hold it, or none does")
	}
}

// An effect holds what the write depends on: the collection, the address, the values, and three cells behind what was there.
func TestNewEffect_HoldsWhatItDependsOn(t *testing.T) {
	d := domain()
	h := memory([]shape.Word{above, itemK, above, itemK, above}, 1, []int{2, 3, 4, 5, 0})
	e := NewEffect(d, shape.NewCanonizer(d), &transfer.Write{Heap: h, Target: shape.Ref(0, 0), Words: []shape.Word{shape.Nil}})
	cells, summaries := 0, 0
	for n := range e.Nodes[1:] {
		if e.Nodes[1+n].Summary {
			summaries++
		} else {
			cells++
		}
	}
	if cells != context || summaries != 1 {
		t.Errorf("%d cells, %d summaries: %v", cells, summaries, e.Nodes)
	}
}

func TestCompatible_IsAboutWhatBothMayBe(t *testing.T) {
	for _, c := range []struct {
		a, b shape.Word
		want bool
	}{
		{shape.Const(1), shape.Const(1), true},
		{shape.Const(1), shape.Const(2), false},
		{shape.Const(1), shape.Top, true},
		{above, itemK, false},
		{above, shape.Const(7), true},
		{shape.FuncValue(1), shape.FuncValue(2), false},
	} {
		if Compatible(c.a, c.b) != c.want || Compatible(c.b, c.a) != c.want {
			t.Errorf("%s and %s: want %t", c.a, c.b, c.want)
		}
	}
}

// The memo gives what merging gives, and merges once for each shape and version of an effect.
func TestMemo_MergesOnce(t *testing.T) {
	d := domain()
	m := NewMemo(d, content.New(d, content.Map{}, oracle.Stack, nil))
	c := shape.NewCanonizer(d)
	v := &shape.View{Regs: []shape.Word{ref(1)}}
	h := memory([]shape.Word{above, itemK}, 1, []int{2, 0})
	v.Heap = c.Run(&h, v.Regs, nil)
	h = memory([]shape.Word{above, itemK}, 1, []int{2, 0})
	e := NewEffect(d, c, &transfer.Write{Heap: h, Target: shape.Ref(0, 0), Words: []shape.Word{ref(2)}}) // takes the first
	for version := range 2 {
		for range 3 {
			sp, err := m.Spread(m.Of(v), 0, version, e)
			if err != nil || !sp.Applies || len(sp.Outs) != 1 {
				t.Fatalf("%+v, %v", sp, err)
			}
			if !slices.Equal(sp.Hits, []int(nil)) {
				t.Errorf("nobody writes to the cell in the register: %v", sp.Hits)
			}
			out := m.Of(v).View(v, &sp.Outs[0], 0, nil)
			behind := out.Get(out.Regs[0].Node(), link)
			for out.IsSummary(behind) && out.Nodes[behind.Node()].Empty() {
				behind = out.Nodes[behind.Node()].Next
			}
			if top := out.Get(0, 0); top == out.Regs[0] || behind != top {
				t.Errorf("the cell in the register does not lead to the new top: %v, %v", out.Words, out.Regs)
			}
		}
		if m.Merges != version+1 {
			t.Errorf("%d merges", m.Merges)
		}
	}
	empty := &shape.View{Heap: memory(nil, 0, nil)}
	if sp, err := m.Spread(m.Of(empty), 0, 0, e); err != nil || sp.Applies || len(sp.Outs) > 0 {
		t.Errorf("%+v, %v", sp, err)
	}
}

// A write to a cell that a register leads to is told, for it may race.
func TestMemo_TellsWhichRegistersAreHit(t *testing.T) {
	d := domain()
	m := NewMemo(d, content.New(d, content.Map{}, oracle.Stack, nil))
	c := shape.NewCanonizer(d)
	h := memory([]shape.Word{above}, 1, []int{0})
	v := &shape.View{Regs: []shape.Word{ref(1)}}
	v.Heap = c.Run(&h, v.Regs, nil)
	e := NewEffect(d, c, &transfer.Write{Heap: h, Target: shape.Ref(1, 0), Words: []shape.Word{itemK}, Plain: true})
	if sp, err := m.Spread(m.Of(v), 0, 0, e); err != nil || !slices.Equal(sp.Hits, []int{v.Regs[0].Node()}) {
		t.Errorf("%+v, %v", sp, err)
	}
}

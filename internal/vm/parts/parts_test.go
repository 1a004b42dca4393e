// SPDX-License-Identifier: BSD-3-Clause

package parts

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/test/assembler"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// Parts of states of a stack (Treiber 1986) with a few threads: put together they are the states, and what is remembered of steps is
// what the machine does when it executes them again.

// stack is a machine with a new stack and idle threads.
func stack(t *testing.T, threads int) (p *assembler.Program, img *vm.Image, m *vm.Machine) {
	t.Helper()
	p = assembler.Parse(assembler.Treiber)
	img, err := vm.NewImage(p.Program)
	if err != nil {
		t.Fatal(err)
	}
	m = img.NewMachine(vm.Options{NoSymmetry: true})
	m.Spawn()
	m.Call(0, p.Func("New"), nil)
	m.RunAlone(0, nil)
	m.SetRoots(m.Results(0)[0])
	for range threads - 1 {
		m.Spawn()
	}
	return p, img, m
}

// move lets a thread call Push or Pop if it is idle, and make a step otherwise.
func move(p *assembler.Program, m *vm.Machine, i int, r *rand.Rand) {
	switch root := m.Kept[0]; {
	case !m.Idle(i):
		m.Step(i, nil)
	case r.IntN(2) == 0:
		m.Call(i, p.Func("Push"), []uint64{root, uint64(r.IntN(2))})
	default:
		m.Call(i, p.Func("Pop"), []uint64{root})
	}
}

func TestJoin_PutsTheStateTogether(t *testing.T) {
	p, img, m := stack(t, 3)
	mem := NewMemory(New(&img.Ground, 1<<20), 1<<20)
	r := rand.New(rand.NewPCG(1, 1))
	apart := 0
	for range 2000 {
		move(p, m, r.IntN(3), r)
		want := m.Save(nil)
		var a After
		if how, numbered := mem.TakeApart(m, &a); how != Parted || !numbered {
			m.Load(want)
			continue
		}
		apart++
		// Objects that two threads reach and no root does have other numbers in parts than in the state, so the machine loads
		// what was put together, and saves it with its own.
		m.Load(mem.Join(nil, a.Heap, a.Threads[:a.N], a.Tags[:a.N]))
		if got := m.Save(nil); !slices.Equal(got, want) {
			t.Fatalf("%x\nis not\n%x", got, want)
		}
	}
	if apart < 1000 {
		t.Errorf("%d of 2000 states were taken apart", apart)
	}
}

// A step that has been remembered for a heap and a thread leads, wherever the two come again, to where the machine gets.
func TestRecall_GivesWhatTheMachineDoes(t *testing.T) {
	p, img, m := stack(t, 3)
	mem := NewMemory(New(&img.Ground, 8<<20), 8<<20)
	r := rand.New(rand.NewPCG(2, 2))
	recalled, refused := 0, 0
	for range 8000 {
		var before, after, told After
		i := r.IntN(3)
		words := m.Save(nil)
		how, numbered := mem.TakeApart(m, &before)
		m.Load(words)
		if m.Idle(i) || how != Parted || !numbered {
			move(p, m, i, r)
			continue
		}
		step := mem.Record(&before.Position, i).find(mem, &before.Position, i, 0)
		known := step != nil && step.known
		known = known && mem.Recall(step, &before.Position, i, &told)
		d := &Draft{From: &before.Position, Agent: i, Fresh: -1}
		m.Peered = false
		m.Step(i, nil)
		if m.Idle(i) {
			d.Returns, d.Results = true, slices.Clone(m.Results(i))
		}
		m.Save(nil)
		if how, numbered = mem.TakeApart(m, &after); how != Parted || !numbered {
			continue
		}
		if known {
			recalled++
			mem.Rename(&told, -1)
			after.Tags = told.Tags // which are the engine's
			if told.Position != after.Position || step.Returned != d.Returns || d.Returns && !slices.Equal(told.Results, d.Results) {
				t.Fatalf("recalled is %+v, returning %d: the machine gets to %+v, returning %d", told.Position, told.Results, after.Position, d.Results)
			}
		} else {
			refused++
		}
		mem.Learn(m, d, &after)
		m.Load(mem.Join(nil, after.Heap, after.Threads[:after.N], after.Tags[:after.N]))
	}
	t.Logf("%d steps were recalled, %d were not known", recalled, refused)
	if recalled < 500 {
		t.Errorf("%d steps were recalled, %d were not known", recalled, refused)
	}
}

// A part is numbered once, whatever its tag, which is its second word.
func TestAddThread_NumbersWhatIsEqualOnce(t *testing.T) {
	_, img, _ := stack(t, 1)
	s := New(&img.Ground, 1<<20)
	none := func() []state.Place { return nil }
	first, ok := s.AddThread([]uint64{1, 7, 3}, 3, Own{}, none)
	same, ok2 := s.AddThread([]uint64{1, 9, 3}, 3, Own{}, none)
	other, ok3 := s.AddThread([]uint64{1, 7, 4}, 3, Own{}, none)
	shorter, ok4 := s.AddThread([]uint64{1, 7, 3}, 2, Own{}, none)
	if !ok || !ok2 || !ok3 || !ok4 || first != same || first == other || first == shorter {
		t.Errorf("%d %d %d %d", first, same, other, shorter)
	}
	if words := s.Thread(first).Words(); !slices.Equal(words, []uint64{1, 0, 3}) {
		t.Errorf("%d", words)
	}
}

// A full store finds what it has, and adds nothing.
func TestStore_AddsNothingWhenItIsFull(t *testing.T) {
	_, img, _ := stack(t, 1)
	s := New(&img.Ground, 1)
	none := func() []state.Place { return nil }
	first, ok := s.AddThread([]uint64{1, 0, 3}, 3, Own{}, none)
	if again, found := s.AddThread([]uint64{1, 0, 3}, 3, Own{}, none); !ok || !found || again != first {
		t.Error("what is there is found")
	}
	if _, added := s.AddThread([]uint64{1, 0, 4}, 3, Own{}, none); added {
		t.Error("it is full")
	}
}

func TestTable_IsAMap(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var x table[int]
	x.clear()
	want := map[uint64]*int{}
	for n := range 20_000 {
		key := keyOf(uint32(r.IntN(200)), uint32(r.IntN(200)))
		if x.get(key) != want[key] {
			t.Fatalf("%x", key)
		}
		if r.IntN(2) == 0 {
			value := new(int)
			*value = n
			want[key] = value
			x.put(key, value)
		}
	}
	if x.used != len(want) {
		t.Errorf("%d keys, want %d", x.used, len(want))
	}
}

func TestPosition_IsReadAsItWasWritten(t *testing.T) {
	for n := 1; n <= Room; n++ {
		p := Position{Heap: 1<<32 - 1, N: n}
		for i := range n {
			p.Threads[i], p.Tags[i] = uint32(i)<<28|5, uint64(i)+1
		}
		words := append(p.Append(nil), p.Tags[:n]...)
		var q Position
		if q.read(words); q != p {
			t.Errorf("%+v, want %+v", q, p)
		}
		if len(words) != 1+(n+1)/2+n {
			t.Errorf("%d threads take %d words", n, len(words))
		}
	}
}

// Of an item that a part has now it is told what its name was: one of the heap's, one of the part's own, which come behind so many others, or
// that of a new one.
func TestSources_TellTheNamesOfBefore(t *testing.T) {
	got := Sources{2, fromOwn, fromOwn + 3, fromNew}.names(nil, 10, 77)
	if want := []uint8{2, 10, 13, 77}; !slices.Equal(got, want) {
		t.Errorf("%d, want %d", got, want)
	}
	words := Sources{fromNone, 1, fromNew}.put([]uint64{5, 6, 7}, 10, 3)
	if want := []uint64{5, vm.Item(1), vm.Item(3)}; !slices.Equal(words, want) {
		t.Errorf("%x, want %x", words, want)
	}
}

// Who leads to what does not depend on the order of the other threads.
func TestHolders_HaveNoOrder(t *testing.T) {
	_, img, _ := stack(t, 1)
	s := New(&img.Ground, 1<<20)
	var numbers [3]uint32
	for i, held := range []uint64{0b01, 0b10, 0b11} {
		numbers[i], _ = s.AddThread([]uint64{uint64(i), 0}, 2, Own{}, func() []state.Place { return nil })
		s.Thread(numbers[i]).Held = held
	}
	a := Position{N: 3, Threads: [Room]uint32{numbers[0], numbers[1], numbers[2]}}
	b := Position{N: 3, Threads: [Room]uint32{numbers[0], numbers[2], numbers[1]}}
	if s.holdersOf(&a, 0, 0b11) != s.holdersOf(&b, 0, 0b11) || s.holdersOf(&a, 0, 0b11) == s.holdersOf(&a, 1, 0b11) {
		t.Errorf("%v, %v, %v", s.holdersOf(&a, 0, 0b11), s.holdersOf(&b, 0, 0b11), s.holdersOf(&a, 1, 0b11))
	}
	if h := s.holdersOf(&a, 0, 0b01); h != (holders{0b01}) {
		t.Errorf("of one object: %v", h)
	}
}

func TestLimits_AreAnEighthOfTheSearch(t *testing.T) {
	if l := Usual.Within(0); l != Usual {
		t.Errorf("%+v", l)
	}
	if l := Usual.Within(80); l != (Limits{10, 10}) {
		t.Errorf("%+v", l)
	}
	if l := Usual.Within(1 << 40); l != Usual {
		t.Errorf("%+v", l)
	}
}

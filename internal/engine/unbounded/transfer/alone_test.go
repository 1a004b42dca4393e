// SPDX-License-Identifier: BSD-3-Clause

package transfer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/test/assembler"
	"pangolin/oracle"
)

// One operation of a collection with a lock, a number and a word that is never written, called when nobody else is there. The
// result of Op does not count, so tests see the alarms of instructions only.

const head = `
type cell { item int; next *cell }
type C { mu sync.Mutex; n int; u uint8; first *cell; row [3]int }

func (*sync.Mutex).Lock(m *sync.Mutex)
func (*sync.Mutex).Unlock(m *sync.Mutex)
func runtime.Gosched()
func os.Exit(n int)
func pangolin/mark.Choose(n int) int
`

// alone is a program with an operation Op, whose body is given, and an idle view in which all words of the collection are 0.
func alone(t *testing.T, more, body string) (*lab, *shape.View) {
	t.Helper()
	p := assembler.Parse(head + more + "\nfunc Op(c *C)\n" + body + "\n    return\n")
	d := shape.NewDomain(p.Program, false)
	l := &lab{p, d, content.New(d, content.Map{Word: p.Field("C", "first")}, oracle.Set, []content.Operation{{Name: "Op", Role: oracle.Contains, Item: -1, OK: -1}})}
	v := &shape.View{}
	v.New(p.Type("C").ID, p.Type("C").Size)
	v.Nodes[0].Shared = true
	return l, v
}

// run calls Op and executes its steps to the end, which must be one; the memory is that of the idle view then.
func run(t *testing.T, l *lab, v *shape.View) (*shape.View, *Alarm) {
	t.Helper()
	r := l.call(v, "Op", 0)
	for range 20 {
		switch {
		case r.Alarm != nil:
			return nil, r.Alarm
		case len(r.Views) != 1:
			t.Fatalf("%d views", len(r.Views))
		case r.Views[0].Idle():
			return r.Views[0], nil
		}
		r = l.step(r.Views[0])
	}
	t.Fatal("it does not end")
	return nil, nil
}

func TestInstruction_GivesWhatGoSays(t *testing.T) {
	for _, c := range []struct {
		name, more, body string
		want             uint64 // of n
	}{
		{"add returns the new value", "", "p = field c n\natomicstore p 5\nx = atomicadd p 3\ny = mul x 10\natomicstore p y", 80},
		{"swap returns the old value", "", "p = field c n\natomicstore p 5\nx = atomicswap p 3\natomicstore p x", 5},
		{"and returns the old value", "", "p = field c n\natomicstore p 6\nx = atomicand p 3\ny = load p\nz = mul x 10\nw = add z y\natomicstore p w", 62},
		{"or returns the old value", "", "p = field c n\natomicstore p 6\nx = atomicor p 1\ny = load p\nz = mul x 10\nw = add z y\natomicstore p w", 67},
		{"a swap that fails writes nothing", "", "p = field c n\natomicstore p 6\nx = atomiccas p 7 8\ny = atomicload p\natomicstore p y", 6},
		{"a swap that succeeds writes", "", "p = field c n\natomicstore p 6\nx = atomiccas p 6 8", 8},
		{"a byte wraps", "", "p = field c u\natomicstore p 255\nx = atomicadd p 2\ny = convert int x\nq = field c n\natomicstore q y", 1},
		{"a branch", "", "x = lt 1 2\nif x yes no\nyes:\np = field c n\natomicstore p 1\njump end\nno:\nq = field c n\natomicstore q 2\nend:", 1},
		{"an element of an array", "", "a = field c row\ne = arrayelem a 2\nstore e 9\nx = load e\nf = arrayelem a 1\ny = load f\nz = add x y\np = field c n\natomicstore p z", 9},
		{"values of several words", "type pair { a int; b int }\n", "p = new pair\na = field p a\nstore a 4\nb = field p b\nstore b 2\nx = load p\nq = new pair\nstore q x\nd = field q b\ny = load d\nz = field c n\natomicstore z y", 2},
		{"a call with a result", "func double(x int) int\n    y = add x x\n    return y\n", "x = call double 21\np = field c n\natomicstore p x", 42},
		{"deferred calls, the last first", "func digit(p *int, x int)\n    a = load p\n    b = mul a 10\n    d = add b x\n    store p d\n    return\n",
			"p = new int\ncall twice p\nx = load p\nq = field c n\natomicstore q x\nreturn\nend:", 21},
		{"a function with a free variable", "func set(x int, p *int)\n    store p x\n    return\n", "p = new int\nf = closure set p\ninvoke f 7\nx = load p\nq = field c n\natomicstore q x", 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Contains(c.body, "twice") {
				c.more += "func twice(p *int)\n    defer digit p 1\n    defer digit p 2\n    rundefers\n    return\n"
			}
			l, v := alone(t, c.more, c.body)
			end, alarm := run(t, l, v)
			if alarm != nil {
				t.Fatal(alarm.Message)
			}
			if got := end.Get(0, l.Field("C", "n")); got != shape.Const(c.want) {
				t.Errorf("n = %s, want %d", got, c.want)
			}
		})
	}
}

func TestInstruction_ReportsWhatMayGoWrong(t *testing.T) {
	for _, c := range []struct {
		name, more, body string
		outside          bool
		want             string
	}{
		{"nil", "", "p = field c first\nx = atomicload p\ny = field x item\nz = load y", false, "nil pointer"},
		{"an index", "", "a = field c row\ne = arrayelem a 3", true, "an element of an array that is not known"},
		{"a panic", "", "panic\nend:", false, "it may panic"},
		{"a nil function", "type holder { f func() }\n", "h = new holder\np = field h f\nf = load p\ninvoke f", false, "nil function"},
		{"a second lock", "", "m = field c mu\ncall (*sync.Mutex).Lock m\ncall (*sync.Mutex).Lock m", false, "a lock that it holds"},
		{"a lock that is free", "", "m = field c mu\ncall (*sync.Mutex).Unlock m", false, "unlock a lock that it does not hold"},
		{"a copy of a lock", "", "m = field c mu\nx = load m", true, "a lock is copied"},
		{"an unknown function", "", "call os.Exit 1", true, "a call of os.Exit"},
		{"a recursion", "func deep()\n    call deep\n    return\n", "call deep", true, "nested more than 40 deep"},
		{"a loop", "", "loop:\njump loop\nend:", true, "more than 10000 instructions"},
		{"cells without end", "", "loop:\nx = new cell\njump loop\nend:", true, "a step makes more than 96 cells"},
		{"a slice in an operation", "", "s = makeslice int 2 2", true, "a slice that is made by an operation"},
		{"a division", "", "x = div 6 3", true, "div of items or numbers in format i64"},
		{"an object without words", "type nothing { }\n", "x = new nothing", true, "a variable of no size"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, v := alone(t, c.more, c.body)
			_, alarm := run(t, l, v)
			if alarm == nil || alarm.Outside != c.outside || !strings.Contains(alarm.Message, c.want) {
				t.Errorf("%+v, want %q (outside the fragment: %t)", alarm, c.want, c.outside)
			}
		})
	}
}

func TestLock_WaitsForAnother(t *testing.T) {
	l, v := alone(t, "", "m = field c mu\ncall (*sync.Mutex).Lock m\ncall (*sync.Mutex).Unlock m")
	v.Put(0, 0, Others)
	r := l.call(v, "Op", 0)
	if len(r.Views) != 1 {
		t.Fatalf("it stands before the lock in %d views", len(r.Views))
	}
	if r := l.step(r.Views[0]); len(r.Views) > 0 || r.Alarm != nil {
		t.Errorf("it goes on: %v", r.Views)
	}
}

// Taking the lock goes with the access behind it, for it moves to the right of what others do (Lipton 1975): there is no view
// between the two. Giving it back is a step of its own.
func TestLock_GoesWithTheNextAtomicAccess(t *testing.T) {
	const body = "m = field c mu\ntake:\ncall (*sync.Mutex).Lock m\np = field c n\naccess:\natomicstore p 1\ngive:\ncall (*sync.Mutex).Unlock m"
	l, v := alone(t, "", body)
	if got, want := stops(t, l, v), []string{"take", "give"}; !slices.Equal(got, want) {
		t.Errorf("it stops at %v, want %v", got, want)
	}
	// A plain access may race, so the thread stops before it.
	l, v = alone(t, "", strings.Replace(body, "atomicstore", "store", 1))
	if got, want := stops(t, l, v), []string{"take", "access", "give"}; !slices.Equal(got, want) {
		t.Errorf("it stops at %v, want %v", got, want)
	}
}

// stops are the labels at which Op stops.
func stops(t *testing.T, l *lab, v *shape.View) (out []string) {
	t.Helper()
	for r := l.call(v, "Op", 0); ; r = l.step(r.Views[0]) {
		switch {
		case r.Alarm != nil || len(r.Views) != 1:
			t.Fatal(r.Alarm, r.Views)
		case r.Views[0].Idle():
			return out
		}
		pc := int(r.Views[0].Frames[0].PC)
		for _, label := range []string{"take", "access", "give"} {
			if l.Label("Op", label) == pc {
				out = append(out, label)
			}
		}
	}
}

// Only the collection's own lock is known to be held by others, so only its changes are told them.
func TestLock_IsToldOthers(t *testing.T) {
	l, v := alone(t, "", "m = field c mu\ntake:\ncall (*sync.Mutex).Lock m\naccess:\ngive:\ncall (*sync.Mutex).Unlock m")
	r := l.step(l.call(v, "Op", 0).Views[0])
	if len(r.Writes) != 1 || r.Writes[0].Lock != Taking || r.Views[0].Get(0, 0) != Mine {
		t.Fatalf("taking: %+v", r)
	}
	if r = l.step(r.Views[0]); len(r.Writes) != 1 || r.Writes[0].Lock != Giving || r.Views[0].Get(0, 0) != Free {
		t.Errorf("giving back: %+v", r)
	}
}

// A comparison of which nothing is known goes both ways, and in each its result is known.
func TestInstruction_SplitsWhereAComparisonIsOpen(t *testing.T) {
	l, v := alone(t, "", "p = field c n\nx = load p\ny = eq x 7\nz = convert int y\nq = field c u\nw = convert uint8 z\natomicstore q w")
	l.d.SetMutable(l.Type("C").ID, l.Field("C", "u"))
	v.Put(0, l.Field("C", "n"), shape.Top)
	got := map[shape.Word]bool{}
	for _, v := range l.call(v, "Op", 0).Views {
		for _, v := range l.step(v).Views {
			got[v.Get(0, l.Field("C", "u"))] = true
		}
	}
	if len(got) != 2 || !got[shape.Nil] || !got[shape.Const(1)] {
		t.Errorf("u is one of %v, want 0 and 1", got)
	}
}

func TestChoose_GoesOnWithEachNumber(t *testing.T) {
	l, v := alone(t, "", "x = call pangolin/mark.Choose 3\np = field c n\natomicstore p x")
	l.d.SetMutable(l.Type("C").ID, l.Field("C", "n"))
	got := map[shape.Word]bool{}
	for _, v := range l.call(v, "Op", 0).Views {
		for _, v := range l.step(v).Views {
			got[v.Get(0, l.Field("C", "n"))] = true
		}
	}
	if len(got) != 3 || !got[shape.Nil] || !got[shape.Const(1)] || !got[shape.Const(2)] {
		t.Errorf("%v", got)
	}
}

// A word that nobody writes while it is shared is read on the way: it is no place to stop.
func TestStep_PassesWhatIsNeverWritten(t *testing.T) {
	l, v := alone(t, "", "take:\np = field c n\nx = load p\naccess:\nq = field c u\natomicstore q 1\ngive:\nr = load p")
	l.d.SetMutable(l.Type("C").ID, l.Field("C", "u"))
	r := l.call(v, "Op", 0)
	if len(r.Views) != 1 || int(r.Views[0].Frames[0].PC) != l.Label("Op", "access")+1 {
		t.Fatalf("%+v", r.Views)
	}
	if r = l.step(r.Views[0]); len(r.Views) != 1 || !r.Views[0].Idle() {
		t.Errorf("%+v", r.Views)
	}
}

// An access that gives the same whenever it is made is no place to stop either; but who waits for a value in a loop would never
// stop, so the step ends there if it comes back.
func TestStep_EndsWhereItComesBack(t *testing.T) {
	l, v := alone(t, "", "p = field c n\ntake:\nx = atomicload p\naccess:\ny = eq x 1\nif y end take\ngive:\nend:")
	l.d.SetMutable(l.Type("C").ID, l.Field("C", "n"))
	for range 3 {
		r := l.call(v, "Op", 0)
		if r.Alarm != nil || len(r.Views) != 1 || int(r.Views[0].Frames[0].PC) != l.Label("Op", "take") {
			t.Fatalf("%+v", r)
		}
	}
}

// What has turned out wrong of the words makes the machine give up, and the domain knows it then.
func TestWrite_TellsWhatWasNotKnown(t *testing.T) {
	l, v := alone(t, "", "p = field c n\natomicstore p 1")
	m := New(l.d, l.p, Coverage{})
	if m.Call(v, 0, l.Func("Op"), 0); !m.Grew || !l.d.Mutable(l.Type("C").ID, l.Field("C", "n")) {
		t.Error("n is written while others see it")
	}
}

func TestMake_GivesTheNewCollection(t *testing.T) {
	p := assembler.Parse(assembler.Treiber)
	r := New(shape.NewDomain(p.Program, false), nil, Coverage{}).Make(p.Func("New"))
	expect(t, p, r, "idle: 0[0]")
}

func TestMake_RefusesWhatIsNoNewObject(t *testing.T) {
	for body, want := range map[string]string{
		"return nil": "does not return a new object",
		"c = new C\nm = field c mu\ncall (*sync.Mutex).Lock m\nreturn c": "holds a lock when it returns",
	} {
		p := assembler.Parse(head + "\nfunc New() *C\n" + body + "\n")
		r := New(shape.NewDomain(p.Program, false), nil, Coverage{}).Make(p.Func("New"))
		if r.Alarm == nil || !strings.Contains(r.Alarm.Message, want) {
			t.Errorf("%s: %+v, want %q", body, r.Alarm, want)
		}
	}
}

// Random straight code over the registers a to d and the private word p, executed here with Go's own numbers and there, from
// numbers that are known: what is known at the end is right.
func TestInstruction_AgreesWithGoOnRandomCode(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	names := []string{"a", "b", "d", "e"}
	for range 300 {
		body := "p = new int\n"
		x := make([]int64, len(names))
		var word int64
		for i, n := range names {
			x[i] = int64(r.IntN(9) - 4)
			body += fmt.Sprintf("%s = move %d\n", n, x[i])
		}
		for range 12 {
			i, j, k := r.IntN(4), r.IntN(4), r.IntN(4)
			switch r.IntN(7) {
			case 0:
				body += fmt.Sprintf("%s = add %s %s\n", names[i], names[j], names[k])
				x[i] = x[j] + x[k]
			case 1:
				body += fmt.Sprintf("%s = sub %s %s\n", names[i], names[j], names[k])
				x[i] = x[j] - x[k]
			case 2:
				body += fmt.Sprintf("%s = mul %s %s\n", names[i], names[j], names[k])
				x[i] = x[j] * x[k]
			case 3:
				body += fmt.Sprintf("store p %s\n", names[i])
				word = x[i]
			case 4:
				body += fmt.Sprintf("%s = load p\n", names[i])
				x[i] = word
			case 5:
				body += fmt.Sprintf("%s = atomicadd p %s\n", names[i], names[j])
				word += x[j]
				x[i] = word
			case 6:
				body += fmt.Sprintf("%s = xor %s %s\n", names[i], names[j], names[k])
				x[i] = x[j] ^ x[k]
			}
		}
		l, v := alone(t, "", body+"q = field c n\natomicstore q a")
		end, alarm := run(t, l, v)
		if alarm != nil {
			t.Fatal(alarm.Message)
		}
		if got := end.Get(0, l.Field("C", "n")); !got.IsTop() && got != shape.Const(uint64(x[0])) {
			t.Fatalf("%s, want %d, after\n%s", got, x[0], body)
		}
	}
}

package refine_test

import (
	"fmt"
	"testing"

	"pangolin"
	"pangolin/internal/engine/refine"
	"pangolin/internal/sparing"
	"pangolin/verdict"
)

const withoutSteps = "fusing,frozen,guarded"

// counted is what refine says of a request, with its states and transitions.
func counted(t *testing.T, req pangolin.Request) string {
	t.Helper()
	req.Engine = "refine"
	list, err := pangolin.Verify(modules.Context, req)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, v := range list {
		text += fmt.Sprintln(v.Collection, v.Status, v.States, v.Transitions, v.Reason)
		if v.Status == verdict.Violated {
			text += fmt.Sprintln(v.Violation.Execution.Steps)
		}
	}
	return text
}

// What a remembered step gives is what the machine gives that executes it, and the parts of a state, put
// together, are the words that the machine saves.
func TestParts_AreTheStatesOfTheMachine(t *testing.T) {
	for i, c := range []struct {
		pkg, typ string
		calls    int
	}{
		{"list", "LockFreeList", 1}, {"list", "FineList", 1}, {"queue", "LockFreeQueue", 2}, {"queue", "SynchronousDualQueue", 1},
		{"queue", "ArrayQueue", 1}, {"stack", "EliminationBackoffStack", 1}, {"deque", "BoundedDEQueue", 2},
	} {
		t.Run(c.typ, func(t *testing.T) {
			if sparing.Out(i, 1, *refine.More) {
				t.Skip("the first will do in short")
			}
			req := pangolin.Request{Packages: []string{"pangolin/collections/" + c.pkg}, Type: c.typ,
				Scope: pangolin.Scope{Threads: "2..2", PerThread: c.calls, Values: 2, PreAdds: "0..0"}}
			req.Search.Reduce = withoutSteps
			want := counted(t, req)
			req.Search.Reduce = ""
			recalls, states := refine.Doubt(t)
			if got := counted(t, req); got != want {
				t.Errorf("%s\nwithout remembered steps:\n%s", got, want)
			}
			if recalls.Load() == 0 || recalls.Load() > states.Load() {
				t.Errorf("%d steps were recalled on the way to %d states", recalls.Load(), states.Load())
			}
			for _, room := range [][2]int64{{0, 1 << 20}, {5000, 1 << 20}, {1 << 20, 0}, {20000, 5000}} {
				refine.Cramp(t, room[0], room[1])
				if got := counted(t, req); got != want {
					t.Errorf("room %v: %s\nwithout remembered steps:\n%s", room, got, want)
				}
			}
		})
	}
}

// What a step may depend on beside the heap and its own thread, and what it may change beside them.
func TestParts_KnowWhatAStepDependsOn(t *testing.T) {
	sparing.InShort(t, "executes every step twice")
	for _, c := range []struct{ name, code string }{
		{"another thread that waits at a channel", `
type Box struct{ c chan int; n atomic.Int64 }
func New() *Box { b := &Box{c: make(chan int)}; go func() { for range b.c { b.n.Add(1) } }(); return b }
func (b *Box) Give() { b.c <- 1 }
func (b *Box) Look() int { return int(b.n.Load()) }`},
		{"a decision", `
type Box struct{ n atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Draw() { b.n.Store(int64(rand.Intn(2))); b.n.Load() }
func (b *Box) Add() int { return int(b.n.Add(1)) }`},
		{"goroutines that begin and end", `
type Box struct{ n atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Start() { go b.n.Add(1); b.n.Load() }
func (b *Box) Look() int { b.n.Load(); return int(b.n.Load()) }`},
		{"how many goroutines there are", `
type Box struct{ n atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Start() { go b.n.Load() }
func (b *Box) Count() { b.n.Load(); b.n.Store(int64(runtime.NumGoroutine())) }`},
		{"a lock that another thread holds", `
type Box struct{ mu sync.Mutex; n int }
func New() *Box { return &Box{} }
func (b *Box) Keep() { b.mu.TryLock(); b.n++ }
func (b *Box) Drop() { b.mu.TryLock(); b.mu.Unlock() }`},
		{"what an object holds that leaves the heap", `
type node struct{ by int }
type Box struct { mu sync.Mutex; at *node; seen int }
func New() *Box { return &Box{at: &node{}} }
func (b *Box) A() { b.mu.Lock(); b.at.by = 1; b.at = &node{}; b.mu.Unlock() }
func (b *Box) B() { b.mu.Lock(); b.at.by = 2; b.at = &node{}; b.mu.Unlock() }
func (b *Box) Look() int { b.mu.Lock(); n := b.at; b.mu.Unlock(); b.mu.Lock(); defer b.mu.Unlock(); b.seen = n.by; return b.seen }`},
		{"an operation that panics", `
type Box struct{ n atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Add() int { return int(b.n.Add(1)) }
func (b *Box) Burst() { if b.n.Add(1) > 1 { panic("full") } }`},
		{"a program that ends", `
type Box struct{ n atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Add() { b.n.Add(1) }
func (b *Box) Spawn() { if b.n.Add(1) > 1 { go panic("over") }; b.n.Load() }`},
	} {
		t.Run(c.name, func(t *testing.T) {
			refine.Doubt(t)
			source := "package example\n\nimport (\n\t\"math/rand\"\n\t\"runtime\"\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\n" +
				"var (\n\t_ sync.Mutex\n\t_ atomic.Int64\n\t_ = runtime.NumCPU\n\t_ = rand.Intn\n)\n" + c.code
			req := pangolin.Request{Dir: modules.Dir(t, source), Expect: "violated", Type: "Box", New: "New()", Oracle: "self",
				Scope: pangolin.Scope{Threads: "3..3", Steps: "3..3", PreAdds: "0..0"}}
			with := counted(t, req)
			req.Search.Reduce = withoutSteps
			if without := counted(t, req); with != without {
				t.Errorf("%s\nwithout remembered steps:\n%s", with, without)
			}
			t.Log(with)
		})
	}
}

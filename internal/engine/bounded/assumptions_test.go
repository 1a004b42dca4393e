package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/sparing"
	"pangolin/verdict"
)

// What varies in Go and does not here is an assumption of the verdict.
func TestAssumptions_NameWhatStandsStill(t *testing.T) {
	sparing.InShort(t, "verifies several types")
	for _, c := range []struct{ name, imports, body, want string }{
		{"nothing", "", "return 0", ""},
		{"the clock", `import "time"`, "return int(time.Now().Unix())", "the clock goes on once at most"},
		{"the clock, by the time since", `import "time"`, "return int(time.Since(time.Time{}))", "the clock goes on once at most"},
		{"processors", `import "runtime"`, "return runtime.NumCPU()", "there are 2 processors"},
		{"a lock that is tried", `import "sync"`, "var mu sync.RWMutex; mu.TryLock(); return 0", "RWMutex.TryLock is one step"},
		{"an exchange that compares", `import "sync/atomic"`, "var v atomic.Value; v.Store(0); v.CompareAndSwap(0, 1); return 0", "atomic.Value.CompareAndSwap compares values"},
		{"a lock that is not tried", `import "sync"`, "var mu sync.RWMutex; mu.Lock(); mu.TryRLock(); return 0", ""},
		{"random numbers of the runtime", "import (\n\t\"sync/atomic\"\n\t_ \"unsafe\"\n)\n\nvar _ atomic.Int64\n\n//go:linkname cheaprand runtime.cheaprand\nfunc cheaprand() uint32\n", "return int(cheaprand())", "random numbers that the code takes from the runtime"},
	} {
		source := "package example\n\n" + c.imports + "\n\ntype Box struct{ c chan int }\n\nfunc (b *Box) Get() int { " + c.body + " }\n"
		v := verifySource(t, source, pangolin.Request{Type: "Box", Kind: "object", Scope: pangolin.Scope{Threads: "1", Steps: "1"}})
		text := strings.Join(v.Assumptions, "\n")
		if v.Status != verdict.Verified || c.want != "" && !strings.Contains(text, c.want) {
			t.Errorf("%s: %s: %s; want %q", c.name, v.Status, text, c.want)
		}
		if c.want == "" && (strings.Contains(text, "the clock") || strings.Contains(text, "processors") || strings.Contains(text, "random") || strings.Contains(text, "TryLock")) {
			t.Errorf("%s: %s", c.name, text)
		}
	}
}

// The moment at which the clock stands still is not the zero time, which code takes for
// "not yet".
func TestAssumptions_TheClockIsNotZero(t *testing.T) {
	const source = `package example

import (
	"sync"
	"time"
)

type Once struct {
	mu   sync.Mutex
	done time.Time
}

func (o *Once) Do() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.done.IsZero() {
		return false
	}
	o.done = time.Now()
	return true
}

// oracle does once what Once does.
type oracle struct{ done bool }

func (o *oracle) Do() bool {
	before := o.done
	o.done = true
	return !before
}
`
	v := verifySource(t, source, pangolin.Request{Type: "Once", Kind: "object", Oracle: "oracle"})
	if v.Status != verdict.Verified {
		t.Errorf("%s: %s", v.Status, v.Reason)
	}
}

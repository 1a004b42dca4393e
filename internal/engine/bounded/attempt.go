// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"sync"
	"sync/atomic"

	"pangolin/internal/explore"
	"pangolin/internal/store"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
)

// attempt is one search of a verification with what it has found out. If the search refutes an assumption on which it
// rests, the verification drops the attempt and begins another one.
type attempt struct {
	mu    sync.Mutex     // guards found, looked, early and tried, which the workers of the search share
	found *found         // the first violation; nil: none yet
	tried map[string]int // by function: how many of its calls were in progress when a thread last ran alone, see infinite.go

	// Two ways to refute that items, keys and numbers of threads may be renamed.
	looked vm.Looked // the code does with renamed words what tells them apart
	early  bool      // a pre-add needs a name while the collection is still being made, see makeAlone

	grows   string        // what in the states grows without end where calls have any number; "": nothing was seen to
	ended   bool          // the search was ended because of that, or because there are too many items
	cut     explore.Limit // the limit that ended the search of a component, or LimitWork
	closed  *system       // the system in which components are searched; nil: there was no component yet
	settled *store.Set    // the states of closed from which every cycle has been judged
	inside  float64       // how many pairs of states the searches of components are expected to have confused

	seen    *seen       // the results that operations returned
	telling atomic.Bool // set by a machine that executes an operation which tells without ordering, see hunt.go
	survey  *vm.Survey  // the memory that can be part of a race, found by the first search of a hunt
}

func newAttempt(opt *Options) *attempt {
	opt.Sample.begin()
	return &attempt{tried: map[string]int{}, settled: store.New(store.Config{Kind: opt.Store}), seen: newSeen(len(opt.Subject.Operations))}
}

// report makes a violation the attempt's, unless another one was reported before.
func (a *attempt) report(f *found) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.found == nil {
		a.found = f
	}
}

// misled reports whether renaming was wrong, so that nothing the search has found counts.
func (a *attempt) misled() bool { return a.early || a.looked != (vm.Looked{}) }

// misleads reports whether the state of a cursor shows that renaming is wrong, and records it.
func (a *attempt) misleads(c *cursor) bool {
	looked := c.looks()
	if !c.early && looked == (vm.Looked{}) {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.early = a.early || c.early
	if looked != (vm.Looked{}) {
		a.looked = looked
	}
	return true
}

// looks reports what the code does with items, keys or thread numbers that it must not do if they are renamed. Words that are not renamed
// do not count: fmt looks at everything that it is given.
func (c *cursor) looks() vm.Looked {
	l := c.m.Looked()
	if c.inquirer != nil {
		l = l.With(c.inquirer.m.Looked())
	}
	l = c.sys.opt.Looked(l)
	l.Asked = l.Asked && c.sys.opt.untold
	return l
}

func (c *cursor) looked() bool { return c.looks() != vm.Looked{} }

// useless reports whether the machine has a fault, or an assumption of the search is wrong.
func (c *cursor) useless() bool {
	return c.m.Fault() != nil || c.m.Breached() >= 0 || c.inquirer.useless() || c.looked() || c.early
}

// tired reports whether the search has passed its limit on work, and records it.
func (v *verification) tired() bool {
	if v.opt.Meter == nil || !v.opt.Meter.Over() {
		return false
	}
	v.cut = explore.LimitWork
	return true
}

// metered lets the meter of the options, if there is one, count the work of the oracle self until what it returns is called.
func metered(opt *Options) (end func()) {
	if opt.Meter == nil {
		return func() {}
	}
	spec := opt.Subject.Spec
	subject.Meter(spec, opt.Meter)
	return func() { subject.Meter(spec, nil) }
}

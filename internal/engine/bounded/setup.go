// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"fmt"
	"slices"
	"sync"

	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/play"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Before the threads start, thread 0 calls the constructor and then the pre-adds, one after the other. If no goroutine runs beside it, the
// result is the initial state of the search. As soon as the constructor or a pre-add has started a goroutine, construction is part of the
// search: the goroutines move like any others, and may race with the constructor.
//
// In states of this part the maker is the only client thread that is not idle. The monitor has seen nothing yet; in its place a state
// contains the oracle's state after the pre-adds that have returned, and in place of the plan's count the number of the initial state that
// is being made.

// phaseShift is the position of the phase in a state's first word: 0 when the collection is made, 1 while the constructor runs, 2+i during
// pre-add i.
const phaseShift = 56

// setUp is the progress of construction.
type setUp struct {
	phase   int
	variant int          // index of the plan's initial state
	maker   int          // the thread that constructs
	born    int          // number of threads that existed before
	start   oracle.State // of the oracle, behind the pre-adds that have returned
}

// starts numbers the oracle's states, so that they fit into a word.
type starts struct {
	mu     sync.Mutex
	states []oracle.State
}

func (s *starts) number(state oracle.State) uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.states, state)
	if i < 0 {
		i = len(s.states)
		s.states = append(s.states, state)
	}
	return uint32(i)
}

func (s *starts) state(number uint32) oracle.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.states[number]
}

// begin makes thread 0 call the constructor.
func (c *cursor) begin(variant int) {
	c.place.Reset()
	c.found, c.last, c.switches, c.early = nil, -1, 0, false
	c.names.Load(0)
	for range c.sys.threads {
		c.m.Spawn()
	}
	_, _, own := c.sys.plan.Start(variant)
	copy(c.own, own)
	c.setUp = setUp{phase: 1, variant: variant, born: c.m.Created(), start: c.sys.subject.Spec.Initial()}
	c.all, c.id = 0, c.sys.monitor.InitialAt(c.start)
	c.m.Call(0, c.sys.subject.New, nil)
}

// makes reports whether the collection is still being constructed.
func (c *cursor) makes() bool { return c.phase > 0 }

// accompanied reports whether there are goroutines beside the clients' threads.
func (c *cursor) accompanied() bool { return c.m.Threads() > c.sys.threads }

// mostSteps is the number of steps after which a maker that runs alone is taken to run for ever.
const mostSteps = 1 << 20

// mostOpen is that number where each step may end in several ways, and the states are compared.
const mostOpen = 1 << 12

// makeAlone executes construction until it is done or other goroutines exist.
func (c *cursor) makeAlone(ch *explore.Choices) {
	c.m.Settle(c.maker, ch)
	c.proceed(ch)
	seen := map[string]bool{}
	for steps := 0; c.makes() && c.found == nil && c.m.Fault() == nil && !c.accompanied(); steps++ {
		if !c.m.Enabled(c.maker) {
			c.found = &finding{class: unmade, message: c.making() + " does not return: it waits at " + c.m.At(c.maker)}
			return
		}
		if c.m.Undecided && comesBack(c.m, seen) { // other decisions are executed as well
			c.found = &finding{class: unmade, message: c.making() + " does not return: it can go on for ever at " + c.m.At(c.maker)}
			return
		}
		if steps == mostSteps || len(seen) > mostOpen {
			c.found = &finding{class: unmade, message: fmt.Sprintf("%s has not returned after %d steps: it goes on at %s", c.making(), steps, c.m.At(c.maker))}
			return
		}
		c.m.Step(c.maker, ch)
		c.proceed(ch)
	}
	// Items and keys are renamed from state to state, and the names in pre-adds that are
	// still to come cannot be followed.
	pre, _, _ := c.sys.plan.Start(c.variant)
	c.early = c.makes() && len(pre) > 0 && (c.sys.opt.Items || c.sys.opt.Keys)
}

// comesBack reports whether a machine is in a state in which it was before.
func comesBack(m *vm.Machine, seen map[string]bool) bool {
	key := interleave.StateKey(m.Save(nil))
	again := seen[key]
	seen[key] = true
	return again
}

// making describes what the maker executes: "the constructor", "the pre-add Add(0)".
func (c *cursor) making() string {
	if c.phase <= 1 {
		return "the constructor"
	}
	pre, _, _ := c.sys.plan.Start(c.variant)
	s := pre[c.phase-2]
	return "the pre-add " + c.sys.subject.Operations[s.Op].Client.Call(s.Args)
}

// proceed begins the next call if the maker's last one has returned. With choices it also executes what comes before its first visible
// access.
func (c *cursor) proceed(ch *explore.Choices) {
	for c.makes() && c.found == nil && c.m.Fault() == nil {
		if c.m.Ended().Kind != vm.Running {
			c.endsEarly()
			return
		}
		if !c.m.Idle(c.maker) || !c.made() {
			return
		}
		pre, all, _ := c.sys.plan.Start(c.variant)
		c.phase++
		if c.phase-2 == len(pre) {
			c.phase, c.all, c.id = 0, all, c.sys.monitor.InitialAt(c.start)
			for i := range c.sys.threads {
				if i != c.maker {
					c.m.Inherit(i, c.maker) // the threads know everything that the maker has done
				}
			}
			return
		}
		c.call(c.maker, pre[c.phase-2])
		if ch != nil {
			c.m.Settle(c.maker, ch)
		}
	}
}

// endsEarly: the program ended during construction.
func (c *cursor) endsEarly() {
	text := c.m.Text(c.m.Ended().Text)
	c.found = &finding{class: unmade, message: c.making() + " ends the program: " + text}
	if c.m.Created() > c.born { // whoever it was, operations that are called now crash with it
		c.found = &finding{class: Panic, message: text}
	}
}

// made takes the result of the constructor or of a pre-add.
func (c *cursor) made() bool {
	if text := c.m.Panicked(c.maker); text != "" {
		c.found = &finding{class: unmade, message: subject.Unmade(c.making(), text)}
		return false
	}
	if c.phase == 1 {
		c.m.SetRoots(c.m.Results(c.maker)[0])
		return true
	}
	pre, _, _ := c.sys.plan.Start(c.variant)
	s := pre[c.phase-2]
	op := &c.sys.subject.Operations[s.Op]
	step := oracle.Step{Call: oracle.Call{Op: s.Op, Args: s.Args}, Result: c.names.Result(op, c.m.Results(c.maker))}
	start, ok, _, err := oracle.Advance(oracle.StartingAt(c.sys.subject.Spec, c.start), []oracle.Step{step})
	switch {
	case err != nil:
		c.found = &finding{class: unmade, message: err.Error()}
	case !ok:
		c.found = &finding{class: History, message: "pre-add " + op.Client.Call(s.Args) + " returned " +
			op.Client.Notation.Results(step.Result) + ", which the oracle does not allow"}
	default:
		c.start = start
	}
	return c.found == nil
}

// examineMaking looks for a fault in a state of construction. If the oracle lets a pre-add wait, such clients do not exist.
func (c *cursor) examineMaking() *finding {
	if !play.Stuck(c.place) || c.m.Idle(c.maker) {
		return nil
	}
	if c.phase == 1 {
		return &finding{class: unmade, message: "the constructor does not return: it waits at " + c.m.At(c.maker)}
	}
	pre, _, _ := c.sys.plan.Start(c.variant)
	s := pre[c.phase-2]
	switch waits, err := oracle.MayBlockAlone(c.sys.subject.Spec, c.start, oracle.Call{Op: s.Op, Args: s.Args}); {
	case err != nil:
		return &finding{class: unmade, message: err.Error()}
	case waits:
		return nil
	}
	return &finding{class: Deadlock, thread: c.maker, message: c.making() + " waits for ever at " + c.m.At(c.maker)}
}

// saveMaking puts the progress of construction into the first words of a saved state.
func (c *cursor) saveMaking(words []uint64) {
	words[0] = uint64(c.sys.starts.number(c.start)) | uint64(c.phase)<<phaseShift
	words[1] = uint64(c.variant)
	c.names.Forget()
}

// loadMaking reads it back; the machine's state has been loaded.
func (c *cursor) loadMaking(words []uint64) {
	c.setUp = setUp{phase: int(words[0] >> phaseShift), born: -1}
	if !c.makes() {
		return
	}
	c.variant, c.start = int(words[1]), c.sys.starts.state(uint32(words[0]))
	c.id, c.all, c.switches = c.sys.monitor.InitialAt(c.start), 0, 0
	c.names.Load(0)
	for i := range c.sys.threads {
		if !c.m.Idle(i) {
			c.maker = i
		}
	}
}

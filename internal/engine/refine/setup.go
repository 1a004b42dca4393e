// SPDX-License-Identifier: BSD-3-Clause

package refine

import (
	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/vm"
)

// Before the threads start, the first of them calls the constructor and makes the pre-adds. If no goroutine runs beside it, the result is
// the initial state. From the first goroutine on that is started there, its steps and those of the goroutines are internal steps of the
// system.

// setUp is the progress of construction.
type setUp struct {
	making  bool
	variant int // index of the list of pre-adds
	made    int // number of calls that have returned: the constructor, then pre-adds
}

// makes reports whether the collection is still being constructed.
func (c *cursor) makes() bool { return c.making }

func (c *cursor) preAdds() []client.Step { return c.sys.pre[c.variant] }

// begin calls the constructor.
func (c *cursor) begin(variant int) {
	c.setUp = setUp{making: true, variant: variant}
	c.m.Call(0, c.sys.subject.New, nil)
}

// mostSteps is the number of steps after which the first thread, alone, is taken to run for ever.
const mostSteps = 1 << 20

// makeAlone executes construction as long as there is no other goroutine.
func (c *cursor) makeAlone(ch *explore.Choices) {
	c.m.Settle(0, ch)
	c.proceed(ch)
	for steps := 0; c.makes() && !c.over() && c.m.Threads() == len(c.threads); steps++ {
		if !c.m.Enabled(0) || steps == mostSteps {
			c.failed = c.doing() + " does not return when it runs alone: it waits at " + c.m.At(0)
			return
		}
		c.m.Step(0, ch)
		c.proceed(ch)
	}
}

// doing describes what the first thread executes.
func (c *cursor) doing() string {
	if c.made == 0 {
		return "the constructor"
	}
	s := c.preAdds()[c.made-1]
	return "the pre-add " + c.sys.subject.Operations[s.Op].Client.Call(s.Args)
}

// proceed makes the next call if the last one has returned.
func (c *cursor) proceed(ch *explore.Choices) {
	for c.makes() && !c.useless() && c.m.Ended().Kind == vm.Running && c.m.Idle(0) {
		if text := c.m.Panicked(0); text != "" {
			c.failed = c.doing() + " panics: " + text
			return
		}
		if c.made == 0 {
			c.m.SetRoots(c.m.Results(0)[0])
		}
		c.made++
		if c.made > len(c.preAdds()) {
			c.setUp = setUp{}
			return
		}
		s := c.preAdds()[c.made-1]
		c.m.Call(0, c.sys.subject.Operations[s.Op].Func, c.arguments(&s))
		c.m.Settle(0, ch)
	}
	if e := c.m.Ended(); c.makes() && e.Kind != vm.Running && c.m.Threads() == len(c.threads) {
		c.failed = c.doing() + " ends the program: " + c.m.Text(e.Text)
	}
}

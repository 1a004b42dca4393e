// SPDX-License-Identifier: BSD-3-Clause

package fixpoint

// agenda is the work that is left, in the order that takes least time: steps come first; then views meet the effects
// of others, those that have waited longest first; effects that have grown come last. The result does not depend on
// the order. But a view that has met the effects and grows then has to meet them once more.
type agenda struct {
	steps   []*Entry  // views whose successors are to be computed
	waiting []*Entry  // views that are to meet all effects
	effects []*Effect // effects that are to be applied to all views
}

// addStep notes that a view is new, or has grown.
func (a *agenda) addStep(e *Entry) {
	if !e.dirty {
		e.dirty = true
		a.steps = append(a.steps, e)
	}
}

// addMeeting notes that a view is to meet all effects.
func (a *agenda) addMeeting(e *Entry) {
	if !e.waits {
		e.waits = true
		a.waiting = append(a.waiting, e)
	}
}

// addEffect notes that an effect is new, or has grown.
func (a *agenda) addEffect(f *Effect) {
	if !f.dirty {
		f.dirty = true
		a.effects = append(a.effects, f)
	}
}

// next takes out the next piece of work: a step, a meeting or an effect; all three are nil if none is left.
func (a *agenda) next() (step, meeting *Entry, f *Effect) {
	switch {
	case len(a.steps) > 0:
		step, a.steps = a.steps[0], a.steps[1:]
		step.dirty = false
	case len(a.waiting) > 0:
		meeting, a.waiting = a.waiting[0], a.waiting[1:]
		meeting.waits = false
	case len(a.effects) > 0:
		f, a.effects = a.effects[0], a.effects[1:]
		f.dirty = false
	}
	return step, meeting, f
}

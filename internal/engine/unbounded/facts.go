// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/verdict"
)

// facts is the part of a verdict that says what a search came to: the size of the invariant, or the alarm.
func facts(f *fixpoint.Found, p *fixpoint.Program) *verdict.Proof {
	out := &verdict.Proof{Unreached: []string{}}
	if v := f.Invariant; v != nil {
		out.Content = v.Property.Describe(p.Collection())
		out.Views, out.Effects = len(v.Entries), len(v.Effects)
		out.Unreached = append(out.Unreached, v.Vacuous()...)
		return out
	}
	a := f.Failure.Alarm
	out.Alarm = &verdict.Alarm{Outside: a.Outside, Message: a.Message, At: a.Position(p.Prog), Callers: []string{}, Trace: []verdict.AbstractStep{}}
	for _, c := range a.Callers {
		if !c.Func.Harness {
			out.Alarm.Callers = append(out.Alarm.Callers, c.Func.Short+" at "+p.Prog.Position(c.Func.Pos[c.PC]))
		}
	}
	for _, s := range f.Failure.Trace {
		step := verdict.AbstractStep{Text: s.By.Text}
		if s.By.Func != nil {
			step.At = p.Prog.Position(s.By.Func.Pos[s.By.PC])
		}
		if s.View != nil {
			step.Sees = f.Domain.Draw(s.View)
		}
		out.Alarm.Trace = append(out.Alarm.Trace, step)
	}
	return out
}

func alarmText(a *verdict.Alarm) string {
	if a.At == "" {
		return a.Message
	}
	text := a.Message + ", at " + a.At
	for _, c := range a.Callers {
		text += ", called by " + c
	}
	return text
}

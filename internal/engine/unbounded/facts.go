// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"fmt"
	"strings"

	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/verdict"
)

// facts are what a search came to, as a verdict has it.
func (f *Found) facts(p *fixpoint.Program) *verdict.Proof {
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
			step.Sees = draw(f.Domain, s.View)
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

// draw writes a heap in one line: nodes with their fields, summaries as [...].
func draw(d *shape.Domain, v *shape.View) string {
	var parts []string
	for n := range v.Nodes {
		parts = append(parts, fmt.Sprintf("@%d%s", n, node(d, v, n)))
	}
	return strings.Join(parts, " ")
}

func node(d *shape.Domain, v *shape.View, n int) string {
	x := &v.Nodes[n]
	if x.Summary {
		opt := "+"
		if x.Opt {
			opt = "*"
		}
		if x.Empty() {
			return "[]->" + x.Next.String()
		}
		return fmt.Sprintf("[%s%s]->%s", x.Class, opt, x.Next)
	}
	t := d.Prog.Types[x.Type]
	var fields []string
	for off, w := range v.Of(n) {
		if w == shape.Nil && d.IsMutex(int(x.Type), off) {
			continue
		}
		path := strings.TrimPrefix(t.FieldPath(off), ".")
		if leaf, at := t.LeafAt(off); leaf.Opaque() && at > 0 {
			continue
		}
		fields = append(fields, path+"="+w.String())
	}
	private := ""
	if !x.Shared {
		private = "'"
	}
	return private + "{" + strings.Join(fields, " ") + "}"
}

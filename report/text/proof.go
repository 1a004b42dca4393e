package text

import (
	"fmt"
	"strings"

	"pangolin/verdict"
)

// proof prints what an engine found that looks for an invariant.
func (p *Printer) proof(f *verdict.Proof) {
	if f == nil {
		return
	}
	if f.Alarm == nil {
		p.wrap("    ", "    ", fmt.Sprintf("for any number of threads, calls, cells and values: %d views, %d effects; held are %s", f.Views, f.Effects, f.Content))
		if len(f.Unreached) > 0 {
			p.wrap("    ", "      ", "but never reached: "+strings.Join(f.Unreached, "; "))
		}
		return
	}
	if len(f.Alarm.Trace) == 0 {
		return
	}
	p.line("    on the way there, as the abstraction has it:")
	for i := range f.Alarm.Trace {
		s := &f.Alarm.Trace[i]
		text := s.Text
		if s.At != "" {
			text += " at " + s.At
		}
		p.line("    %3d %s", i+1, text)
		if s.Sees != "" {
			p.wrap("        ", "        ", s.Sees)
		}
	}
}

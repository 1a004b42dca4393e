// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"fmt"
	"strings"

	"pangolin/verdict"
)

// checked prints what came of a certificate: if it holds, all that it states.
func (p *Printer) checked(c *verdict.Checked) {
	if !c.Holds {
		p.wrap("", "    ", fmt.Sprintf("%s the certificate does not hold: %s", p.ink.strong(c.Collection), c.Reason))
		return
	}
	head := fmt.Sprintf("%s %s %s proved", p.ink.strong(c.Collection), c.Kind, c.Property)
	if except := c.Except(); except != "" {
		head += " (" + except + ")"
	}
	p.wrap("", "    ", head+": the certificate holds")
	extent := verdict.Scope{Limits: c.Limits}
	text := fmt.Sprintf("%s: %d views", extent.Extent(), c.Views)
	if c.Effects > 0 {
		text += fmt.Sprintf(", %d effects", c.Effects)
	}
	if c.Lemmas > 0 {
		text += fmt.Sprintf("; %d facts in lemmas are true, and enough", c.Lemmas)
	}
	p.wrap("    ", "    ", text)
	p.line("")
	say := func(title, text string) { p.wrap(pad(title, 11), "             ", text) }
	say("type", c.Package+"."+c.Instance+", of module "+c.Module)
	say("made by", c.New)
	say("calls", strings.Join(c.Operations, ", "))
	for i, l := range c.LeftOut {
		title := ""
		if i == 0 {
			title = "left out"
		}
		say(title, l.Operation+": "+l.Why)
	}
	say("judged by", fmt.Sprintf("oracle %s, %s", c.Oracle, c.Protocol))
	races := "excluded as well"
	if !c.Races {
		races = "not looked for"
	}
	say("data races", races)
	for i, a := range folded(c.Assumptions) {
		title := ""
		if i == 0 {
			title = "assumed"
		}
		say(title, a)
	}
}

// reproduction prints what came of a schedule on the Go runtime.
func (p *Printer) reproduction(r *verdict.Reproduction) {
	p.line("%s (%s): %s of %s: %s", r.Result, r.By, r.Class, r.Collection, r.Why)
}

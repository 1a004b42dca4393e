// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"fmt"

	"pangolin/verdict"
)

// checked prints what came of a certificate.
func (p *Printer) checked(c *verdict.Checked) {
	switch {
	case !c.Holds:
		p.line("%s the certificate does not hold: %s", c.Collection, c.Reason)
	case len(c.Limits) == 0:
		p.line("%s the certificate holds: %d views, %d effects", c.Collection, c.Views, c.Effects)
	default:
		text := ""
		for _, l := range c.Limits {
			text += fmt.Sprintf(", %s: %s", l.Name, l.Value)
		}
		if c.Lemmas > 0 {
			text += fmt.Sprintf("; %d facts in lemmas are true, and enough", c.Lemmas)
		}
		p.line("%s the certificate holds: %d views%s", c.Collection, c.Views, text)
	}
}

// reproduction prints what came of a schedule on the Go runtime.
func (p *Printer) reproduction(r *verdict.Reproduction) {
	p.line("%s (%s): %s of %s: %s", r.Result, r.By, r.Class, r.Collection, r.Why)
}

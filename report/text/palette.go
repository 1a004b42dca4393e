// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"github.com/fatih/color"

	"pangolin/verdict"
)

// palette is the colours of a printer; without colours it leaves text as it is.
type palette struct{ on bool }

func newPalette(on bool) palette { return palette{on} }

func (p palette) paint(text string, attributes ...color.Attribute) string {
	if !p.on {
		return text
	}
	c := color.New(attributes...)
	c.EnableColor()
	return c.Sprint(text)
}

func (p palette) strong(text string) string { return p.paint(text, color.Bold) }

func (p palette) dim(text string) string { return p.paint(text, color.Faint) }

func (p palette) alarm(text string) string { return p.paint(text, color.FgRed, color.Bold) }

func (p palette) status(s verdict.Status, text string) string {
	switch s {
	case verdict.Verified, verdict.Proved:
		return p.paint(text, color.FgGreen)
	case verdict.Violated:
		return p.paint(text, color.FgRed, color.Bold)
	}
	return p.paint(text, color.FgYellow)
}

// thread gives each thread a colour of its own.
func (p palette) thread(n int, text string) string {
	colours := []color.Attribute{color.FgCyan, color.FgMagenta, color.FgYellow, color.FgBlue, color.FgGreen, color.FgRed}
	return p.paint(text, colours[(n-1)%len(colours)])
}

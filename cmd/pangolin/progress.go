// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"pangolin"
)

// progress prints on standard error how much searches have done: on a terminal as a line that changes, else as a line every 30 seconds.
type progress struct {
	out      io.Writer
	width    int
	bar      *progressbar.ProgressBar // nil: none is shown now
	terminal bool
	what     string // the present search
	start    time.Time
	told     time.Time // time of the last line, without a terminal
}

// between is the time between two lines without a terminal.
const between = 30 * time.Second

func newProgress(w io.Writer, width int) *progress {
	f, ok := w.(*os.File)
	return &progress{out: w, width: width, terminal: ok && term.IsTerminal(int(f.Fd())), told: time.Now()}
}

// report shows the progress of a search. Several goroutines may call it, one at a time.
func (p *progress) report(what string, s pangolin.Progress) {
	now := time.Now()
	if what != p.what {
		p.end()
		p.what, p.start = what, now
	}
	elapsed := now.Sub(p.start)
	rate := float64(s.States) / max(elapsed.Seconds(), 1e-3)
	text := fmt.Sprintf("%s: %s, %d states%s, %.0f a second, %d MiB, depth %d", what, elapsed.Round(time.Second), s.States, left(&s, rate), rate, s.Bytes>>20, s.Depth)
	if !p.terminal {
		if now.Sub(p.told) >= between {
			p.told = now
			fmt.Fprintf(p.out, "pangolin: %s\n", text)
		}
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions(-1, progressbar.OptionSetWriter(p.out), progressbar.OptionSpinnerType(14),
			progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetElapsedTime(false))
	}
	if p.width > 4 {
		text = ansi.Truncate(text, p.width-4, "…")
	}
	p.bar.Describe(text)
	_ = p.bar.Add64(1) // an error means that the terminal is gone
}

// end removes the line.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}

// left says how much is left, as far as an earlier search for the same type and property tells: " (last time 748207 in all, D: then about 40s left)". It is no more than
// that: the sources or the scope have changed since.
func left(s *pangolin.Progress, rate float64) string {
	switch {
	case s.Earlier == 0:
		return ""
	case s.States >= s.Earlier:
		return fmt.Sprintf(" (last time %d in all, %s)", s.Earlier, s.EarlierScope)
	}
	seconds := time.Duration(float64(s.Earlier-s.States)/max(rate, 1)) * time.Second
	return fmt.Sprintf(" (last time %d in all, %s: then about %s left)", s.Earlier, s.EarlierScope, seconds)
}

package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"pangolin"
)

// progress is a line on standard error that says how far a search has come. It is
// silent unless that is a terminal.
type progress struct {
	bar   *progressbar.ProgressBar // nil: silent
	what  string
	start time.Time
}

func newProgress(w io.Writer, what string) *progress {
	p := &progress{what: what, start: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions(-1, progressbar.OptionSetWriter(w), progressbar.OptionSpinnerType(14),
			progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetElapsedTime(false), progressbar.OptionSetDescription(what))
	}
	return p
}

// report shows how far the search is. It may be called by several goroutines, one at
// a time.
func (p *progress) report(s pangolin.Progress) {
	if p.bar == nil {
		return
	}
	rate := float64(s.States) / max(time.Since(p.start).Seconds(), 1e-3)
	p.bar.Describe(fmt.Sprintf("%s: %d states, %.0f a second, %d MiB, depth %d", p.what, s.States, rate, s.Bytes>>20, s.Depth))
	_ = p.bar.Add64(1) // an error means that the terminal is gone
}

// end removes the line.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pangolin"
	"pangolin/verdict"
)

// Without a terminal a line is printed now and then, and not more often.
func TestProgress_IsALineNowAndThenInALog(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, 0)
	for range 1000 {
		p.report("queue.Queue linear", pangolin.Progress{States: 1000})
	}
	if out.Len() > 0 {
		t.Errorf("at once it says %q", out.String())
	}
	for range 3 {
		p.told = p.told.Add(-between)
		for range 10 {
			p.report("queue.Queue linear", pangolin.Progress{States: 70_000, Bytes: 5 << 20, Depth: 12})
		}
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 {
		t.Errorf("three times as long it says %q", lines)
	}
	for _, l := range lines {
		if !strings.HasPrefix(l, "pangolin: queue.Queue linear: ") || !strings.Contains(l, ", 70000 states, ") || !strings.HasSuffix(l, " a second, 5 MiB, depth 12") {
			t.Errorf("it says %q", l)
		}
	}
}

// What an earlier search came to says how much may be left, and how sure that is.
func TestProgress_SaysWhatAnEarlierSearchCameTo(t *testing.T) {
	for _, c := range []struct {
		now  pangolin.Progress
		rate float64
		want string
	}{
		{pangolin.Progress{States: 1000}, 100, ""},
		{pangolin.Progress{States: 1000, Earlier: 5000, EarlierScope: "D"}, 100, " (last time 5000 in all, D: then about 40s left)"},
		{pangolin.Progress{States: 1000, Earlier: 400_000, EarlierScope: "2t 4s 1p"}, 100, " (last time 400000 in all, 2t 4s 1p: then about 1h6m30s left)"},
		{pangolin.Progress{States: 5000, Earlier: 5000, EarlierScope: "D"}, 100, " (last time 5000 in all, D)"},
		{pangolin.Progress{States: 10, Earlier: 500, EarlierScope: "D"}, 0, " (last time 500 in all, D: then about 8m10s left)"},
	} {
		if got := left(&c.now, c.rate); got != c.want {
			t.Errorf("%+v: %q, want %q", c.now, got, c.want)
		}
	}
}

// On a terminal it is one line, however narrow that is, and nothing is left of it.
func TestProgress_FitsTheTerminal(t *testing.T) {
	for _, width := range []int{20, 40, 80} {
		var out bytes.Buffer
		p := newProgress(&out, width)
		p.terminal = true
		for i := range 5 {
			p.report("package.CollectionWithAVeryLongName linear", pangolin.Progress{States: uint64(i) * 123_456_789, Bytes: 1 << 40, Depth: 100_000})
			time.Sleep(110 * time.Millisecond) // the line is not drawn more often
		}
		p.end()
		shown := 0
		for part := range strings.SplitSeq(out.String(), "\r") {
			if n := ansi.StringWidth(part); n > width {
				t.Errorf("%d columns of %d: %q", n, width, part)
			}
			if strings.TrimSpace(ansi.Strip(part)) != "" {
				shown++
			}
		}
		if last := out.String()[strings.LastIndexByte(strings.TrimRight(out.String(), "\r"), '\r')+1:]; shown == 0 || strings.TrimSpace(ansi.Strip(last)) != "" || strings.Contains(out.String(), "\n") {
			t.Errorf("shown %d times, at the end %q", shown, last)
		}
	}
}

// Of several collections the line says which one this is.
func TestProgress_CountsCollections(t *testing.T) {
	var out bytes.Buffer
	v := &verifyFace{con: &console{}, found: make([]verdict.Found, 7), given: 2, progress: newProgress(&out, 0)}
	v.progress.told = v.progress.told.Add(-between)
	v.report(pangolin.Progress{Collection: "queue.Queue", Property: "linear"})
	if !strings.HasPrefix(out.String(), "pangolin: [3/7] queue.Queue linear: ") {
		t.Errorf("it says %q", out.String())
	}
}

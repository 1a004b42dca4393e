// SPDX-License-Identifier: BSD-3-Clause

package html_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pangolin"
	"pangolin/internal/test/browser"
	"pangolin/internal/test/level"
	"pangolin/report/story"
	"pangolin/verdict"
)

// The page is driven in a browser, step by step.

const counter = `package example

import "sync/atomic"

type node struct {
	next *node
	n    int
}

// Counter counts, and loses increments.
type Counter struct{ top atomic.Pointer[node] }

func (c *Counter) Inc() {
	old := c.top.Load()
	n := 1
	if old != nil {
		n = old.n + 1
	}
	c.top.Store(&node{old, n})
}

func (c *Counter) Get() int {
	if t := c.top.Load(); t != nil {
		return t.n
	}
	return 0
}
`

// violated verifies the counter, with scenes.
func violated(t *testing.T) verdict.Verdict {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example\n\ngo 1.26\n", "example.go": counter} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, err := pangolin.Verify(t.Context(), pangolin.Request{Dir: dir, Search: pangolin.Search{Scenes: true}})
	if err != nil || len(list) != 1 || list[0].Violation == nil {
		t.Fatal(err, list)
	}
	return list[0]
}

// The page is opened and stepped through with the keyboard; what it shows at some steps is
// what the witness says, and the browser has nothing to complain of.
func TestPage_IsSteppedThroughInABrowser(t *testing.T) {
	level.SkipShort(t, "drives a browser")
	ctx := browser.Start(t)
	v := violated(t)
	w := v.Violation.Execution
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page(t, v)), 0o666); err != nil {
		t.Fatal(err)
	}
	complaints := browser.Complaints(ctx)
	if err := chromedp.Run(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate("file://"+file)); err != nil {
		t.Fatal(err)
	}
	if now, said := shown(t, ctx); now != fmt.Sprintf("step %d of %d", w.Damage, len(w.Steps)) || !strings.Contains(said, "every way to go on is wrong") {
		t.Errorf("it opens at %s: %s", now, said)
	}
	browser.Press(t, ctx, kb.Home)
	for i := range w.Steps {
		now, said := shown(t, ctx)
		want := fmt.Sprintf("step %d of %d", i+1, len(w.Steps))
		if s := &w.Steps[i]; now != want || !strings.HasPrefix(said, fmt.Sprintf("thread %d ", s.Thread)) || s.Line > 0 && !strings.Contains(said, fmt.Sprintf(":%d ", s.Line)) {
			t.Errorf("%s: %s: %s", want, now, said)
		}
		browser.Press(t, ctx, kb.ArrowRight)
	}
	browser.Press(t, ctx, kb.ArrowLeft)
	if now, _ := shown(t, ctx); now != fmt.Sprintf("step %d of %d", len(w.Steps)-1, len(w.Steps)) {
		t.Errorf("back from the end: %s", now)
	}
	heap(t, ctx, w)
	order(t, ctx, w)
	browser.Fits(t, ctx, 1280, 400, 320)
	followed(t, ctx)
	media(t, ctx, len(w.Steps))
	if list := complaints(); len(list) > 0 {
		t.Errorf("the browser says %v", list)
	}
}

// followed goes where the overview's links lead: to the violation, and into the details of the type, which open for it.
func followed(t *testing.T, ctx context.Context) {
	t.Helper()
	const visible = `(() => { const e = document.querySelector(location.hash), b = e.getBoundingClientRect(); return b.height > 0 && b.top >= -1 && b.top < innerHeight })()`
	for _, link := range []string{"#overview td.violated a", "#overview td:first-child a"} {
		var there bool
		if err := chromedp.Run(ctx, chromedp.EmulateViewport(400, 900), chromedp.Click(link), chromedp.Poll(visible, &there, chromedp.WithPollingTimeout(5*time.Second))); err != nil || !there {
			t.Errorf("%s leads nowhere: %v", link, err)
		}
	}
}

// A page of long names and texts fits into a window of 400 pixels, with all that it hides opened.
func TestPage_FitsIntoANarrowWindow(t *testing.T) {
	level.SkipShort(t, "drives a browser")
	ctx := browser.Start(t)
	long := strings.Repeat("AVeryLongNameWithoutAnyPlaceToBreak", 5)
	v := verdict.Verdict{Subject: verdict.Subject{Collection: "q." + long, Kind: "queue", Property: "linear", Oracle: long}, Engine: "unbounded", Status: verdict.Proved, Reason: long, Assumptions: []string{long},
		Operations: []string{long}, Hints: []string{long}}
	v.Proof = &verdict.Proof{Views: 1, Content: long, Seen: []verdict.SeenAt{{At: long, Count: 2, Views: []verdict.Seen{{Facts: []string{long}, Cells: []verdict.AbstractCell{{Name: long}}}}}}}
	missed := verdict.Verdict{Subject: verdict.Subject{Collection: long}, Status: verdict.NotJudged, Reason: long}
	results := []any{v, missed}
	files, err := filepath.Glob("../testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := verdict.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, verdict.Verdict{Subject: w.Subject, Engine: "bounded", Status: verdict.Violated, Scope: w.Scope, Findings: verdict.Findings{Violation: &verdict.Violation{Class: w.Class, Execution: w}}})
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page(t, results...)), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Run(ctx, chromedp.Navigate("file://"+file), chromedp.Evaluate(`document.querySelectorAll("details").forEach(d => d.open = true)`, nil)); err != nil {
		t.Fatal(err)
	}
	browser.Fits(t, ctx, 1280, 400)
}

// media looks at the page in dark colours and in print, where nothing can be scrolled or clicked:
// all steps are there, and no controls.
func media(t *testing.T, ctx context.Context, steps int) {
	t.Helper()
	const background = `getComputedStyle(document.body).backgroundColor`
	const missing = `(() => { const s = document.querySelector(".steps"); return [...s.children].filter(e => e.offsetTop - s.offsetTop + e.offsetHeight > s.clientHeight + 1).length })()`
	var light, dark, controls string
	var cut int
	if err := chromedp.Run(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Evaluate(background, &light),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}),
		chromedp.Evaluate(background, &dark)); err != nil || light == dark {
		t.Errorf("the background is %s in the light and %s in the dark: %v", light, dark, err)
	}
	browser.Picture(t, ctx, "dark")
	if err := chromedp.Run(ctx, emulation.SetEmulatedMedia().WithMedia("print"), chromedp.Evaluate(`getComputedStyle(document.querySelector(".controls")).display`, &controls),
		chromedp.Evaluate(missing, &cut)); err != nil || controls != "none" || cut > 0 {
		t.Errorf("printed, controls are shown as %q, and %d of %d steps are not: %v", controls, cut, steps, err)
	}
	browser.Picture(t, ctx, "print")
	if err := chromedp.Run(ctx, emulation.SetEmulatedMedia()); err != nil {
		t.Fatal(err)
	}
}

func shown(t *testing.T, ctx context.Context) (now, said string) {
	t.Helper()
	if err := chromedp.Run(ctx, chromedp.Text(".now", &now), chromedp.TextContent(".said", &said)); err != nil {
		t.Fatal(err)
	}
	return now, said
}

// heap compares the boxes at the last step with the objects of its scene.
func heap(t *testing.T, ctx context.Context, w *verdict.Witness) {
	t.Helper()
	browser.Press(t, ctx, kb.End)
	var names []string
	if err := chromedp.Run(ctx, chromedp.Evaluate(`[...document.querySelectorAll(".heap g:not(.gone) text:first-of-type")].map(e => e.textContent)`, &names)); err != nil {
		t.Fatal(err)
	}
	for _, o := range w.Scenes[len(w.Scenes)-1].Objects {
		found := false
		for _, name := range names {
			found = found || name == o.Name
		}
		if !found {
			t.Errorf("no %s among the objects %v", o.Name, names)
		}
	}
}

// order lays an order over the calls: each gets its number, and what does not fit a cross.
func order(t *testing.T, ctx context.Context, w *verdict.Witness) {
	t.Helper()
	var said, badges string
	if err := chromedp.Run(ctx, chromedp.Click(`[data-order="0"]`), chromedp.TextContent(".said", &said),
		chromedp.Evaluate(`[...document.querySelectorAll(".lanes g:last-child text")].map(e => e.textContent).join("")`, &badges)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said, "Order 1:") || !strings.HasPrefix(badges, "1") || !strings.HasSuffix(badges, "✗") || len(w.Explanation.Tried) == 0 {
		t.Errorf("%q, %q", said, badges)
	}
}

// Each golden page, those of programs included, is stepped through from end to end without a
// complaint of the browser's.
func TestPage_OfEveryClassIsSteppedThrough(t *testing.T) {
	level.SkipShort(t, "drives a browser")
	ctx := browser.Start(t)
	files, err := filepath.Glob("../testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	complaints := browser.Complaints(ctx)
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := verdict.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(file, []byte(page(t, w)), 0o666); err != nil {
			t.Fatal(err)
		}
		const walk = `(() => { const n = document.querySelectorAll(".steps li").length;
			for (let i = 0; i < n; i++) { document.querySelector('[aria-label="step forward"]').click(); }
			return document.querySelector(".now").textContent + "|" + document.querySelector(".said").textContent })()`
		var shown string
		if err := chromedp.Run(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate("file://"+file), chromedp.Evaluate(walk, &shown)); err != nil {
			t.Fatal(name, err)
		}
		want := fmt.Sprintf("step %d of %d|%s", len(w.Steps), len(w.Steps), story.Thread(w, w.Steps[len(w.Steps)-1].Thread))
		if !strings.HasPrefix(shown, want) {
			t.Errorf("%s: at the end it shows %q, and should begin with %q", name, shown, want)
		}
		browser.Picture(t, ctx, strings.TrimSuffix(filepath.Base(name), ".json"))
	}
	if list := complaints(); len(list) > 0 {
		t.Errorf("the browser says %v", list)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package site_test

import (
	"context"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pangolin/internal/site"
	"pangolin/internal/task"
	"pangolin/internal/test/browser"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// The site is used in a browser, with the keyboard, at both widths and in both colours; the browser has nothing to complain of.
func TestSite_IsUsedInABrowser(t *testing.T) {
	level.SkipShort(t, "drives a browser")
	ctx := browser.Start(t)
	d := open(t)
	c := judged(t, d)
	long := strings.Repeat("AVeryLongNameWithoutAnyPlaceToBreak", 5)
	entry(t, d, task.Entry{Origin: task.Origin{Module: "example.org/" + long, Commit: strings.Repeat("f", 40), Sources: task.Modified}, At: time.Now().Add(-time.Hour), Package: "example.org/" + long,
		Answers: []task.Answer{{Type: "q." + long, Property: "linear", Engine: "bounded", Status: verdict.Unknown, Scope: "100t 100s 100p+2x5"}}})
	server := httptest.NewServer(site.New(d, ""))
	t.Cleanup(server.Close)
	complaints := browser.Complaints(ctx)

	shop := url.Values{"module": {"example.org/shop"}}
	of := url.Values{"module": {"example.org/shop"}, "package": {"example.org/shop/box"}, "type": {"box.Counter"}}
	both := url.Values{"module": {"example.org/shop"}, "a": {c[1]}, "b": {c[2]}}
	for name, path := range map[string]string{"overview": "/", "type": "/type?" + of.Encode(), "revisions": "/revisions?" + shop.Encode(), "compare": "/compare?" + both.Encode()} {
		t.Run(name, func(t *testing.T) {
			visit(t, ctx, server.URL+path)
			browser.Fits(t, ctx, 1280, 400)
		})
	}
	visit(t, ctx, server.URL)
	keys(t, ctx)
	visit(t, ctx, server.URL)
	colours(t, ctx)

	visit(t, ctx, server.URL)
	sign := d.Sign()
	if err := sign.Show([]byte(`{"pid":77,"command":"pangolin verify","module":"example.org/shop","collection":"q.Queue","property":"linear","states":1234567}`)); err != nil {
		t.Fatal(err)
	}
	browser.Await(t, ctx, `!document.getElementById("running").hidden && document.getElementById("running").textContent.includes("1,234,567 states")`)
	browser.Fits(t, ctx, 400)
	browser.Picture(t, ctx, "running")
	if err := sign.Gone(); err != nil {
		t.Fatal(err)
	}
	browser.Await(t, ctx, `document.getElementById("running").hidden`)
	entry(t, d, task.Entry{At: time.Now(), Package: "p", Answers: []task.Answer{{Type: "p.T", Property: "linear", Status: verdict.Verified}}})
	browser.Await(t, ctx, `!document.getElementById("news").hidden`)
	if list := complaints(); len(list) > 0 {
		t.Errorf("the browser says %v", list)
	}
}

func visit(t *testing.T, ctx context.Context, address string) {
	t.Helper()
	if err := chromedp.Run(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
}

// keys finds a type, opens it and its violation, and steps through that, without a mouse.
func keys(t *testing.T, ctx context.Context) {
	t.Helper()
	const focused = `document.activeElement.textContent`
	at := func(want string) {
		t.Helper()
		var got string
		if err := chromedp.Run(ctx, chromedp.Evaluate(focused, &got)); err != nil || got != want {
			t.Errorf("the focus is on %q, want %q: %v", got, want, err)
		}
	}
	browser.Press(t, ctx, "j")
	first := "q." + strings.Repeat("AVeryLongNameWithoutAnyPlaceToBreak", 5)
	at(first)
	browser.Press(t, ctx, "j")
	at("box.Counter")
	browser.Press(t, ctx, kb.ArrowDown)
	at("box.Tally")
	browser.Press(t, ctx, "k")
	at("box.Counter")
	browser.Press(t, ctx, kb.ArrowUp)
	at(first)
	browser.Press(t, ctx, "/")
	browser.Await(t, ctx, `document.activeElement.id === "q"`)
	for _, k := range []string{"b", "o", "x", ".", "C", "/", kb.Backspace, kb.Enter} { // a slash in the field is a letter
		browser.Press(t, ctx, k)
	}
	browser.Await(t, ctx, `location.search === "?q=box.C" && document.querySelectorAll("a.row").length === 1`)
	browser.Press(t, ctx, kb.ArrowDown)
	at("box.Counter")
	browser.Press(t, ctx, kb.Enter)
	browser.Await(t, ctx, `location.pathname === "/type" && document.querySelectorAll("a.row").length === 4`)
	browser.Press(t, ctx, "j")
	browser.Press(t, ctx, kb.Enter)
	browser.Await(t, ctx, `location.pathname.startsWith("/result/") && document.querySelector(".now") !== null && document.querySelector(".now").textContent.startsWith("step ")`)
	browser.Fits(t, ctx, 1280, 400)
	browser.Press(t, ctx, kb.Home)
	browser.Await(t, ctx, `document.querySelector(".now").textContent.startsWith("step 1 ")`)
}

func colours(t *testing.T, ctx context.Context) {
	t.Helper()
	const background = `getComputedStyle(document.body).backgroundColor`
	var light, dark string
	if err := chromedp.Run(ctx, chromedp.Evaluate(background, &light),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}),
		chromedp.Evaluate(background, &dark)); err != nil || light == dark {
		t.Errorf("the background is %s in the light and %s in the dark: %v", light, dark, err)
	}
	browser.Picture(t, ctx, "dark")
	if err := chromedp.Run(ctx, emulation.SetEmulatedMedia()); err != nil {
		t.Fatal(err)
	}
}

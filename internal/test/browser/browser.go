// SPDX-License-Identifier: BSD-3-Clause

// Package browser drives a real browser in tests of pages: Chromium, without a window. A test is skipped where there is none.
package browser

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var pictures = flag.String("pictures", "", "keep pictures of the pages in this directory")

// Start starts a browser. The test is skipped if there is none.
func Start(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("there is no Chromium on this machine")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// Complaints are what a browser has said: exceptions, messages to the console, and what a policy has refused. It is asked at the end.
func Complaints(ctx context.Context) func() []string {
	var list []string
	chromedp.ListenTarget(ctx, func(e any) {
		switch e := e.(type) {
		case *runtime.EventExceptionThrown:
			list = append(list, e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			list = append(list, fmt.Sprint(e.Type))
		case *log.EventEntryAdded:
			list = append(list, e.Entry.Text)
		}
	})
	return func() []string { return list }
}

// Press presses a key. A letter is typed only if the page lets it: as with a keyboard, and unlike with chromedp.KeyEvent.
func Press(t *testing.T, ctx context.Context, key string) {
	t.Helper()
	actions := []chromedp.Action{chromedp.KeyEvent(key)}
	if len(key) == 1 && key > " " && key <= "~" {
		actions = []chromedp.Action{input.DispatchKeyEvent(input.KeyDown).WithKey(key).WithText(key), input.DispatchKeyEvent(input.KeyUp).WithKey(key)}
	}
	if err := chromedp.Run(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// longestAwait is how long a page has for what is awaited.
const longestAwait = 10 * time.Second

// Await waits for a condition of a page that is loaded whole, also while the browser goes there.
func Await(t *testing.T, ctx context.Context, condition string) {
	t.Helper()
	for end := time.Now().Add(longestAwait); ; time.Sleep(20 * time.Millisecond) {
		var holds bool
		err := chromedp.Run(ctx, chromedp.Evaluate(`document.readyState === "complete" && Boolean(`+condition+`)`, &holds))
		if err == nil && holds {
			return
		}
		if time.Now().After(end) {
			t.Errorf("%s: %v", condition, err)
			return
		}
	}
}

// Fits complains if the page is wider than a window of some width, at any of the widths.
func Fits(t *testing.T, ctx context.Context, widths ...int64) {
	t.Helper()
	for _, width := range widths {
		var over int
		if err := chromedp.Run(ctx, chromedp.EmulateViewport(width, 900), chromedp.Evaluate(`document.documentElement.scrollWidth - innerWidth`, &over)); err != nil || over > 0 {
			t.Errorf("%d columns wide: %d too many, %v", width, over, err)
		}
		Picture(t, ctx, fmt.Sprint(width))
	}
}

// Picture keeps a picture of the page, if there is a directory for pictures.
func Picture(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	if *pictures == "" {
		return
	}
	var png []byte
	if err := chromedp.Run(ctx, chromedp.FullScreenshot(&png, 100)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*pictures, strings.ReplaceAll(t.Name(), "/", "_")+"-"+name+".png"), png, 0o666); err != nil {
		t.Fatal(err)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package html_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/report/html"
	"pangolin/verdict"
)

// The page is a golden file, fetches nothing, and says what it leaves out.

// embedded are the parts of a page that are the same in every page.
var embedded = regexp.MustCompile(`(?s)<meta http-equiv.*?>|<style>.*?</style>|<pre>.*?</pre>|<script>.*?</script>`)

func page(t *testing.T, results ...any) string {
	t.Helper()
	var b strings.Builder
	p := html.New(&b)
	for _, r := range results {
		if err := p.Show(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page of every class of violation is, but for style and script, as the golden file says.
func TestPage_IsAsTheGoldenFilesSay(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.json")
	if err != nil || len(files) < 7 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w, err := verdict.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		v := verdict.Verdict{Subject: w.Subject, Engine: "bounded", Status: verdict.Violated, Scope: w.Scope, Findings: verdict.Findings{Violation: &verdict.Violation{Class: w.Class, Execution: w}}}
		text := page(t, v)
		if text != page(t, v) {
			t.Errorf("%s: another page each time", file)
		}
		got := embedded.ReplaceAllString(text, "")
		golden := "testdata/" + strings.TrimSuffix(filepath.Base(file), ".json") + ".html"
		if flags.Update() {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || string(want) != got {
			t.Errorf("%s is not what comes out (%v); -update writes it", golden, err)
		}
	}
}

// A page fetches nothing, whatever stands in the source it shows.
func TestPage_IsSelfContained(t *testing.T) {
	w := &verdict.Witness{Class: "history", Message: "</script><script>alert(1)</script>", Account: verdict.Account{Steps: []verdict.Step{{Thread: 1, Place: verdict.Place{File: "a.go", Line: 1},
		Source: "</script><img src=x>", Access: &verdict.Access{Kind: verdict.Read, Object: "</script>", Old: "1"}}}}}
	text := page(t, w)
	for _, bad := range []string{"<img src=x>", "alert(1)</script>", ` src="`, "@import", "url(http"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
}

// A long execution is cut, and the page says so; it stays below 5 MB.
func TestPage_CutsWhatIsTooLong(t *testing.T) {
	w := &verdict.Witness{Class: "history"}
	for range 3100 {
		w.Steps = append(w.Steps, verdict.Step{Thread: 1, Access: &verdict.Access{Kind: verdict.Read, Object: "n", Old: "1"}})
	}
	text := page(t, w)
	if !strings.Contains(text, "The last 100 steps are not shown") || len(text) > 5<<20 {
		t.Errorf("%d bytes, cut %t", len(text), strings.Contains(text, "are not shown"))
	}
}

// Of what is verified the page says what was covered: scope, operations, what they returned, what was
// left out and assumed, and the figures.
func TestPage_SaysWhatWasCovered(t *testing.T) {
	v := verdict.Verdict{Subject: verdict.Subject{Collection: "queue.Queue", Kind: "queue", Property: "linear", Oracle: "queue"}, Engine: "bounded", Status: verdict.Verified,
		Scope:      verdict.Scope{Bounds: &verdict.Bounds{Preset: "D", Threads: [2]int{1, 3}, Steps: [2]int{1, 3}, Values: 4, Hash: "identity"}},
		Operations: []string{"Put", "Take"}, LeftOut: []verdict.LeftOut{{Operation: "Walk", Why: "it takes a channel"}}, Assumptions: []string{"all is well"},
		Dropped:  []verdict.Dropped{{Scope: "2x5", Why: "too large", States: 7}},
		Findings: verdict.Findings{Returns: []verdict.Returns{{Operation: "Put", Results: []string{""}}, {Operation: "Take", Results: []string{"1, true", "0, false"}, Waits: true}}},
		Effort:   verdict.Effort{Clients: "8108", States: 15714, Transitions: 43196, Seconds: 0.21, PeakBytes: 4096}}
	text := page(t, v)
	for _, want := range []string{"threads 1..3", "Put, Take", "Walk: it takes a channel", "all is well", "2x5: too large", "<li>Put: returns</li>", "<li>Take: (1, true); (0, false); waits for ever, as it may</li>",
		"8108 clients, 15714 states, 43196 transitions", `<td class="more">D</td>`, "0.21"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

// The page of a proof shows what threads may see, without a script.
func TestPage_DrawsInvariants(t *testing.T) {
	root := verdict.AbstractCell{Name: "@0", Type: "T[<int>]", Fields: []verdict.Field{{Name: "top", Value: "@1", To: "@1"}}}
	cell := verdict.AbstractCell{Name: "@1", Type: "node", Private: true, Fields: []verdict.Field{{Name: "next", Value: "@2", To: "@2"}, {Name: "back", Value: "@0", To: "@0"}}}
	chain := verdict.AbstractCell{Name: "@2", Chain: true, MayBeEmpty: true, Kinds: []string{"node{value: =k}"}, Fields: []verdict.Field{{Value: "0"}}}
	v := verdict.Verdict{Engine: "unbounded", Status: verdict.Proved, Findings: verdict.Findings{Proof: &verdict.Proof{Content: "the cells from top", Views: 2, Unreached: []string{},
		Seen: []verdict.SeenAt{{At: "a.go:1 in F", Count: 2, Views: []verdict.Seen{{Facts: []string{"argument <k", "changed"}, Cells: []verdict.AbstractCell{root, cell, chain}}}}}}}}
	text := page(t, v)
	for _, want := range []string{"a.go:1 in F: 2", "argument &lt;k, changed", "@0 T[&lt;int&gt;]", "@1 node (its own)", "@2 any number of", "node{value: =k}", "then 0", "1 more are not shown", "<b class=\"verified\">1</b> proved"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	if n := strings.Count(text, `<polygon class="tip"`); n != 3 {
		t.Errorf("there are %d arrows, want 3", n)
	}
	if strings.Contains(page(t, verdict.Verdict{Engine: "unbounded", Status: verdict.Proved, Findings: verdict.Findings{Proof: &verdict.Proof{Unreached: []string{}}}}), "invariant\"") {
		t.Error("an invariant is shown of which nothing is known")
	}
}

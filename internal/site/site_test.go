// SPDX-License-Identifier: BSD-3-Clause

package site_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pangolin"
	"pangolin/internal/cache"
	"pangolin/internal/git"
	"pangolin/internal/site"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// The site shows what was judged, and nothing to strangers.

// The sources of a module over time.
const (
	head = "package box\n\nimport \"sync/atomic\"\n\n"
	// A counter that loses counts, and one that does not.
	lossy = "// Counter counts.\ntype Counter struct{ n atomic.Int64 }\n\nfunc (c *Counter) Inc() { c.n.Store(c.n.Load() + 1) }\n\nfunc (c *Counter) Get() int64 { return c.n.Load() }\n"
	right = "// Counter counts.\ntype Counter struct{ n atomic.Int64 }\n\nfunc (c *Counter) Inc() { c.n.Add(1) }\n\nfunc (c *Counter) Get() int64 { return c.n.Load() }\n"
	other = "\n// Tally counts as well.\ntype Tally struct{ n atomic.Int64 }\n\nfunc (t *Tally) Inc() { t.n.Add(1) }\n\nfunc (t *Tally) Get() int64 { return t.n.Load() }\n"
)

// open opens an empty directory of results.
func open(t *testing.T) *cache.Dir {
	t.Helper()
	d, err := cache.Open(filepath.Join(t.TempDir(), "results"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// judged verifies a module at three commits, and then modified, with results in a directory. It gives the commits.
func judged(t *testing.T, d *cache.Dir) (commits []string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) {
		t.Helper()
		if _, err := (git.Command{Dir: dir}).Run(t.Context(), append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)...); err != nil {
			t.Fatal(err)
		}
	}
	verify := func(config string, packages ...string) {
		t.Helper()
		r := pangolin.Request{Dir: dir, Packages: packages, Scope: pangolin.Scope{Config: config}, Search: pangolin.Search{Cache: d.Path()}}
		if _, err := pangolin.Verify(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.org/shop\n\ngo 1.26\n")
	write("more/more.go", strings.ReplaceAll(head+right, "package box", "package more"))
	run("init", "-q")
	for i, text := range []string{head + lossy, head + right + other, head + right} {
		write("box/box.go", text)
		run("add", ".")
		run("commit", "-q", "-m", "a commit")
		at, ok := git.Head(t.Context(), dir)
		if !ok {
			t.Fatal("there is no commit")
		}
		commits = append(commits, at.Commit[:12])
		packages := []string{"./..."}
		if i == 2 {
			packages = []string{"./box"}
		}
		verify([]string{"2x3", "2x3", "2x2"}[i], packages...)
	}
	write("box/box.go", head+lossy+"\n// Modified.\n")
	verify("2x3", "./box")
	return commits
}

// get gives a page.
func get(t *testing.T, s http.Handler, path string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", path, nil)
	r.Host = "127.0.0.1:6464"
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// text is a page without its tags.
func text(page string) string {
	_, page, _ = strings.Cut(page, "<main>")
	return strings.Join(strings.Fields(regexp.MustCompile("<[^>]*>").ReplaceAllString(page, " ")), " ")
}

// has complains of what a page lacks.
func has(t *testing.T, s http.Handler, path string, want ...string) string {
	t.Helper()
	code, page := get(t, s, path)
	if code != http.StatusOK {
		t.Errorf("%s: status %d: %s", path, code, text(page))
	}
	for _, w := range want {
		if !strings.Contains(text(page), w) {
			t.Errorf("%s has no %q: %s", path, w, text(page))
		}
	}
	return page
}

func TestSite_ShowsWhatWasJudged(t *testing.T) {
	d := open(t)
	commits := judged(t, d)
	s := site.New(d, "")
	changed := commits[2] + " modified"
	page := has(t, s, "/", "1 violated , 2 verified or proved, 0 unknown", "box.Counter example.org/shop/box linear violated (history)", changed, "more.Counter example.org/shop/more linear verified", "1 to 3 of 3")
	has(t, s, "/?q=more", "1 to 1 of 1", "more.Counter")
	has(t, s, "/?q=nothing+of+that", "Nothing is found")
	has(t, s, "/?status=violated", "1 to 1 of 1", "box.Counter")
	has(t, s, "/?module=example.org%2Fshop&at="+commits[0], "1 violated , 1 verified", "Verdicts of "+commits[0])
	has(t, s, "/?module=example.org%2Fother", "Nothing is found")

	id := url.Values{"module": {"example.org/shop"}, "package": {"example.org/shop/box"}, "type": {"box.Counter"}}
	history := has(t, s, "/type?"+id.Encode(), changed, commits[0], commits[1], commits[2])
	if rows := strings.Count(history, "<tr"); rows != 5 {
		t.Errorf("the history has %d rows, want a head and 4: %s", rows, text(history))
	}
	if rows := regexp.MustCompile(`(?s)<tr.*?</tr>`).FindAllString(history, -1); len(rows) == 5 {
		for i, want := range []string{"violated.*verdict, scope", "verified.*scope", "verified.*verdict", "violated"} {
			if !regexp.MustCompile(want).MatchString(strings.ReplaceAll(rows[i+1], "\n", " ")) {
				t.Errorf("row %d of the history is %s; want %s", i, text("<main>"+rows[i+1]), want)
			}
		}
	}
	has(t, s, "/revisions?module=example.org%2Fshop", changed, commits[0], commits[1], commits[2])
	for _, m := range regexp.MustCompile(`href="([^"#]+)"`).FindAllStringSubmatch(page+history, -1) { // nothing leads nowhere
		if code, _ := get(t, s, strings.ReplaceAll(m[1], "&amp;", "&")); code != http.StatusOK && m[1] != "data:," {
			t.Errorf("%s: %d", m[1], code)
		}
	}
}

func TestSite_ComparesRevisions(t *testing.T) {
	d := open(t)
	c := judged(t, d)
	s := site.New(d, "")
	at := func(a, b string) string {
		return "/compare?" + url.Values{"module": {"example.org/shop"}, "a": {a}, "b": {b}}.Encode()
	}
	has(t, s, at(c[0], c[1]), "Another verdict (1)", "box.Counter example.org/shop/box linear violated (history) 2x3, bounded verified 2x3, bounded", "New (1)", "box.Tally", "1 verdicts are the same")
	has(t, s, at(c[1], c[2]), "Gone (1)", "box.Tally", "Another scope or engine (1)", "Not asked at the second revision (1)", "more.Counter", "0 verdicts are the same")
	has(t, s, at(c[2], c[2]+"-modified"), "Another verdict (1)")
	if code, _ := get(t, s, at("0123", "4567")); code != http.StatusNotFound {
		t.Errorf("unknown revisions: %d", code)
	}
}

// Each way in which two verdicts may differ.
func TestSite_TellsWhatDiffers(t *testing.T) {
	same := task.Answer{Type: "p.T", Property: "linear", Engine: "bounded", Status: verdict.Verified, Scope: "D"}
	for want, change := range map[string]func(*task.Answer){
		"1 verdicts are the same":     func(a *task.Answer) { a.Seconds = 7 },
		"Another verdict (1)":         func(a *task.Answer) { a.Status = verdict.Unknown },
		"another verdict (1)":         func(a *task.Answer) { a.Class = "history" },
		"Another scope or engine (1)": func(a *task.Answer) { a.Scope = "B" },
		"another scope or engine (1)": func(a *task.Answer) { a.Engine = "cmp" },
	} {
		d, other := open(t), same
		change(&other)
		for i, a := range []task.Answer{same, other} {
			entry(t, d, task.Entry{Origin: task.Origin{Commit: strings.Repeat(fmt.Sprint(i), 40), Sources: task.Clean}, At: time.Now(), Package: "p", Answers: []task.Answer{a}})
		}
		has(t, site.New(d, ""), "/compare?module=&a=000000000000&b=111111111111", strings.ToUpper(want[:1])+want[1:])
	}
}

// The page of a result has the violation, a policy of its own that allows its scripts, and goes when the result does.
func TestSite_ShowsResults(t *testing.T) {
	d := open(t)
	judged(t, d)
	s := site.New(d, "")
	_, page := get(t, s, "/?status=violated")
	m := regexp.MustCompile(`href="(/result/[0-9a-f]+)"`).FindStringSubmatch(page)
	if m == nil {
		t.Fatal("no link to a result: ", text(page))
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, &http.Request{Method: "GET", Host: "localhost", URL: &url.URL{Path: m[1]}})
	if p := w.Header().Get("Content-Security-Policy"); !strings.Contains(p, "script-src 'sha256-") || strings.Contains(p, "unsafe") {
		t.Errorf("the policy is %s", p)
	}
	if !strings.Contains(w.Body.String(), "box.Counter") || !strings.Contains(w.Body.String(), `id="run-1"`) {
		t.Errorf("no violation on the page: %d", w.Code)
	}
	for _, path := range []string{"/result/" + strings.Repeat("0", 64), "/result/..%2f..%2fetc", "/result/x"} {
		if code, _ := get(t, s, path); code != http.StatusNotFound {
			t.Errorf("%s: %d", path, code)
		}
	}
	files, err := filepath.Glob(filepath.Join(d.Path(), "*", "*.result"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
	if code, page := get(t, s, m[1]); code != http.StatusNotFound || !strings.Contains(page, "not kept any more") {
		t.Errorf("a result that is gone: %d", code)
	}
}

func TestSite_AnswersOnlyToItsName(t *testing.T) {
	for _, c := range []struct {
		name, host string
		answers    bool
	}{
		{"", "127.0.0.1:6464", true}, {"", "127.0.0.1", true}, {"", "localhost:6464", true}, {"", "LOCALHOST", true}, {"", "[::1]:6464", true}, {"", "[::1]", true},
		{"", "evil.example", false}, {"", "evil.example:6464", false}, {"", "127.0.0.1.evil.example", false}, {"", "localhost.evil.example", false}, {"", "", false},
		{"build.example", "build.example:80", true}, {"build.example", "evil.example:80", false},
	} {
		s := site.New(open(t), c.name)
		for _, path := range []string{"/", "/site.js", "/events2", "/result/x"} {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, &http.Request{Method: "GET", Host: c.host, URL: &url.URL{Path: path}})
			if answers := w.Code != http.StatusMisdirectedRequest; answers != c.answers {
				t.Errorf("%s called %q, as %q: %d", path, c.host, c.name, w.Code)
			}
		}
	}
}

func TestSite_OnlyReads(t *testing.T) {
	s := site.New(open(t), "")
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(method, "/", nil)
		r.Host = "127.0.0.1"
		if s.ServeHTTP(w, r); w.Code < 400 {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
}

// entry is a line of the log.
func entry(t *testing.T, d *cache.Dir, entries ...task.Entry) {
	t.Helper()
	var lines [][]byte
	for i := range entries {
		text, err := json.Marshal(&entries[i])
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, text)
	}
	if err := d.Append(lines...); err != nil {
		t.Fatal(err)
	}
}

// Whatever stands in the log is text, and what is no entry is left out.
func TestSite_TakesTheLogForText(t *testing.T) {
	d := open(t)
	bad := `"><script>alert(1)</script>`
	entry(t, d, task.Entry{Origin: task.Origin{Module: bad, Commit: bad}, At: time.Now(), Package: bad, Key: bad, Answers: []task.Answer{{Type: bad, Property: verdict.Property(bad), Engine: bad, Status: verdict.Status(bad), Class: bad, Scope: bad}}})
	if err := d.Append([]byte(`{"at":"2026-01-01T00:00:00Z","package":"torn","answers":[{"ty`), []byte(`{"package":"torn","answers":[{"type":5}]}`), []byte("null"), []byte(`{"package":"x"}`), []byte("\x00\x00")); err != nil {
		t.Fatal(err)
	}
	s := site.New(d, "")
	id := url.Values{"module": {bad}, "package": {bad}, "type": {bad}}.Encode()
	for _, path := range []string{"/", "/?q=%22%3E%3Cscript%3E", "/?at=" + url.QueryEscape(bad), "/type?" + id, "/revisions?" + id, "/compare?" + id + "&a=" + url.QueryEscape(bad[:12]) + "&b=" + url.QueryEscape(bad[:12])} {
		code, page := get(t, s, path)
		if code != http.StatusOK || strings.Contains(page, "<script>alert") || strings.Contains(page, "torn") {
			t.Errorf("%s: %d: %s", path, code, page)
		}
	}
}

func TestSite_SaysWhatToDoAtFirst(t *testing.T) {
	has(t, site.New(open(t), ""), "/", "Nothing was judged yet", "pangolin verify ./...")
}

// many writes a log of ten thousand results: 2,000 types of 100 packages at five revisions.
func many(t *testing.T, d *cache.Dir) {
	t.Helper()
	var list []task.Entry
	for rev := range 5 {
		for i := range 2000 {
			status, class := verdict.Verified, ""
			if (i+rev)%50 == 0 {
				status, class = verdict.Violated, "history"
			}
			list = append(list, task.Entry{Origin: task.Origin{Module: "example.org/large", Commit: strings.Repeat(fmt.Sprint(rev), 40), Sources: task.Clean}, At: time.Date(2026, 1, 1+rev, 0, 0, i, 0, time.UTC), Package: fmt.Sprintf("example.org/large/pkg%02d", i/20), Key: fmt.Sprintf("%064x", rev*2000+i), Answers: []task.Answer{{Type: fmt.Sprintf("pkg%02d.Type%d", i/20, i%20), Property: "linear", Engine: "bounded", Status: status, Class: class, Scope: "D", Seconds: 1.5}}})
		}
	}
	entry(t, d, list...)
}

// Ten thousand results are read once, and pages are parts of them; -v tells how long each takes.
func TestSite_ShowsTenThousandResultsInParts(t *testing.T) {
	d := open(t)
	many(t, d)
	s := site.New(d, "")
	id := url.Values{"module": {"example.org/large"}, "package": {"example.org/large/pkg07"}, "type": {"pkg07.Type3"}}.Encode()
	for i, path := range []string{"/", "/", "/?q=pkg42", "/?page=10", "/type?" + id, "/revisions?module=example.org%2Flarge", "/compare?module=example.org%2Flarge&a=000000000000&b=444444444444"} {
		begun := time.Now()
		code, page := get(t, s, path)
		took := time.Since(begun)
		t.Logf("%s: %v, %d bytes", path, took, len(page))
		if code != http.StatusOK || i == 0 && !strings.Contains(text(page), "1 to 200 of 2000") {
			t.Errorf("%s: %d", path, code)
		}
	}
	if page := has(t, s, "/?page=10", "1801 to 2000 of 2000", "pkg99.Type19"); strings.Count(page, "<tr>") != 201 || strings.Contains(page, "pkg89.") {
		t.Errorf("the last page has %d rows", strings.Count(page, "<tr>"))
	}
	entry(t, d, task.Entry{Origin: task.Origin{Module: "example.org/large"}, At: time.Now(), Package: "example.org/large/new", Answers: []task.Answer{{Type: "new.Type", Property: "linear", Status: verdict.Verified}}})
	has(t, s, "/?q=new.Type", "1 to 1 of 1")
}

// A stream tells of processes that begin and end, and of new results.
func TestSite_TellsWhatIsGoingOn(t *testing.T) {
	d := open(t)
	server := httptest.NewServer(site.New(d, ""))
	defer server.Close()
	response, err := http.Get(server.URL + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	next := func(event string) string {
		t.Helper()
		for lines.Scan() {
			if lines.Text() == "event: "+event && lines.Scan() {
				return lines.Text()
			}
		}
		t.Fatalf("the stream has ended before an event %s: %v", event, lines.Err())
		return ""
	}
	if got := next("running"); got != "data: []" {
		t.Errorf("at first %s", got)
	}
	next("log")
	sign := d.Sign()
	if err := sign.Show([]byte(`{"pid":77,"command":"pangolin verify","collection":"q.Queue","states":1234}`)); err != nil {
		t.Fatal(err)
	}
	if got := next("running"); !strings.Contains(got, `"pid":77`) || !strings.Contains(got, `"states":1234`) {
		t.Errorf("a process is at work: %s", got)
	}
	if err := sign.Gone(); err != nil {
		t.Fatal(err)
	}
	if got := next("running"); got != "data: []" {
		t.Errorf("it is gone: %s", got)
	}
	entry(t, d, task.Entry{At: time.Now(), Package: "p", Answers: []task.Answer{{Type: "p.T", Property: "linear", Status: verdict.Verified}}})
	next("log")
}

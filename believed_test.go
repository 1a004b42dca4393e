// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/find"
	"pangolin/internal/task"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// elsewhere is another machine that has the sources of a directory, and changes what it finds out.
func elsewhere(t *testing.T, dir string, change func(*task.Result)) task.Elsewhere {
	return func(ctx context.Context, a *task.Away) (task.Sent, error) {
		text, err := json.Marshal(a.Task)
		if err != nil {
			return task.Sent{}, err
		}
		e, lasting, err := (&task.Here{Dir: dir}).Answer(ctx, text)
		if err != nil {
			return task.Sent{}, err
		}
		var r task.Result
		if err := r.UnmarshalJSON(e.Text); err != nil {
			t.Error(err)
		}
		if change != nil {
			change(&r)
		}
		text, err = json.Marshal(&r)
		return task.Sent{Text: text, Lasting: lasting, By: "rack7"}, err
	}
}

// What an honest machine finds out is believed, and is what is found out here.
func TestVerify_BelievesEvidence(t *testing.T) {
	packages := []string{"pangolin/collections/queue", "pangolin/collections/stack", "pangolin/collections/conditional"}
	if level.More() { // each collection twice, and each witness once more
		packages = []string{"pangolin/collections/..."}
	}
	ctx := find.NewAnswers().Within(t.Context())
	r := pangolin.Request{Packages: packages, Property: "all", Scope: pangolin.Scope{Config: "2x3", Prove: "auto"}, Search: pangolin.Search{Scenes: true}}
	here, err := pangolin.Verify(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	r.Events.Elsewhere = elsewhere(t, "", nil)
	there, err := pangolin.Verify(ctx, r)
	if err != nil || len(there) != len(here) {
		t.Fatalf("%d verdicts, here %d: %v", len(there), len(here), err)
	}
	violated, proved := 0, 0
	for i := range there {
		if there[i].Violation != nil {
			violated++
		}
		if there[i].Proof.Beside() {
			proved++
		}
		if got, want := untimed(t, there[i]), untimed(t, here[i]); got != want {
			t.Errorf("%s\nhere\n%s", got, want)
		}
	}
	if violated == 0 || proved == 0 {
		t.Errorf("%d are violated, %d proved", violated, proved)
	}
	t.Logf("of %d verdicts, %d are violated and %d proved beside", len(here), violated, proved)
}

// A type that one thread shows to be wrong is told so by the rule blame, in a sentence that no witness has: it is believed if it is the sentence that is due.
func TestVerify_BelievesBlame(t *testing.T) {
	const first, last = "v, b.list = b.list[0], b.list[1:]", "v, b.list = b.list[n], b.list[:n]"
	for name, c := range map[string]struct{ source, says string }{
		"called a queue":          {container("WorkQueue", "Push", "Pop", last), "by the oracle queue, which it is called: "},
		"an operation that tells": {container("Box", "Add", "DeleteMin", first), "by the oracle pqueue, as the name DeleteMin tells: "},
		"two threads are wrong":   {strings.Replace(container("Stack", "Push", "Pop", last), "b.mu.Lock()", "", 1), ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := pangolin.Request{Dir: write(t, c.source)}
			here, err := pangolin.Verify(t.Context(), r)
			if err != nil || len(here) != 1 || here[0].Violation == nil {
				t.Fatalf("%v %+v", err, here)
			}
			if got := here[0].Violation.Summary; strings.HasPrefix(got, "one thread alone is wrong ") != (c.says != "") || !strings.Contains(got, c.says) {
				t.Errorf("it is wrong since %q", got)
			}
			r.Events.Elsewhere = elsewhere(t, r.Dir, nil)
			there, err := pangolin.Verify(t.Context(), r)
			if err != nil || len(there) != 1 || untimed(t, there[0]) != untimed(t, here[0]) {
				t.Errorf("%v %+v\nhere\n%+v", err, there, here)
			}
			r.Events.Elsewhere = elsewhere(t, r.Dir, func(r *task.Result) {
				one := r.Verdicts[0].Violation
				one.Summary = "one thread alone is wrong by the oracle counter, which it is called: " + one.Execution.Message
			})
			if list, err := pangolin.Verify(t.Context(), r); err == nil || !strings.Contains(err.Error(), "is not the one") {
				t.Errorf("another oracle: %v %+v", err, list)
			}
			r.Events.Elsewhere = elsewhere(t, r.Dir, func(r *task.Result) {
				one := r.Verdicts[0].Violation
				if one.Summary = one.Execution.Message; c.says == "" {
					one.Summary = "one thread alone is wrong by the oracle stack, which it is called: " + one.Summary
				}
			})
			if list, err := pangolin.Verify(t.Context(), r); c.says == "" && (err == nil || !strings.Contains(err.Error(), "is not the one")) {
				t.Errorf("two threads alone: %v %+v", err, list)
			}
		})
	}
}

// untimed is a verdict as text, without what differs from run to run.
func untimed(t *testing.T, v verdict.Verdict) string {
	t.Helper()
	v.Seconds, v.PeakBytes = 0, 0
	for i := range v.Asked {
		v.Asked[i].Seconds = 0
	}
	text, err := verdict.Encode(&v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func copied(t *testing.T, v verdict.Verdict) verdict.Verdict {
	t.Helper()
	text, err := verdict.Encode(&v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := verdict.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return *out
}

// No change of the evidence is believed, and none is kept: the next run is right.
func TestVerify_DoesNotBelieveLies(t *testing.T) {
	broken := write(t, strings.Replace(container("Stack", "Push", "Pop", "v, b.list = b.list[n], b.list[:n]"), "b.mu.Lock()", "", 1))
	correct := write(t, container("Stack", "Push", "Pop", "v, b.list = b.list[n], b.list[:n]"))
	said := func(dir string) []verdict.Verdict {
		list, err := pangolin.Verify(t.Context(), pangolin.Request{Dir: dir, Search: pangolin.Search{Evidence: pangolin.Evidence{Certify: true}}})
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		return list
	}
	violated, verified := said(broken), said(correct)
	asQueue, err := pangolin.Verify(t.Context(), pangolin.Request{Dir: correct, Kind: "queue"})
	if err != nil || len(asQueue) != 1 || asQueue[0].Violation == nil {
		t.Fatal(asQueue, err)
	}
	if violated[0].Violation == nil || !verified[0].Proof.Beside() {
		t.Fatalf("%+v\n%+v", violated[0], verified[0])
	}
	witness := func(change func(v *verdict.Verdict, w *verdict.Witness)) func(*task.Result) {
		return func(r *task.Result) { v := &r.Verdicts[0]; change(v, v.Violation.Execution) }
	}
	proof := func(change func(*verdict.Verdict)) func(*task.Result) {
		return func(r *task.Result) { change(&r.Verdicts[0]) }
	}
	right := func(dir string) verdict.Status {
		if dir == broken {
			return verdict.Violated
		}
		return verdict.Verified
	}
	for name, c := range map[string]struct {
		dir  string
		lie  func(*task.Result)
		told string // by the error; "": there is none, as the task is done here
	}{
		"no verdict":         {correct, func(r *task.Result) { r.Verdicts = nil }, "0 verdicts"},
		"another collection": {correct, proof(func(v *verdict.Verdict) { v.Collection = "example.Queue" }), "example.Queue"},
		"another property":   {correct, proof(func(v *verdict.Verdict) { v.Property = "sc" }), "sc"},
		"a violation of other code": {correct, func(r *task.Result) {
			r.Verdicts[0] = copied(t, violated[0])
		}, "witness does not replay"},
		"no witness":      {broken, witness(func(v *verdict.Verdict, _ *verdict.Witness) { v.Violation.Execution = nil }), "no witness"},
		"no violation":    {broken, witness(func(v *verdict.Verdict, _ *verdict.Witness) { v.Violation = nil }), "no witness"},
		"another class":   {broken, witness(func(v *verdict.Verdict, w *verdict.Witness) { v.Violation.Class, w.Class = "panic", "panic" }), "witness"},
		"another summary": {broken, witness(func(v *verdict.Verdict, _ *verdict.Witness) { v.Violation.Summary = "it is slow" }), "is not the one"},
		"another history": {broken, witness(func(_ *verdict.Verdict, w *verdict.Witness) {
			w.Steps[0].Thread++
		}), "another execution"},
		"half a schedule": {broken, witness(func(_ *verdict.Verdict, w *verdict.Witness) {
			w.Schedule.Turns = w.Schedule.Turns[:len(w.Schedule.Turns)/2]
		}), "does not replay"},
		"another constructor": {broken, witness(func(_ *verdict.Verdict, w *verdict.Witness) { w.Source.New = "(*Stack)(nil)" }), ""},
		"another kind":        {correct, func(r *task.Result) { r.Verdicts[0] = copied(t, asQueue[0]) }, ""},
		"another package":     {broken, witness(func(_ *verdict.Verdict, w *verdict.Witness) { w.Source.Package = "fmt" }), "package fmt"},
		"no certificate":      {correct, proof(func(v *verdict.Verdict) { v.Proof.Text = nil }), "no certificate"},
		"proved, they say":    {broken, func(r *task.Result) { r.Verdicts[0] = copied(t, verified[0]) }, "certificate does not hold"},
		"a proof without one": {correct, proof(func(v *verdict.Verdict) { v.Status, v.Proof = verdict.Proved, nil }), "no certificate"},
		"a damaged one":       {correct, proof(func(v *verdict.Verdict) { v.Proof.Text = v.Proof.Text[:len(v.Proof.Text)/2] }), "certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			cache := t.TempDir()
			r := pangolin.Request{Dir: c.dir, Search: pangolin.Search{Cache: cache}, Events: pangolin.Events{Elsewhere: elsewhere(t, c.dir, c.lie)}}
			shown := 0
			r.Events.Verdict = func(v verdict.Verdict) {
				if v.Status != verdict.NotJudged {
					shown++
				}
			}
			list, err := pangolin.Verify(t.Context(), r)
			if c.told == "" {
				if err != nil || len(list) != 1 || list[0].Status != right(c.dir) {
					t.Errorf("%v %+v", err, list)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), "rack7") || !strings.Contains(err.Error(), c.told) || shown != 0 {
				t.Errorf("%d verdicts are shown: %v, want one with %q\n%+v", shown, err, c.told, list)
			}
			r.Events = pangolin.Events{}
			again, err := pangolin.Verify(t.Context(), r)
			if err != nil || len(again) != 1 || again[0].Status != right(c.dir) || again[0].Cached {
				t.Errorf("afterwards: %v %+v", err, again)
			}
		})
	}
}

// write writes a module with one file.
func write(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example\n\ngo 1.26\n", "example.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

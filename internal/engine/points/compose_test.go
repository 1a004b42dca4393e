// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"context"
	"strings"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// composed are policies, and what goes in step with the specification there: a lock-free stack as in R. Colvin's paper, a
// queue whose "empty" may be read in vain, two operations in one step, a future that decides, and keys.
var composed = []struct {
	pkg, typ           string
	synchronous        bool
	most               int
	helped, candidates string
	anywhere           string
}{
	{"stack", "LockFreeStack", true, 1, "", "", ""},
	{"queue", "UnboundedQueue", true, 1, "", "", ""},
	{"queue", "LockFreeQueue", true, 1, "", "Dequeue = _, false", ""},
	{"stack", "EliminationBackoffStack", false, 2, "Pop in Push, Push in Pop", "", ""},
	{"queue", "HerlihyWingQueue", false, 3, "Enqueue in Dequeue, Enqueue in Enqueue", "Enqueue", ""},
	{"conditional", "CCAS", false, 1, "Swap in Swap", "Swap", ""},
	{"list", "LockFreeList", true, 1, "", "", "Add = false, Contains = false, Contains = true, Remove = false"},
}

func TestCompose_SaysWhatGoesInStep(t *testing.T) {
	for i, c := range composed {
		t.Run(c.typ, func(t *testing.T) {
			if level.Short() || level.Out(i, 5) {
				t.Skip("some collections will do; -level more tries all")
			}
			j, err := job(t, collectionOf(t, c.pkg, c.typ), nil, "")
			if err != nil {
				t.Fatal(err)
			}
			if c.pkg == "list" {
				j.Scope.Clients.Threads.To = 2
			}
			got, err := Compose(context.Background(), j, engine.Events{})
			if err != nil || got.Verdict.Status != verdict.Verified {
				t.Fatal(got.Verdict.Status, got.Verdict.Reason, err)
			}
			var helped []string
			for _, h := range got.Helped {
				helped = append(helped, h.Operation+" in "+h.In)
			}
			if got.Synchronous != c.synchronous || got.Most != c.most || strings.Join(helped, ", ") != c.helped ||
				texts(got.Candidates) != c.candidates || texts(got.Anywhere) != c.anywhere {
				t.Errorf("%+v", got)
			}
			if needed := c.candidates+c.anywhere != ""; needed != (got.Intermediate != nil) {
				t.Errorf("intermediate system: %+v", got.Intermediate)
			} else if needed && (got.Intermediate.Status != verdict.Verified || got.Intermediate.States < 100) {
				t.Errorf("%+v", got.Intermediate)
			}
		})
	}
}

func texts(list []verdict.OutcomeOf) string {
	var out []string
	for _, o := range list {
		out = append(out, o.String())
	}
	return strings.Join(out, ", ")
}

// A step of the specification that cannot be made is shown, by an execution that breaks a rule.
func TestCompose_RejectsWrongPolicies(t *testing.T) {
	level.SkipShort(t, "checks policies of all stacks and queues")
	for _, c := range wrong {
		if c.rule == "" || c.pkg == "list" {
			continue
		}
		t.Run(c.typ+" "+c.fault, func(t *testing.T) {
			j, err := job(t, collectionOf(t, c.pkg, c.typ), map[string]string{c.from: c.to}, c.file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Compose(context.Background(), j, engine.Events{})
			if err != nil || got.Verdict.Status != verdict.Violated || !strings.HasPrefix(got.Verdict.Violation.Summary, c.rule+": ") {
				t.Errorf("%s %+v %v", got.Verdict.Status, got.Verdict.Violation, err)
			}
		})
	}
}

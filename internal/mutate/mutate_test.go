// SPDX-License-Identifier: BSD-3-Clause

package mutate

import (
	"context"
	"slices"
	"testing"
	"time"

	"pangolin/internal/collection"
	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/internal/inquiry"
	"pangolin/internal/subject"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// An engine that finds everything correct shows whether a mutant has the limit on time, the collection itself a longer one, and
// whether a shortest witness is looked for.
func TestRun_EachMutantIsVerifiedAsItWasAsked(t *testing.T) {
	var limits, shortest []bool
	e := engine.Engine{Name: "sketch", Run: func(ctx context.Context, j *engine.Job, _ engine.Events) (verdict.Verdict, error) {
		shortest = append(shortest, j.Shortest)
		at, limited := ctx.Deadline()
		limits = append(limits, limited && time.Until(at) <= time.Minute)
		return verdict.Verdict{Status: verdict.Verified}, nil
	}}
	q := find.Query{Packages: []string{"pangolin/collections/stack.LockFreeStack"},
		Overrides: func([]string) (collection.Overrides, error) { return collection.Overrides{}, nil }}
	found, _, err := q.Find(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	trial := &Trial{Engine: e, Order: &subject.Order{Listed: found[0].Listed, Overrides: found[0].Overrides},
		Job: engine.Job{Search: engine.Search{Timeout: time.Minute, Shortest: true}}, Scopes: engine.Union{{}},
		Task: &task.Task{Terms: &inquiry.Terms{Search: engine.Search{Timeout: time.Minute}}, Asked: task.Asked{Properties: []verdict.Property{verdict.Linear}}}}
	sum, err := trial.Run(context.Background(), Choice{Max: 2})
	if err != nil || sum.Survived != 2 {
		t.Fatalf("%+v, %v", sum, err)
	}
	mutants := limits[len(limits)-2:]
	if limits[0] || !mutants[0] || !mutants[1] {
		t.Errorf("within a minute: %v", limits)
	}
	if slices.Contains(shortest, false) {
		t.Errorf("a shortest witness is looked for: %v", shortest)
	}
}

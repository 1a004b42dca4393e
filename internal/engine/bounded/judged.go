// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/internal/consist"
	"pangolin/internal/engine"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Judged lists the histories with which the clients of a job's scope can end, each judged by permutations under all three properties,
// without a monitor. One history stands for others only as described at Histories; histories that print alike are listed once. The list is
// sorted; Incomplete says if a limit was reached. A scope with pre-adds is an error, because a history does not show what they leave.
func Judged(ctx context.Context, j *engine.Job) (verdict.Histories, error) {
	opt := Options{Job: *j}
	if n := j.Scope.Clients.PreAdds.To; n > 0 {
		return verdict.Histories{}, fmt.Errorf("up to %d pre-adds: histories are listed without (Request.Scope.PreAdds 0)", n)
	}
	opt.Workers = 1 // so that a limit always cuts the list in the same way
	out := verdict.Histories{Collection: j.Subject.About.Collection, Oracle: j.Subject.About.Oracle, Scope: j.Scope.Plain()}
	list, incomplete, err := Histories(ctx, opt)
	if err != nil {
		return out, err
	}
	if out.Incomplete = incomplete; ctx.Err() != nil {
		out.Incomplete = cmp.Or(incomplete, "interrupted")
	}
	for _, o := range list {
		if !o.Ends {
			continue
		}
		one, err := judged(j.Subject.Spec, o)
		if err != nil {
			return out, fmt.Errorf("%w\n%s", err, o.History)
		}
		out.List = append(out.List, one)
	}
	// The order of the search means nothing to readers, and histories that print alike (other items, renamed) are one line.
	slices.SortFunc(out.List, func(a, b verdict.History) int {
		return slices.Compare(a.Events, b.Events)
	})
	out.List = slices.CompactFunc(out.List, func(a, b verdict.History) bool {
		return slices.Equal(a.Events, b.Events) && slices.Equal(a.Has, b.Has)
	})
	return out, nil
}

// judged judges one history.
func judged(spec oracle.Spec, o Observed) (verdict.History, error) {
	one := verdict.History{Stuck: len(o.History.Stuck()), Has: []verdict.Property{}}
	for _, e := range o.History.Events {
		one.Events = append(one.Events, eventText(e))
	}
	for _, p := range verdict.OfHistories() {
		j, err := consist.Check(oracle.StartingAt(spec, o.Start), o.History, p)
		if err != nil {
			return one, err
		}
		if j.OK {
			one.Has = append(one.Has, p)
		}
	}
	return one, nil
}

// eventText writes an event with its thread: "1:Add(2)" for an invocation, "1=true" for a response, "1=()" for one without results.
func eventText(e history.Event) string {
	if e.Phase == history.Invoke {
		return fmt.Sprintf("%d:%s", e.Thread+1, e.Notation.Call(e.Name, e.Args))
	}
	result := strings.ReplaceAll(e.Notation.Results(e.Result), " ", "")
	switch {
	case e.Result.IsPanic():
		result = "panic"
	case e.Result.Len() == 0:
		result = "()"
	}
	return fmt.Sprintf("%d=%s", e.Thread+1, result)
}

// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"errors"
	"strings"

	"pangolin/internal/find"
	"pangolin/verdict"
)

// What the user names and could not be judged gets a verdict of its own, so that every format has a line for it.

// unjudged is the verdict about something that was not judged: a type ("queue.Ring"), a package, or a pattern that matches nothing.
func (r *Request) unjudged(name, path string, why error) verdict.Verdict {
	v := verdict.Verdict{Type: "verdict", Subject: verdict.Subject{Collection: name, Property: string(verdict.Linear)}, Package: path, Status: verdict.NotJudged,
		Reason: strings.TrimPrefix(why.Error(), name+": "), LeftOut: []verdict.LeftOut{}, Assumptions: []string{}}
	if r.Property != "" {
		v.Property = string(r.Property)
	}
	return v
}

// tellMissed makes the verdicts about what was missed, and reports them as events.
// First is the position of the first one.
func (r *Request) tellMissed(list []find.Missed, first int) (out []verdict.Verdict) {
	for i, m := range list {
		v := r.unjudged(m.Name, m.Package, m.Err)
		if m.What == find.Unchanged {
			v.Status = verdict.Unchanged
		}
		r.Events.position(first + i)
		r.Events.verdict(v)
		out = append(out, v)
	}
	return out
}

// Unjudged makes the verdicts about everything that a request names, if Prepare has found no collection and returned err. The error that
// remains is about the request, or about packages as a whole, but not about types that exist and cannot be verified.
func Unjudged(r Request, err error) ([]verdict.Verdict, error) {
	var none *find.NoTarget
	if !errors.As(err, &none) {
		return nil, err
	}
	return r.tellMissed(none.List, 0), find.Joined(none.List, find.Mistake, find.NotLoaded, find.Without)
}

// unseen makes the verdicts about packages of which nothing is known yet.
func (r *Request) unseen(why error) []verdict.Verdict {
	var list []find.Missed
	for _, arg := range r.Packages {
		list = append(list, find.Missed{Name: arg, Err: why})
	}
	return r.tellMissed(list, 0)
}

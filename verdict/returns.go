// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"slices"
	"strings"
)

// MostReturns is the greatest number of results that are listed for an operation.
const MostReturns = 12

// Returns lists the results of one operation in all explored executions. If a result is missing, no execution had it, and what would follow
// it was not examined.
type Returns struct {
	Operation string   `json:"operation"`
	Results   []string `json:"results"`         // as Go writes them; "" for a call without results; not nil
	More      bool     `json:"more,omitempty"`  // not all results are listed
	Waits     bool     `json:"waits,omitempty"` // some call waited for ever, as it may
	// Never: no call returned except by a panic. Refuses: each call that returned was refused, with false, nil or an error.
	Never   bool `json:"never,omitempty"`
	Refuses bool `json:"refuses,omitempty"`
}

// Join combines the results of two scopes.
func Join(a, b []Returns) []Returns {
	out := slices.Clone(a)
	for _, x := range b {
		i := slices.IndexFunc(out, func(o Returns) bool { return o.Operation == x.Operation })
		if i < 0 {
			out = append(out, x)
			continue
		}
		o := &out[i]
		o.Results = slices.Clone(o.Results)
		for _, r := range x.Results {
			if !slices.Contains(o.Results, r) {
				o.Results = append(o.Results, r)
			}
		}
		o.Never, o.Refuses = o.Never && x.Never, o.Refuses && x.Refuses
		o.More, o.Waits = o.More || x.More || len(o.Results) > MostReturns, o.Waits || x.Waits
		o.Results = o.Results[:min(len(o.Results), MostReturns)]
	}
	return out
}

// String is a line such as "Dequeue: 1; 2; (0, false)".
func (r Returns) String() string {
	var parts []string
	for _, text := range r.Results {
		switch {
		case text == "":
			text = "returns"
		case strings.Contains(text, ", "):
			text = "(" + text + ")"
		}
		parts = append(parts, text)
	}
	if r.More {
		parts = append(parts, "and others")
	}
	if r.Waits {
		parts = append(parts, "waits for ever, as it may")
	}
	if r.Refuses {
		parts = append(parts, "nothing else")
	}
	if len(parts) == 0 {
		return r.Operation + ": no call has returned"
	}
	return r.Operation + ": " + strings.Join(parts, "; ")
}

// refusing lists the operations that refused every call, of what is right: of what they do otherwise nothing was seen.
func (v *Verdict) refusing() (names []string) {
	for _, r := range v.Returns {
		if r.Refuses && (v.Status == Verified || v.Status == Proved) {
			names = append(names, r.Operation)
		}
	}
	return names
}

// Remarks say of what is verified which operations refused every call, and which panic: "Get always returned (0, false) in this scope". Where the code itself is what
// judges, a panic that one thread meets is right by it.
func (v *Verdict) Remarks() (out []string) {
	if v.Status != Verified {
		return nil
	}
	for _, r := range v.Returns {
		switch {
		case r.Refuses:
			r.Refuses = false
			_, what, _ := strings.Cut(r.String(), ": ")
			out = append(out, r.Operation+" always returned "+strings.ReplaceAll(what, "; ", " or ")+" in this scope")
		case slices.Contains(r.Results, panics):
			out = append(out, r.Operation+" panics in some calls, as it does when one thread makes them")
		}
	}
	return out
}

// panics is the result of a call that panics.
const panics = "panic"

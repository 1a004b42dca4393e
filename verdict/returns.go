// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"slices"
	"strings"
)

// MostReturns is how many results of an operation are listed.
const MostReturns = 12

// Returns is what calls of one operation returned in all that was explored. A result that is missing
// never came about: nothing was asked of what follows it.
type Returns struct {
	Operation string   `json:"operation"`
	Results   []string `json:"results"`         // as they are written; not nil; "" for a call without results
	More      bool     `json:"more,omitempty"`  // there are others that are not listed
	Waits     bool     `json:"waits,omitempty"` // some call never returned, as it may
	// Never says that no call returned but by a panic, and Refuses that each that returned was refused: false, nil, an error.
	Never   bool `json:"never,omitempty"`
	Refuses bool `json:"refuses,omitempty"`
}

// Join adds what the operations returned elsewhere.
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

// Refused says of the operations that have refused every call what they returned: "Get always returned (0, false) in this scope".
func (v *Verdict) Refused() (out []string) {
	for _, r := range v.Returns {
		if r.Refuses && v.Status == Verified {
			r.Refuses = false
			_, what, _ := strings.Cut(r.String(), ": ")
			out = append(out, r.Operation+" always returned "+strings.ReplaceAll(what, "; ", " or ")+" in this scope")
		}
	}
	return out
}

// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"fmt"
	"strings"

	"pangolin/internal/find"
)

// directed is the request as the directives in a type's comment want it, lines such as
// "new NewQueue[int](2)". What the user asks for wins.
func (r *Request) directed(lines []string) (*Request, error) {
	d := *r
	for _, line := range lines {
		name, value, _ := strings.Cut(line, " ")
		if err := d.direct(r, name, strings.TrimSpace(value)); err != nil {
			return nil, &find.DirectiveError{Line: line, Err: err}
		}
	}
	return &d, nil
}

// direct follows one directive, unless the user's request r says otherwise: of the bounds,
// a configuration is for those who ask for none.
func (d *Request) direct(r *Request, name, value string) error {
	var names []string
	for _, f := range Fields() {
		switch {
		case f.Directive == "":
			continue
		case f.Directive != name:
			names = append(names, f.Directive)
			continue
		case f.get(d) != "" || f.Group == OfScope && !f.Switch && r.Scope != (Scope{}):
			return nil
		}
		if f.Switch {
			value = "false" // only "unfair": its presence is what it says
		}
		return f.set(d, value)
	}
	if name == "skip" { // discovery knows it
		return nil
	}
	return fmt.Errorf("unknown directive: there are %s and skip", strings.Join(names, ", "))
}

// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"fmt"
	"strings"

	"pangolin/internal/find"
)

// directed is the request with the directives in a type's comment applied, lines such as "new NewQueue[int](2)". The user's own settings
// win.
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

// direct applies one directive, unless the user's request r sets the field; bounds are applied only if the user sets none.
func (d *Request) direct(r *Request, name, value string) error {
	var names []string
	for _, f := range Fields() {
		switch {
		case f.Directive == "":
			continue
		case f.Directive != name:
			names = append(names, f.Directive)
			continue
		case f.List && f.get(r) == "" && f.get(d) != "":
			value = f.get(d) + "," + value
		case f.get(d) != "" || f.Group == OfScope && !f.Switch && r.Scope.asked():
			return nil
		}
		if f.Switch {
			value = "false" // only "unfair" is a switch, and has no value
		}
		return f.set(d, value)
	}
	if name == "skip" { // package find evaluates it
		return nil
	}
	return fmt.Errorf("unknown directive: there are %s and skip", strings.Join(names, ", "))
}

// Directives lists the fields that a type's comment may set, by the names of their directives, and skip, for completion.
func Directives() []Field {
	list := []Field{{Directive: "skip", Doc: "verify the type only if it is named; behind it the reason may stand"},
		{Directive: "of", Doc: "in the comment of a package clause: a directive for a type that is declared elsewhere, of Queue expect violated"}}
	for _, f := range Fields() {
		if f.Directive != "" {
			list = append(list, f)
		}
	}
	return list
}

// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// callsBack reports why the functions that a method is given cannot call an operation of the same object.
func (d *draft) callsBack(m *method, back string) error {
	if !m.called && !m.takesStandIn() {
		return fmt.Errorf("%s is to be given functions that call %s, and is given no generated function", m.name, back)
	}
	i := slices.IndexFunc(d.selected, func(m *method) bool { return m.name == back })
	switch {
	case i < 0:
		return fmt.Errorf("the functions that %s is given are to call %s, which is no operation", m.name, back)
	case d.selected[i].keeps:
		return fmt.Errorf("the functions that %s is given are to call %s, which gives or takes what a thread keeps", m.name, back)
	}
	return nil
}

// unfit says why a method cannot be given what the user says.
func (d *draft) unfit(m *method, given string) string {
	obj := d.coder.pkg.Scope().Lookup(given)
	if obj == nil {
		return "the package has no function of this name"
	}
	var takes []string
	for p := range m.sig.Params().Variables() {
		if _, ok := p.Type().Underlying().(*types.Signature); ok {
			takes = append(takes, d.coder.show(p.Type()))
		}
	}
	if len(takes) == 0 {
		return m.name + " takes no function"
	}
	return fmt.Sprintf("it is of type %s, and %s takes %s", d.coder.show(obj.Type()), m.name, strings.Join(takes, " and "))
}

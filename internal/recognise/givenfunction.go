// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"pangolin/internal/collection"
)

// callsBack reports why the functions that an operation is given cannot call the operation of the same object that they are to call.
func (d *draft) callsBack() error {
	named := func(name string) int {
		return slices.IndexFunc(d.c.Operations, func(o collection.Operation) bool { return o.Name == name })
	}
	for _, name := range slices.Sorted(maps.Keys(d.o.Given)) {
		back, is := strings.CutPrefix(d.o.Given[name], collection.Back)
		if !is {
			continue
		}
		i := named(name)
		if i < 0 { // said by unused
			continue
		}
		o := &d.c.Operations[i]
		if !o.Call.Called && !slices.ContainsFunc(o.Call.Params, (*collection.Codec).HasStandIn) {
			return fmt.Errorf("%s is to be given functions that call %s, and is given no generated function", name, back)
		}
		switch i := named(back); {
		case i < 0:
			return fmt.Errorf("the functions that %s is given are to call %s, which is no operation", name, back)
		case !d.c.CanCallBack(o, &d.c.Operations[i]):
			return fmt.Errorf("the functions that %s is given are to call %s, which gives or takes what a thread keeps", name, back)
		}
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

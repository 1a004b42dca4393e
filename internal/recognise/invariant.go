// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"slices"

	"pangolin/internal/collection"
)

// takeInvariants sets the invariants that are asked for, and takes their methods out of those that may be operations and those that are
// left out. An error says which of them is none.
func (c *candidate) takeInvariants(asked []collection.Invariant, k *coder, usable []*method, skipped []collection.Skipped) ([]*method, []collection.Skipped, error) {
	for _, v := range asked {
		at := slices.IndexFunc(k.methods, func(m *method) bool { return m.name == v.Name })
		if at < 0 {
			return nil, nil, fmt.Errorf("invariant %s: %s has no method of this name", v.Name, c.Type)
		}
		if sig := k.methods[at].sig; sig.Params().Len() > 0 || sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool]) {
			return nil, nil, fmt.Errorf("invariant %s: an invariant has no parameters and returns a bool", v.Name)
		}
		usable = slices.DeleteFunc(usable, func(m *method) bool { return m.name == v.Name })
		skipped = slices.DeleteFunc(skipped, func(s collection.Skipped) bool { return s.Name == v.Name })
	}
	c.Invariants = asked
	return usable, skipped, nil
}

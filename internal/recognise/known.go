// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/collection"
)

// showing gives the codec of a method's parameter the values that are known.
func (k *coder) showing(m *method, i int, c *collection.Codec) {
	for _, known := range k.shown {
		if known.Operation == m.name && known.Param == i && c.Plain() {
			c.Names, c.Tag = known.Values, 0
		}
	}
}

// knownValues says which operations are given what another one returns: one sentence for the same values.
func (d *draft) knownValues() (out []string) {
	var said []collection.Known
	for _, k := range d.o.Known {
		same := func(o collection.Known) bool { return o.By == k.By && slices.Equal(o.Values, k.Values) }
		if k.By == "" || slices.ContainsFunc(said, same) {
			continue
		}
		said = append(said, k)
		var operations []string
		for _, o := range d.o.Known {
			if same(o) && !slices.Contains(operations, o.Operation) {
				operations = append(operations, o.Operation)
			}
		}
		are := "is"
		if len(operations) > 1 {
			are = "are"
		}
		out = append(out, fmt.Sprintf("%s %s given what %s returns first (%s), whichever thread got it, and nothing else", strings.Join(operations, ", "), are, k.By, strings.Join(k.Values, " or ")))
	}
	return out
}

// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// ParseProperties reads a list of properties, the strongest first; "" is linearizability.
func ParseProperties(text string) (p Asked, err error) {
	switch text {
	case "":
		return Asked{Properties: []verdict.Property{verdict.Linear}}, nil
	case "all":
		return Asked{Properties: verdict.OfHistories(), Strongest: true}, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		one := verdict.Property(strings.TrimSpace(name))
		if p.Properties = append(p.Properties, one); !slices.Contains(verdict.Properties(), one) {
			return Asked{}, fmt.Errorf("unknown property %q: there are %s, all for the strongest of them that hold, and %s", one, enumerated(verdict.OfHistories()), enumerated(verdict.OfProgress()))
		}
	}
	return p, nil
}

// enumerated writes a list as part of a sentence: linear, sc and quiescent.
func enumerated(list []verdict.Property) string {
	var names []string
	for _, p := range list {
		names = append(names, string(p))
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

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
	for _, name := range verdict.SplitProperties(text) {
		one, err := verdict.ParseProperty(name)
		if err != nil {
			return Asked{}, fmt.Errorf("%w: there are %s, all for the strongest of them that hold, %s, and linear(OPERATION:MEANING,...) with the meanings %s", err, enumerated(verdict.OfHistories()), enumerated(verdict.OfProgress()), strings.Join(verdict.Meanings(), ", "))
		}
		p.Properties = append(p.Properties, one)
	}
	return p, nil
}

// Overlapping is what is asked if operations overlap others: in place of linearizability the property in which they promise less. Where the
// strongest property is asked for, that comes behind linearizability.
func (a Asked) Overlapping(list []verdict.Promise) Asked {
	if len(list) == 0 {
		return a
	}
	a.Properties = slices.Clone(a.Properties)
	at := slices.Index(a.Properties, verdict.Linear)
	switch {
	case at < 0:
	case a.Strongest:
		a.Properties = slices.Insert(a.Properties, at+1, verdict.Promising(list))
	default:
		a.Properties[at] = verdict.Promising(list)
	}
	return a
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

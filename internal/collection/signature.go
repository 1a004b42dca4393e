// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"strings"

	"pangolin/oracle"
)

// Signature is the operation as Go writes it, with the types of one
// instantiation: "Insert(key, prio int) bool".
func (o *Operation) Signature() string {
	var params [][2]string
	for _, p := range o.Params {
		if p.Meaning != oracle.ParamThread && (p.Codec == nil || p.Codec.Shape != AsWhich) {
			params = append(params, [2]string{p.Name, p.Type})
		}
	}
	var results [][2]string
	for _, r := range o.Results {
		if r.Objects == nil && !r.Filled {
			results = append(results, [2]string{r.Name, r.Type})
		}
	}
	s := o.Name + "(" + variables(params) + ")"
	switch {
	case len(results) == 1 && results[0][0] == "":
		s += " " + results[0][1]
	case len(results) > 0:
		s += " (" + variables(results) + ")"
	}
	return s
}

// variables writes names with types, and a type only once for successive names of the same type.
func variables(list [][2]string) string {
	var parts []string
	for i, v := range list {
		if v[0] != "" && i+1 < len(list) && list[i+1][0] != "" && list[i+1][1] == v[1] {
			parts = append(parts, v[0])
		} else {
			parts = append(parts, strings.TrimSpace(v[0]+" "+v[1]))
		}
	}
	return strings.Join(parts, ", ")
}

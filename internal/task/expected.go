// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// ParseExpected reads the verdicts that the user expects: a status, or PROPERTY:STATUS, separated
// by commas.
func ParseExpected(text string) (map[verdict.Property]verdict.Status, error) {
	expected := map[verdict.Property]verdict.Status{}
	for part := range strings.SplitSeq(text, ",") {
		property, status, named := strings.Cut(strings.TrimSpace(part), ":")
		if !named {
			property, status = string(verdict.Linear), property
		}
		if p := verdict.Property(property); slices.Contains(verdict.OfHistories(), p) {
			switch s := verdict.Status(status); s {
			case verdict.Verified, verdict.Violated, verdict.Unknown:
				expected[p] = s
				continue
			}
		}
		return nil, fmt.Errorf("%q is no verdict: it is verified, violated or unknown, for a property other than linear as in sc:violated", part)
	}
	return expected, nil
}

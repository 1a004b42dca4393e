// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"fmt"
	"strings"

	"pangolin/verdict"
)

// ParseExpected reads the verdicts that the user expects: a status, or PROPERTY:STATUS, separated
// by commas.
func ParseExpected(text string) (map[verdict.Property]verdict.Status, error) {
	expected := map[verdict.Property]verdict.Status{}
	for _, part := range verdict.SplitProperties(text) {
		property, status := string(verdict.Linear), part
		if colon := strings.LastIndexByte(part, ':'); colon >= 0 {
			property, status = part[:colon], part[colon+1:]
		}
		if p, err := verdict.ParseProperty(property); err == nil && !p.IsProgress() {
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

package pangolin

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// parseExpected reads Request.Expect: a status, or PROPERTY:STATUS, separated by commas.
func parseExpected(text string) (map[verdict.Property]verdict.Status, error) {
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

// expected are the statuses that the request expects; validate has said so if it cannot be read.
func (r *Request) expected() map[verdict.Property]verdict.Status {
	if r.Expect == "" {
		return nil
	}
	expected, err := parseExpected(r.Expect)
	if err != nil {
		return nil
	}
	return expected
}

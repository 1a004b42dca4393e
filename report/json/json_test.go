// SPDX-License-Identifier: BSD-3-Clause

package json_test

import (
	"errors"
	"testing"

	"pangolin/report/json"
	"pangolin/verdict"
)

// full is a disk without room.
type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

// A script that reads the lines must not take those that could be written for all: what shows a result, and what closes, say that one is missing.
func TestLines_SayThatALineIsMissing(t *testing.T) {
	var program verdict.Verdict
	program.Outcomes = &verdict.Outcomes{}
	for _, result := range []any{verdict.Verdict{}, program, verdict.Collection{}, verdict.Tested{}, verdict.Clients{}, verdict.Histories{}, verdict.Gone{},
		verdict.Baseline{}, verdict.Shard{}, verdict.Mutant{}, &verdict.MutationSummary{}, verdict.Points{}, verdict.Composition{}, verdict.System{}, verdict.Comparison{},
		verdict.Checked{}, verdict.Reproduction{}, &verdict.Witness{}, struct{ Type string }{"other"}} {
		lines := json.New(full{})
		if err := lines.Show(result); !errors.Is(err, errFull) {
			t.Errorf("%T: %v", result, err)
		}
		if err := lines.Close(); !errors.Is(err, errFull) {
			t.Errorf("%T: closed with %v", result, err)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"strings"
	"testing"

	"pangolin/internal/collection"
)

// A pool lends what it makes; a store is given what callers make.
func TestFind_TellsWhatIsLentFromWhatIsStored(t *testing.T) {
	const types = "package p; type Secret struct{ n int }; func (*Secret) Use() int { return 0 }; type Open struct{ N int }; func (*Open) Use() int { return 0 }\n" +
		"type Made struct{ n int }; func (*Made) Use() int { return 0 }; func NewMade() *Made { return nil }\n"
	for _, tc := range []struct {
		methods string
		lent    bool
	}{
		{"Get() *Secret { return nil }; Put(s *Secret) {}", true},             // callers can make none
		{"Get() *Open { return nil }; Put(o *Open) {}", false},                // callers set its field
		{"Get() *Made { return nil }; Put(m *Made) {}", false},                // a function makes it
		{"Get() *Open { return nil }; Release(o *Open) {}", true},             // what is released was lent, whoever could make one
		{"Get() *Made { return nil }; Release(m *Made) {}", true},             // the same
		{"Get() int { return 0 }; Put(s *Secret) {}", false},                  // it gives none
		{"Swap(s *Secret) *Secret { return s }; N() int { return 0 }", false}, // it gives what it was given
	} {
		src := types + "type Pool struct{}\n"
		for m := range strings.SplitSeq(tc.methods, "}; ") {
			src += "func (*Pool) " + strings.TrimSuffix(m, "}") + "}\n"
		}
		_, c := findOne(t, src, collection.Overrides{Type: "Pool", Kind: collection.Object})
		if got := len(c.Handles) > 0; got != tc.lent {
			t.Errorf("%s: it lends: %v", tc.methods, got)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// TestVerify_TellsRightFromWrongWhateverMethodsTakeAndReturn verifies pairs of types, one for
// each construct: the one is right, the other has a defect that only the construct shows.
func TestVerify_TellsRightFromWrongWhateverMethodsTakeAndReturn(t *testing.T) {
	level.SkipShort(t, "verifies 32 types")
	p, err := pangolin.Prepare(repository, pangolin.Request{Packages: []string{"./testdata/constructs"}})
	if err != nil {
		t.Fatal(err)
	}
	types := p.Collections()
	for i, c := range types {
		t.Run(c.Name, func(t *testing.T) {
			if level.Out(i/2, 4) {
				t.Skip("some pairs of a right type and a wrong one will do; -level more verifies all")
			}
			_, name, _ := strings.Cut(c.Name, ".")
			list, err := pangolin.Verify(repository, pangolin.Request{Packages: []string{"./testdata/constructs"}, Type: name, Specification: pangolin.Specification{Expect: "violated"}}) // no hints
			if err != nil || len(list) != 1 {
				t.Fatal(list, err)
			}
			want := verdict.Verified
			if strings.HasSuffix(name, "Wrong") {
				want = verdict.Violated
			}
			if v := list[0]; v.Status != want || len(v.LeftOut) > 0 {
				t.Errorf("%s: %s, %s; left out %v; %s", v.Collection, v.Status, want, v.LeftOut, v.Reason)
			}
		})
	}
	if len(types) != 32 {
		t.Errorf("%d types", len(types))
	}
}

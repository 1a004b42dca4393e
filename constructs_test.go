package pangolin_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/sparing"
	"pangolin/verdict"
)

// TestVerify_TellsRightFromWrongWhateverMethodsTakeAndReturn verifies pairs of types, one for
// each construct: the one is right, the other has a defect that only the construct shows.
func TestVerify_TellsRightFromWrongWhateverMethodsTakeAndReturn(t *testing.T) {
	sparing.InShort(t, "verifies 32 types")
	list, err := pangolin.Verify(repository, pangolin.Request{Packages: []string{"./testdata/constructs"}, Expect: "violated"}) // no hints
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		want := verdict.Verified
		if strings.HasSuffix(v.Collection, "Wrong") {
			want = verdict.Violated
		}
		if v.Status != want || len(v.LeftOut) > 0 {
			t.Errorf("%s: %s, %s; left out %v; %s", v.Collection, v.Status, want, v.LeftOut, v.Reason)
		}
	}
	if len(list) != 32 {
		t.Errorf("%d types", len(list))
	}
}

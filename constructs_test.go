package pangolin_test

import (
	"context"
	"strings"
	"testing"

	"pangolin"
	"pangolin/verdict"
)

// TestVerify_TellsRightFromWrongWhateverMethodsTakeAndReturn verifies pairs of types, one for
// each construct: the one is right, the other has a defect that only the construct shows.
func TestVerify_TellsRightFromWrongWhateverMethodsTakeAndReturn(t *testing.T) {
	list, err := pangolin.Verify(context.Background(), pangolin.Request{Packages: []string{"./testdata/constructs"}})
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

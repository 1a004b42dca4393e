package pangolin

import (
	"strings"
	"testing"

	"pangolin/report/text"
	"pangolin/verdict"
)

// Check verifies collections in a test. The zero request is about every collection of
// the package under test:
//
//	func TestQueue(t *testing.T) {
//		pangolin.Check(t, pangolin.Request{Type: "Queue"})
//	}
//
// The test fails with a printed witness if a collection is violated, with the reason if
// a verdict is unknown, and at once if something cannot be verified at all. Under
// -short it stays within configuration B unless the request has bounds of its own.
func Check(t testing.TB, r Request) []verdict.Verdict {
	t.Helper()
	if testing.Short() && r.Scope == (Scope{}) {
		r.Scope.Config = "B"
	}
	list, err := Verify(t.Context(), r)
	for _, v := range list {
		tell(t, v)
	}
	if err != nil {
		t.Fatalf("pangolin: %v", err)
	}
	return list
}

// tell reports one verdict to a test.
func tell(t testing.TB, v verdict.Verdict) {
	t.Helper()
	var b strings.Builder
	text.New(&b, text.Options{}).Verdict(v)
	text := strings.TrimSpace(b.String())
	if v.Status == verdict.Verified || v.Status == verdict.Proved {
		t.Log(text)
		return
	}
	t.Error(text)
}

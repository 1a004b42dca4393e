// SPDX-License-Identifier: BSD-3-Clause

package planting

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What fails, or goes on for much longer than without a fault, is found; what passes, does not begin, or is cut off on a busy machine is not.
func TestFinds_TellsFailuresFromWhatIsCutOff(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "tests")
	script := "#!/bin/sh\ncase $" + switchedBy + ` in
fails) echo '--- FAIL: TestA (0.01s)'; exit 1;;
panics) echo 'panic: index out of range'; exit 2;;
killed) exit 137;;
endless) echo 'panic: test timed out after 1m0s'; exit 2;;
esac
echo PASS
`
	if err := os.WriteFile(binary, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	tests := Tests{Binary: binary}
	for _, c := range []struct {
		fault string
		sound time.Duration // that the tests take without a fault
		want  string
	}{
		{"fails", time.Hour, "--- FAIL: TestA"},
		{"panics", time.Hour, "panic: index out of range"},
		{"endless", 0, "panic: test timed out after 1m0s"},
		{"endless", time.Hour, ""},
		{"killed", 0, ""},
		{"passes", 0, ""},
	} {
		if got, err := tests.finds(c.fault, c.sound); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s, %s without a fault: %q, %v", c.fault, c.sound, got, err)
		}
	}
}

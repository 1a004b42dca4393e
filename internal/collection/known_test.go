// SPDX-License-Identifier: BSD-3-Clause

package collection

import "testing"

func TestParam_NamesSomething(t *testing.T) {
	for _, tc := range []struct {
		name, result string
		want         bool
	}{
		{"id", "", true}, {"jobID", "", true}, {"jobId", "", true}, {"job_id", "", true}, {"ID", "", true}, {"sessionToken", "", true}, {"lease", "", true},
		{"paid", "", false}, {"key", "", false}, {"key", "key", true}, {"", "", false}, {"HTTPToken", "", true},
	} {
		if p := (&Param{Name: tc.name}); p.names(tc.result) != tc.want {
			t.Errorf("%q beside a result %q: %v", tc.name, tc.result, !tc.want)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package story

import "pangolin/verdict"

// Beside is what a verdict is not about, for formats that show no more of a verdict than its word: "verified (without Walk; one
// thread unchecked)", and of each operation that was left out why.
func Beside(v *verdict.Verdict) (out []string) {
	if except := v.Except(); except != "" {
		out = append(out, string(v.Status)+" ("+except+")")
	}
	for _, l := range v.LeftOut {
		out = append(out, l.Operation+": "+l.Why)
	}
	return append(out, v.Remarks()...)
}

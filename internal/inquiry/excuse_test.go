// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"testing"

	"pangolin/verdict"
)

// Any number of calls of two threads have two keys and two items, so they excuse what was found in them alone.
func TestExcused_ByAnyNumberOfCallsOnlyWhatTheyShow(t *testing.T) {
	d := verdict.Bounds{Preset: "D", Threads: [2]int{1, 3}, Steps: [2]int{1, 3}}
	longer := verdict.Bounds{Preset: "2x5", Threads: [2]int{1, 2}, Steps: [2]int{1, 5}}
	anyCalls := verdict.Bounds{Preset: "2xany", Threads: [2]int{1, 2}, Endless: true}
	scope := func(first verdict.Bounds, others ...verdict.Bounds) verdict.Scope {
		return verdict.Scope{Bounds: &first, And: others}
	}
	var five []call
	for i := range 5 {
		five = append(five, call{"Put", 1 + i%2, 2*i + 1, 2*i + 2})
	}
	for _, c := range []struct {
		name   string
		found  verdict.Scope // in which the violation, of two threads and five calls, was found
		looked verdict.Scope // in which nothing is wrong under the restriction
		want   bool
	}{
		{"five calls, as many", scope(d, longer), scope(d, longer), true},
		{"five calls, fewer", scope(d, longer), scope(d), false},
		{"five calls, any number with fewer keys", scope(d, longer), scope(d, anyCalls), false},
		{"any number", scope(d, anyCalls), scope(d, anyCalls), true},
		{"any number, of five at most", scope(d, anyCalls), scope(d), false},
		{"any number alone", scope(anyCalls), scope(anyCalls), true},
	} {
		found := history(five...)
		found.Scope = c.found
		of := Case{Answer: Answer{Verdict: found}}
		if got := of.excused(&Answer{Verdict: verdict.Verdict{Status: verdict.Verified, Scope: c.looked}}); got != c.want {
			t.Errorf("%s: excused %v, want %v", c.name, got, c.want)
		}
	}
}

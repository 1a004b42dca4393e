// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"slices"
	"testing"
)

// What an operation gives names something if it differs from call to call, and is not what calls are given anyway.
func TestNames_AreWhatCallsGive(t *testing.T) {
	for _, c := range []struct {
		name, method string // of a Box with a number n, which begins with 0
		result       int
		want         []string
	}{
		{"ids", `F(user string) string { b.n++; return "s" + string(rune('0'+b.n)) }`, 0, []string{`"s1"`, `"s2"`, `"s3"`, `"s4"`}},
		{"long ids", `F() string { b.n++; return "token-number-" + string(rune('0'+b.n)) }`, 0, []string{`"token-number-1"`, `"token-number-2"`, `"token-number-3"`, `"token-number-4"`}},
		{"numbers", `F() int { b.n++; return 1000 + b.n }`, 0, []string{"1001", "1002", "1003", "1004"}},
		{"a sum, which begins with what it was given", `F(n int) int { b.n += n; return b.n }`, 0, nil},
		{"the same each time", `F() string { return "box" }`, 0, nil},
		{"what calls are given anyway, and twice the same, among others", `F() int { b.n++; return []int{0, 10, 1, 10, 11}[b.n] }`, 0, []string{"10", "11"}},
		{"nothing for an empty argument", `F(user string) string { if user == "" { return "" }; b.n++; return "s" + string(rune('0'+b.n)) }`, 0, []string{`"s1"`, `"s2"`, `"s3"`, `"s4"`}},
		{"up to the first call that panics", `F() int { b.n++; if b.n == 3 { panic("full") }; return 10 + b.n }`, 0, []string{"11", "12"}},
		{"up to the first call that waits", `F() int { b.n++; if b.n == 3 { select {} }; return 10 + b.n }`, 0, []string{"11", "12"}},
		{"the second result", `F() (bool, int) { b.n++; return true, 10 + b.n }`, 1, []string{"11", "12", "13", "14"}},
	} {
		_, s := loadSelf(t, "type Box struct { n int }\nfunc (b *Box) "+c.method+"\nfunc (b *Box) Is(v int) bool { return b.n == v }\n")
		op := slices.IndexFunc(s.Operations, func(o Operation) bool { return o.Name == "F" })
		if op < 0 {
			t.Fatalf("%s: no operation", c.name)
		}
		if got := s.Names(op, c.result, 4); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

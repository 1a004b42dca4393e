// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// chain are the assumptions about a statement that is left out, and about those that are for that reason: one at each line of the file named.
func chain(root, reason string, lines ...int) []string {
	out := []string{leavesOut + root + isTaken + reason + " (unknown, also to what reads them: p.x, p.y)"}
	why := fmt.Sprintf("the package variable p.x is unknown, %s%s%s%s", becauseOf, root, notExecuted, reason)
	for _, n := range lines {
		at := fmt.Sprintf("p/p.go:%d", n)
		out = append(out, leavesOut+at+isTaken+why+" (unknown, also to what reads them: p.x (of type T), 3 more)")
		why = fmt.Sprintf("the package variable p.x is unknown, %s%s%s%s", becauseOf, at, notExecuted, why)
	}
	return out
}

func TestFolded_ChainsAreOneTextEach(t *testing.T) {
	asm := chain("math/big/natmul.go:144", "big.mulAddVWW is not supported: it is written in assembly", 18, 20, 22, 24, 26)
	page := chain("z/btree.go:20", "os.Getpagesize: the world outside the program is not supported", 3)
	other := chain("z/alone.go:48", "a random number (every one would be explored)")
	got := folded(slices.Concat([]string{"first"}, asm[:3], page, []string{"between"}, asm[3:], other, []string{"last"}))
	want := []string{"first",
		asm[0] + "; for that reason it leaves out 5 more, and what they set is unknown: at p/p.go:18, p/p.go:20, p/p.go:22 and 2 others (-json has each)",
		page[0] + "; for that reason it leaves out 1 more, and what that sets is unknown: at p/p.go:3",
		"between", other[0], "last"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// In any order of the assumptions: each root has its text, none that is about something else is lost, and every statement is told or counted.
func TestFolded_LosesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(38, 2))
	for range 300 {
		var all, roots []string
		n := 1 + random.IntN(4)
		for c := range n {
			lines := make([]int, random.IntN(7))
			for i := range lines {
				lines[i] = 100*c + i
			}
			one := chain(fmt.Sprintf("a%d/a.go:7", c), fmt.Sprintf("reason %d (of many: %d)", c, c), lines...)
			roots, all = append(roots, one[0]), append(all, one...)
		}
		all = append(all, "what is not about a statement", "another")
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		got := folded(all)
		if len(got) != n+2 {
			t.Fatalf("%d texts of %d chains and 2 others:\n%s", len(got), n, strings.Join(got, "\n"))
		}
		told := 0
		for _, text := range got {
			told++
			var more int
			if _, rest, ok := strings.Cut(text, "; for that reason it leaves out "); ok {
				fmt.Sscan(rest, &more)
			}
			told += more
		}
		if told != len(all) {
			t.Fatalf("%d told, %d assumed:\n%s", told, len(all), strings.Join(got, "\n"))
		}
		for _, root := range roots {
			if !slices.ContainsFunc(got, func(text string) bool { return strings.HasPrefix(text, root) }) {
				t.Fatalf("%q is not told", root)
			}
		}
	}
}

// Of statements of which the first is not among the assumptions, one stands for all.
func TestFolded_WithoutTheRoot(t *testing.T) {
	asm := chain("a.go:1", "reason", 5, 6, 7)
	got := folded(asm[1:])
	if want := []string{asm[1] + "; for that reason it leaves out 2 more, and what they set is unknown: at p/p.go:6, p/p.go:7"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

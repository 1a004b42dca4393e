// SPDX-License-Identifier: BSD-3-Clause

package text_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"pangolin/report/text"
	"pangolin/verdict"
)

// many are verdicts about so many types of each of so many packages: some violated as expected, some
// not, some unknown.
func many(packages, types int) []verdict.Verdict {
	var list []verdict.Verdict
	for p := range packages {
		for n := range types {
			v := line(fmt.Sprintf("package%d.TypeWithALongName%d", p, n), verdict.Verified)
			v.Package = fmt.Sprintf("example.org/module/collections/package%d", p)
			switch {
			case n%3 == 1:
				v.Status, v.Expected = verdict.Violated, verdict.Violated
			case n == 2 && p == packages-1:
				v.Status = verdict.Violated
			case n == 3 && p == 0:
				v.Expected = verdict.Violated
			case n == 5:
				v.Status = verdict.Unknown
			}
			list = append(list, v)
		}
	}
	return list
}

// tail is what stands behind the scope and the assumptions.
func tail(list []verdict.Verdict, width int) []string {
	var b strings.Builder
	p := text.New(&b, text.Options{Width: width})
	for i := range list {
		p.Verdict(list[i])
	}
	p.Footer()
	_, last, found := strings.Cut(b.String(), "fair scheduler\n")
	if !found { // broken between the words
		_, last, _ = strings.Cut(b.String(), "scheduler\n")
	}
	return strings.Split(strings.TrimSuffix(last, "\n"), "\n")
}

// However many verdicts there are, what comes last fits one screen, and says of each package how many
// of its types came to what, and which verdicts nobody expected.
func TestTotals_FitAScreen(t *testing.T) {
	for _, c := range []struct{ packages, types int }{{1, 2}, {1, 60}, {2, 3}, {2, 30}, {13, 4}, {40, 12}, {300, 6}} {
		for _, width := range []int{40, 80, 120} {
			list := many(c.packages, c.types)
			lines := tail(list, width)
			if width >= 80 && len(lines) > 24 {
				t.Errorf("%v at %d: %d lines\n%s", c, width, len(lines), strings.Join(lines, "\n"))
			}
			for _, l := range lines {
				if ansi.StringWidth(l) > width {
					t.Errorf("%v at %d: %s", c, width, l)
				}
			}
			all := strings.Join(lines, "\n")
			words := strings.Join(strings.Fields(all), " ")
			if c.types > 3 && c.packages*c.types >= 12 && (!strings.Contains(all, "not expected:") || !strings.Contains(all, "violated as expected:") || width > 40 && !strings.Contains(words, "package0.TypeWithALongName3 (verified, not violated)")) {
				t.Errorf("%v at %d: not said what nobody expected\n%s", c, width, all)
			}
			if !strings.Contains(all, fmt.Sprintf("total    %d verdicts: ", len(list))) {
				t.Errorf("%v at %d: no total\n%s", c, width, all)
			}
		}
	}
}

// Of more packages than there is room for those are named that deserve attention; the others are
// counted, and nothing is lost.
func TestTotals_NamePackagesThatDeserveAttention(t *testing.T) {
	list := many(40, 4)
	for i := range list[:len(list)-4] {
		list[i].Status, list[i].Expected = verdict.Verified, ""
	}
	all := strings.Join(tail(list, 80), "\n")
	for _, want := range []string{"package39  ", "31 other packages", "total    160 verdicts: 158 verified, 2 violated (1 of them expected), in 34.2s."} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if n := strings.Count(all, "\npackage"); n != 10 { // with the head
		t.Errorf("%d packages are named in\n%s", n, all)
	}
}

// A proof counts, and one verdict is no sum.
func TestTotals_CountProofs(t *testing.T) {
	proved := line("a.A", verdict.Proved)
	if got := strings.Join(tail([]verdict.Verdict{proved, line("a.B", verdict.Verified)}, 80), "\n"); !strings.Contains(got, "1 proved, 1 verified") {
		t.Error(got)
	}
	if got := tail([]verdict.Verdict{proved}, 80); strings.Join(got, "") != "" {
		t.Error(got)
	}
}

// In the table of packages what is proved has a column of its own, if there is any.
func TestTotals_PackagesHaveWhatIsProvedApart(t *testing.T) {
	list := many(3, 4)
	for i := range list {
		list[i].Status, list[i].Expected = verdict.Verified, ""
	}
	list[0].Status, list[1].Status, list[4].Status = verdict.Proved, verdict.Proved, verdict.Violated
	var rows []string
	for _, l := range tail(list, 80) {
		if strings.HasPrefix(l, "package") {
			rows = append(rows, strings.Join(strings.Fields(l)[:5], " "))
		}
	}
	want := []string{"package proved verified violated unknown", "package0 2 2 0 0", "package1 0 3 1 0", "package2 0 4 0 0"}
	if !slices.Equal(rows, want) {
		t.Errorf("%q", rows)
	}
}

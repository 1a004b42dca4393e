// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// NotExecutedIn lists the lines that neither of two searches has executed: lines of functions that one of the searches has called, and uncalled of functions that none has.
func NotExecutedIn(a, b *Findings) (lines, uncalled []string) {
	all := slices.Concat(a.NotExecuted, a.NotCalled, b.NotExecuted, b.NotCalled)
	slices.SortFunc(all, compareLines)
	for _, line := range slices.Compact(all) {
		switch in, other := slices.Contains(a.NotExecuted, line), slices.Contains(b.NotExecuted, line); {
		case !in && !slices.Contains(a.NotCalled, line), !other && !slices.Contains(b.NotCalled, line):
		case in || other:
			lines = append(lines, line)
		default:
			uncalled = append(uncalled, line)
		}
	}
	return lines, uncalled
}

// compareLines orders lines by file and number.
func compareLines(a, b string) int {
	file, line, _ := strings.Cut(a, ":")
	other, second, _ := strings.Cut(b, ":")
	m, _ := strconv.Atoi(line)
	n, _ := strconv.Atoi(second)
	return cmp.Or(strings.Compare(file, other), cmp.Compare(m, n))
}

// nobody is how the assumption about lines that are not executed begins.
const nobody = "no client of these scopes executes "

// SayUnexecuted replaces the assumption that names the lines no client executes by one about NotExecuted as it is now. Only a verdict "verified" has such an assumption.
func (v *Verdict) SayUnexecuted() {
	v.Assumptions = slices.DeleteFunc(slices.Clone(v.Assumptions), func(a string) bool { return strings.HasPrefix(a, nobody) })
	if len(v.NotExecuted) > 0 && v.Status == Verified {
		v.Assumptions = append(v.Assumptions, unexecuted(v.NotExecuted))
	}
}

// unexecuted says which lines, each as "file.go:12", in order, no client executes: "no client of these scopes executes file.go:12-14, 20".
func unexecuted(lines []string) string {
	var parts []string
	var file string
	first, last := 0, 0
	flush := func() {
		if last == 0 {
			return
		}
		text := strconv.Itoa(first)
		if last > first {
			text = fmt.Sprintf("%d-%d", first, last)
		}
		parts = append(parts, text)
	}
	for _, at := range lines {
		name, number, _ := strings.Cut(path.Base(at), ":")
		n, _ := strconv.Atoi(number)
		if name == file && n == last+1 {
			last = n
			continue
		}
		flush()
		if first, last = n, n; name != file {
			file = name
			parts = append(parts, name+":")
		}
	}
	flush()
	return nobody + strings.ReplaceAll(strings.Join(parts, ", "), ":, ", ":") + ", of which the verdict says nothing"
}

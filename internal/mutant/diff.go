// SPDX-License-Identifier: BSD-3-Clause

package mutant

import (
	"fmt"
	"strings"
)

// around is the number of unchanged lines that a diff shows before and after a change.
const around = 1

// Diff shows the mutant as a unified diff with one unchanged line around each change.
func (m *Mutant) Diff() string {
	old, now := splitLines(m.File.Text), splitLines(m.Text())
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", m.File.Name, m.File.Name)
	for _, h := range hunks(old, now) {
		h.print(&b, old, now)
	}
	return b.String()
}

func splitLines(text []byte) []string {
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// hunk is old[a:b] that becomes now[c:d].
type hunk struct{ a, b, c, d int }

// hunks finds the differences: after the first differing line, the nearest place from which three lines (or all remaining ones) agree.
// Mutants change few lines in few places, so that nothing better is needed; the diff is correct in any case.
func hunks(old, now []string) []hunk {
	var out []hunk
	for i, j := 0, 0; i < len(old) || j < len(now); {
		if i < len(old) && j < len(now) && old[i] == now[j] {
			i, j = i+1, j+1
			continue
		}
		di, dj := resume(old[i:], now[j:])
		out = append(out, hunk{i, i + di, j, j + dj})
		i, j = i+di, j+dj
	}
	return out
}

// resume returns the numbers of lines to skip on both sides, as few as possible, until both agree again.
func resume(old, now []string) (di, dj int) {
	for n := 1; n <= len(old)+len(now); n++ {
		for di := max(0, n-len(now)); di <= min(n, len(old)); di++ {
			if agree(old[di:], now[n-di:]) {
				return di, n - di
			}
		}
	}
	return len(old), len(now)
}

func agree(old, now []string) bool {
	if len(old) == 0 || len(now) == 0 {
		return len(old) == len(now)
	}
	for k := range min(3, len(old), len(now)) {
		if old[k] != now[k] {
			return false
		}
	}
	return len(old) >= 3 && len(now) >= 3 || len(old) == len(now)
}

func (h hunk) print(b *strings.Builder, old, now []string) {
	before, after := min(around, h.a), min(around, len(old)-h.b)
	fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", h.a-before+1, h.b-h.a+before+after, h.c-before+1, h.d-h.c+before+after)
	lines := func(mark string, list []string) {
		for _, l := range list {
			fmt.Fprintf(b, "%s%s\n", mark, l)
		}
	}
	lines(" ", old[h.a-before:h.a])
	lines("-", old[h.a:h.b])
	lines("+", now[h.c:h.d])
	lines(" ", old[h.b:h.b+after])
}

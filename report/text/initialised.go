// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"fmt"
	"strings"
)

// An initialiser that is not executed makes variables unknown, so the initialisers that read these are not executed either, and so on: in
// github.com/dustin/go-humanize 19 statements, because one needs assembly. Verdicts have an assumption for each statement, in which the
// reason is repeated; people read one.

// The words of these assumptions (package subject), and of the reason why a variable is unknown (package vm).
const (
	leavesOut   = "package initialisation leaves out the statement at "
	isTaken     = ", which is taken to return and to leave nothing running: "
	becauseOf   = "because an initialiser ("
	notExecuted = ") is not executed: "
)

// mostPlaces is how many statements are named that are left out because another one is.
const mostPlaces = 3

// leftStatement is what an assumption says about a statement that is left out.
type leftStatement struct {
	at   string // where it is: "a.go:12"
	root string // where the statement is that was left out first, and why
}

// parseLeft reads an assumption; ok is false if it is about something else.
func parseLeft(text string) (s leftStatement, ok bool) {
	rest, ok := strings.CutPrefix(text, leavesOut)
	if !ok {
		return s, false
	}
	at, why, ok := strings.Cut(rest, isTaken)
	for _, variables := range []string{" (unknown, also to what reads them: ", " (no variable that the code mentions "} {
		if i := strings.LastIndex(why, variables); i >= 0 {
			why = why[:i]
		}
	}
	first := at
	if i := strings.LastIndex(why, becauseOf); i >= 0 {
		if place, reason, found := strings.Cut(why[i+len(becauseOf):], notExecuted); found {
			first, why = place, reason
		}
	}
	return leftStatement{at, first + ": " + why}, ok
}

// folded are the assumptions in their order. What is said about statements that are left out because the same one is becomes one text: that about this one,
// how many more there are, and where the first of them stand.
func folded(assumptions []string) []string {
	heads, more := map[string]int{}, map[string][]string{} // by root: the text that stays, and where the others are
	about := make([]leftStatement, len(assumptions))
	for i, text := range assumptions {
		s, ok := parseLeft(text)
		if about[i] = s; !ok {
			continue
		}
		head, known := heads[s.root]
		switch isRoot := strings.HasPrefix(s.root, s.at+": "); {
		case !known:
			heads[s.root] = i
		case isRoot && !strings.HasPrefix(s.root, about[head].at+": "):
			heads[s.root] = i
			more[s.root] = append(more[s.root], about[head].at)
		default:
			more[s.root] = append(more[s.root], s.at)
		}
	}
	var out []string
	for i, text := range assumptions {
		root := about[i].root
		if root != "" && heads[root] != i {
			continue
		}
		out = append(out, text+othersAt(more[root]))
	}
	return out
}

// othersAt tells of statements that are left out for the same reason.
func othersAt(places []string) string {
	n := len(places)
	named := strings.Join(places[:min(mostPlaces, len(places))], ", ")
	switch {
	case n == 0:
		return ""
	case n == 1:
		return "; for that reason it leaves out 1 more, and what that sets is unknown: at " + named
	case n == mostPlaces+1:
		named += " and 1 other (-json has each)"
	case n > mostPlaces:
		named += fmt.Sprintf(" and %d others (-json has each)", n-mostPlaces)
	}
	return fmt.Sprintf("; for that reason it leaves out %d more, and what they set is unknown: at %s", n, named)
}

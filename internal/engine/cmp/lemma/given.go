// SPDX-License-Identifier: BSD-3-Clause

package lemma

import (
	"fmt"
	"strings"
)

// Given is what somebody claims of every thread at a place, in the words in which lemmas are printed:
//
//	at list/lazy.go:55 in (*LazyList[int]).Remove (atomic write of the next of a list.lazyNode[int]):
//	    !old(curr.next).marked && pred.next.marked
//
// The function and the access may be left out, so that it is about everything that threads do at the line.
type Given struct {
	Line  int      // of the text, where it begins
	At    string   // "list/lazy.go:55", or with " in F" and calls behind
	Does  string   // "": any access
	Facts []string // at least one
}

// ReadGiven reads lemmas from a text. Each begins with a line "at PLACE:"; its facts follow, joined by " && ". Empty lines and lines that
// begin with # say nothing.
func ReadGiven(text string) ([]Given, error) {
	var list []Given
	var texts []string
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "at "):
			list, texts = append(list, Given{Line: n}), append(texts, line)
		case len(list) == 0:
			return nil, fmt.Errorf("line %d: a lemma begins with the place that it is about: at FILE:LINE: FACTS", n)
		default:
			texts[len(texts)-1] += " " + line
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there is no lemma in it: write at FILE:LINE: FACTS, as -lemmas prints them")
	}
	for i := range list {
		g := &list[i]
		place, facts, found := strings.Cut(strings.TrimPrefix(texts[i], "at ")+" ", ": ")
		if !found || strings.TrimSpace(facts) == "" {
			return nil, fmt.Errorf("line %d: a colon and facts are wanted behind the place", g.Line)
		}
		g.At, g.Facts = place, conjuncts(strings.TrimSpace(facts))
		if at, does, also := strings.Cut(place, " ("); also && strings.HasSuffix(does, ")") && !strings.HasPrefix(does, "*") {
			g.At, g.Does = at, strings.TrimSuffix(does, ")")
		} else if i := strings.LastIndex(place, " ("); i >= 0 && strings.HasSuffix(place, ")") { // behind a method of a pointer
			g.At, g.Does = place[:i], place[i+2:len(place)-1]
		}
	}
	return list, nil
}

// conjuncts splits a text at each && that is in no brackets.
func conjuncts(text string) (list []string) {
	depth, from := 0, 0
	for i := range len(text) {
		switch {
		case strings.ContainsRune("([", rune(text[i])):
			depth++
		case strings.ContainsRune(")]", rune(text[i])):
			depth--
		case depth == 0 && strings.HasPrefix(text[i:], " && "):
			list, from = append(list, text[from:i]), i+len(" && ")
		}
	}
	return append(list, text[from:])
}

// About reports whether a lemma is about a place where threads do something. The file may be given by the end of its path.
func (g *Given) About(at, does string) bool {
	if g.Does != "" && g.Does != does {
		return false
	}
	file, _, _ := strings.Cut(at, ":")
	own, _, _ := strings.Cut(g.At, ":")
	if file != own && !strings.HasSuffix(file, "/"+own) {
		return false
	}
	at, mine := strings.TrimPrefix(at, file), strings.TrimPrefix(g.At, own)
	rest, begins := strings.CutPrefix(at, mine)
	return begins && (rest == "" || rest[0] == ' ' || rest[0] == ',')
}

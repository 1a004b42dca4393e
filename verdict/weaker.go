// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A collection may be linearizable but for some operations that promise less: a Len that adds up shards while others put, a queue that
// gives one of the two oldest items. Such a property is written linear(Len:parts,Take:within(2)), in requests, verdicts, witnesses and
// file formats alike. Its name is never that of linearizability, so what knows only that refuses it.

// Meaning is what an operation promises instead of linearizability. doc/weaker.md has the definitions, with an example each.
type Meaning struct {
	Name  string // one of Meanings
	Bound int    // of stale and within, at least 1; else 0
}

// The names of meanings. Of the first three and Quiet each implies the next, and Eventually implies Quiet.
const (
	Parts      = "parts"
	Some       = "some"
	Between    = "between"
	Stale      = "stale"
	Eventually = "eventually"
	Quiet      = "quiet"
	Within     = "within"
	Interval   = "interval"
)

// MostBound is the greatest bound of a meaning.
const MostBound = 8

// meaning describes a meaning. The sentence continues "Len ".
type meaning struct {
	name     string
	bounded  bool
	sentence string // %d is the bound
}

var meanings = []meaning{
	{Parts, false, "sees each key at a moment of its own during the call, and of calls without a key any that take effect meanwhile"},
	{Some, false, "sees every call that has returned before it begins, and any of those that overlap it"},
	{Between, false, "returns some value between the least and the greatest that it has with or without the calls that overlap it"},
	{Stale, true, "returns what was right during the call or at most %d changes before it"},
	{Eventually, false, "is right if no other call overlaps it, and returns what was right at some moment before its return otherwise"},
	{Quiet, false, "is right if no other call overlaps it, and returns anything else"},
	{Within, true, "takes one of the first %d items in order"},
	{Interval, false, "begins at a moment of the call and ends at a later one, each as the oracle's type says"},
}

// Meanings lists the names of all meanings, as users write them.
func Meanings() (names []string) {
	for _, m := range meanings {
		if m.bounded {
			m.name += "(K)"
		}
		names = append(names, m.name)
	}
	return names
}

// ParseMeaning reads a meaning: parts, stale(2).
func ParseMeaning(text string) (Meaning, error) {
	name, bound, bounded := strings.Cut(text, "(")
	m := Meaning{Name: name}
	i := slices.IndexFunc(meanings, func(m meaning) bool { return m.name == name })
	if i < 0 || meanings[i].bounded != bounded {
		return m, fmt.Errorf("unknown meaning %q: there are %s", text, strings.Join(Meanings(), ", "))
	}
	if bounded {
		digits, closed := strings.CutSuffix(bound, ")")
		n, err := strconv.Atoi(digits)
		if !closed || err != nil || n < 1 || n > MostBound || digits != strconv.Itoa(n) {
			return m, fmt.Errorf("meaning %q: want %s(1) to %s(%d)", text, name, name, MostBound)
		}
		m.Bound = n
	}
	return m, nil
}

// String is the meaning as ParseMeaning reads it.
func (m Meaning) String() string {
	if m.Bound > 0 {
		return fmt.Sprintf("%s(%d)", m.Name, m.Bound)
	}
	return m.Name
}

// Reads reports whether the meaning is one of operations that only read.
func (m Meaning) Reads() bool { return m.Name != Within && m.Name != Interval }

// Promise is an operation with its meaning.
type Promise struct {
	Operation string
	Meaning
}

// String is the promise as a property has it: Len:parts.
func (p Promise) String() string { return p.Operation + ":" + p.Meaning.String() }

// Sentence says what is promised: "Len returns some value between the least and the greatest during the call".
func (p Promise) Sentence() string {
	i := slices.IndexFunc(meanings, func(m meaning) bool { return m.name == p.Name })
	if i < 0 {
		return p.String()
	}
	text := meanings[i].sentence
	if meanings[i].bounded {
		text = strings.ReplaceAll(fmt.Sprintf(text, p.Bound), " 1 changes ", " 1 change ")
	}
	return p.Operation + " " + text
}

// ParsePromises reads a list of promises, Len:parts,Range; an operation without a meaning has the meaning parts. The list is sorted by operation.
func ParsePromises(text string) (list []Promise, err error) {
	for _, one := range SplitProperties(text) {
		name, of, named := strings.Cut(one, ":")
		p := Promise{Operation: strings.TrimSpace(name), Meaning: Meaning{Name: Parts}}
		if p.Operation == "" || strings.ContainsAny(p.Operation, "() \t") {
			return nil, fmt.Errorf("%q: want OPERATION or OPERATION:MEANING", one)
		}
		if named {
			if p.Meaning, err = ParseMeaning(strings.TrimSpace(of)); err != nil {
				return nil, fmt.Errorf("%s: %w", p.Operation, err)
			}
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b Promise) int { return cmp.Compare(a.Operation, b.Operation) })
	for i := range list[:max(0, len(list)-1)] {
		if list[i].Operation == list[i+1].Operation {
			return nil, fmt.Errorf("%s has two meanings, %s and %s", list[i].Operation, list[i].Meaning, list[i+1].Meaning)
		}
	}
	return list, nil
}

// SplitProperties splits a list at its commas, but for those in parentheses: "linear(Len:parts,Sum:some),sc" has two parts.
func SplitProperties(text string) (parts []string) {
	depth, from := 0, 0
	for i, r := range text {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && depth == 0:
			parts, from = append(parts, strings.TrimSpace(text[from:i])), i+1
		}
	}
	return append(parts, strings.TrimSpace(text[from:]))
}

// Promising is linearizability but for the promises.
func Promising(list []Promise) Property {
	if len(list) == 0 {
		return Linear
	}
	var parts []string
	for _, p := range list {
		parts = append(parts, p.String())
	}
	return Linear + Property("("+strings.Join(parts, ",")+")")
}

// ParseProperty reads the name of a property. linear(Sum:some,Len) becomes linear(Len:parts,Sum:some).
func ParseProperty(text string) (Property, error) {
	base, promises, weaker := strings.Cut(text, "(")
	if !slices.Contains(Properties(), Property(base)) {
		return "", fmt.Errorf("unknown property %q", text)
	}
	if !weaker {
		return Property(text), nil
	}
	promises, closed := strings.CutSuffix(promises, ")")
	if Property(base) != Linear || !closed {
		return "", fmt.Errorf("property %q: want linear(OPERATION:MEANING,...)", text)
	}
	list, err := ParsePromises(promises)
	return Promising(list), err
}

// Promises are what some operations promise instead of linearizability; none of a property without.
func (p Property) Promises() []Promise {
	if !p.IsWeaker() {
		return nil
	}
	list, err := ParsePromises(strings.TrimSuffix(strings.TrimPrefix(string(p), string(Linear)+"("), ")"))
	if err != nil { // it was not made by ParseProperty
		return nil
	}
	return list
}

// IsWeaker reports whether the property is linearizability but for some operations.
func (p Property) IsWeaker() bool { return strings.HasPrefix(string(p), string(Linear)+"(") }

// FileName is the property as a part of the names of files: linear-Len-parts.
func (p Property) FileName() string {
	return strings.NewReplacer("(", "-", ")", "", ":", "-", ",", "-").Replace(strings.ReplaceAll(string(p), "))", ")"))
}

// Base is the property without its promises.
func (p Property) Base() Property {
	if p.IsWeaker() {
		return Linear
	}
	return p
}

// Weaker are sentences about what is promised instead of linearizability; none of a property without promises.
func (p Property) Weaker() (sentences []string) {
	for _, one := range p.Promises() {
		sentences = append(sentences, one.Sentence())
	}
	return sentences
}

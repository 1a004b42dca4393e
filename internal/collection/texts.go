// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"go/types"
	"strconv"
	"strings"
	"unicode/utf8"

	"pangolin/history"
)

// The int of a string result, or of an error, is computed from its text (package harness). A short text can be read from the int; a
// longer one is hashed, and is looked up among the strings that executions have made.

// Texts returns the string made in some execution for which is returns true; false if there is none.
type Texts func(is func(text string) bool) (string, bool)

// textNumber is the int of a text, as the harness computes it.
func textNumber(s string) int64 {
	n := int64(1)
	for i := range len(s) {
		if len(s) <= shortText {
			n = n<<8 | int64(s[i])
		} else {
			n = Mix(n, int64(s[i]))
		}
	}
	return n | 1<<ContentBit
}

// shortText is the greatest length in bytes of a text that can be read from its int.
const shortText = 6

// Mix combines two ints to a hash, as the harness does.
func Mix(n, d int64) int64 {
	h := (uint64(n) + 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd
	h = (h ^ h>>32 ^ uint64(d)) * 0xc4ceb9fe1a85ec53
	h = (h ^ h>>29) * 0xbf58476d1ce4e5b9
	return int64((h^h>>32)&(1<<DigestBits-1)) | 1<<DigestBits
}

// Notation describes how the operation's arguments and results are printed; texts finds long strings among the results.
func (o *Operation) Notation(texts Texts) *history.Notation {
	return &history.Notation{Args: o.ShowArgs, Result: func(result history.Tuple) []string {
		parts := o.ShowResult(result)
		for i, at := 0, 0; i < len(o.Results) && at < len(parts); i++ {
			v := result.At(i)
			if o.Results[i].Objects != nil && v.Kind != history.Int {
				continue
			}
			if c := o.Results[i].Codec; v.Kind == history.Int && c != nil {
				if text, ok := c.showLong(v.Int, texts); ok {
					parts[at] = text
				}
			}
			at++
		}
		return parts
	}}
}

// showLong writes a string, or an error, whose int is a hash; false if it is another value, or the text is not found.
func (c *Codec) showLong(v int64, texts Texts) (string, bool) {
	if !isContent(v) || v>>DigestBits&1 == 0 {
		return "", false
	}
	find := func(is func(text string) bool) (string, bool) {
		s, ok := texts(is)
		return quoted(s), ok
	}
	switch {
	case c.Shape == AsString:
		return find(func(s string) bool { return len(s) > shortText && textNumber(s) == v })
	case c.Shape != AsFailure || c.Bit > 0:
		return "", false
	}
	if s, ok := find(func(s string) bool { return len(s) > shortText && textNumber(s) == v }); ok {
		return "error " + s, true
	}
	for i, p := range c.Parts {
		if s, ok := find(func(s string) bool { return Mix(int64(i+1), textNumber(s)) == v&^(1<<ContentBit) }); ok {
			return types.TypeString(p.Codec.Type, (*types.Package).Name) + " " + s, true
		}
	}
	return "", false
}

// quoted is a text as a Go string literal, cut after 40 bytes.
func quoted(s string) string {
	const most = 40
	if len(s) <= most {
		return strconv.Quote(s)
	}
	end := most
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return strconv.Quote(s[:end]) + "…"
}

// One puts the article before the name of a type: "an Edge", "a User".
func One(name string) string {
	if name != "" && strings.ContainsRune("AEIOaeio", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"go/types"
	"strconv"
	"unicode/utf8"

	"pangolin/history"
)

// A result that is a text, or an error with a text, is a number made of that text (package harness). A short text is read off the number; a longer one
// is a hash, and is found among the texts that executions have made.

// Texts finds the text that is the one looked for, among those that executions have made; false if it is none of them.
type Texts func(is func(text string) bool) (string, bool)

// textNumber is the number of a text, as the harness computes it.
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

// shortText is how many bytes a text has at most that can be read off its number.
const shortText = 6

// Mix is the harness's function that makes one number of two.
func Mix(n, d int64) int64 {
	h := (uint64(n) + 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd
	h = (h ^ h>>32 ^ uint64(d)) * 0xc4ceb9fe1a85ec53
	h = (h ^ h>>29) * 0xbf58476d1ce4e5b9
	return int64((h^h>>32)&(1<<DigestBits-1)) | 1<<DigestBits
}

// Notation is how the operation's arguments and results are printed; texts finds those that are results.
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

// showLong writes a text, or an error, whose number is a hash; false if it is none, or nobody knows the text.
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

// quoted is a text as Go writes it, the end of a long one left out.
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

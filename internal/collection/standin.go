// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// StandInPrefix begins the names of the types that are made for interfaces, which are numbers with the interface's methods.
const StandInPrefix = "pangolin_"

// IsStandIn reports whether the codec is that of a stand-in's number.
func (c *Codec) IsStandIn() bool { return c.Shape == AsInt && len(c.Parts) > 0 }

// HasStandIn reports whether a value of the codec has a stand-in in it.
func (c *Codec) HasStandIn() bool { return len(c.StandIns()) > 0 }

// StandIns lists the codecs of the stand-ins in a value of the codec.
func (c *Codec) StandIns() (list []*Codec) {
	if c == nil {
		return nil
	}
	if c.IsStandIn() {
		return []*Codec{c}
	}
	list = append(c.Elem.StandIns(), c.Key.StandIns()...)
	if c.Shape != AsFunc {
		for _, p := range c.Parts {
			list = append(list, p.Codec.StandIns()...)
		}
	}
	return list
}

// What a stand-in's method computes of its number and that of another one: the field Made of its codec.
const (
	Less    = "less"
	Equal   = "equal"
	Compare = "compare"
	Written = "written" // not of its number: the length of what it is given, and no error
	Ended   = "ended"   // nor this: 0 and io.EOF
)

// What a stand-in for a constructor is, which is no number: the field Made of its codec.
const (
	Exclusive  = "exclusive"  // a variable that each method writes, so that no two may be called at once
	Concurrent = "concurrent" // nothing
)

// Tells reports whether calls of a stand-in's method are observed: it gives nothing, or an error. One that gives a value computes it, and how often that is
// done is nobody's business.
func (c *Codec) Tells() bool {
	return c.Shape == AsFunc && c.Made == "" && !slices.ContainsFunc(c.Gives, func(r *Codec) bool { return r.Shape != AsFailure })
}

// Asks reports whether a stand-in's method is observed, and is a check by its name that gives an error: Validate(n int) error. It may be made again, in vain, if others
// come in between. One with another name, Write or Send, does something, which nobody wants to be done twice.
func (p *Part) Asks() bool {
	return p.Codec.Tells() && len(p.Codec.Gives) > 0 && checking.MatchString(p.Name)
}

// checking tells methods that look at something and change nothing, by their names.
var checking = regexp.MustCompile(`(?i)^(pre)?(check|valid|verif|allow|accept|admit|approve|permit|authori|match|test|inspect|can)`)

// HasTelling reports whether a value of the codec has a stand-in in it with a method that tells of its calls.
func (c *Codec) HasTelling() bool {
	return slices.ContainsFunc(c.StandIns(), func(s *Codec) bool {
		return slices.ContainsFunc(s.Parts, func(m Part) bool { return m.Codec.Tells() })
	})
}

// StandInName is the name of a stand-in's interface.
func StandInName(t types.Type) string {
	named, _ := t.(*types.Named)
	return strings.TrimRight(strings.TrimPrefix(named.Obj().Name(), StandInPrefix), "_")
}

// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"slices"

	"pangolin/internal/collection"
	"pangolin/oracle"
)

// Two fields of a struct that operations are given vary by themselves (pair), so that a set of users by ID is contradicted by {ID: 0, Name: ""} and {ID: 0, Name: "w02"}, which
// are the same to it. Such a type is read again: all fields vary together (Overrides.Together), and those that do not count have another value where a key is looked for
// (Overrides.Ignored): what was added as {ID: 1, Name: "w01"} is removed as {ID: 1, Name: "x01"}. That they do not count is asked of
// one thread, whose calls have the one value and the other in turns (Overrides.Turns).

// countFields gives the codecs of what operations are given, and return, other numbers if not all fields count.
func (d *draft) countFields() {
	if d.o.Alone != "" {
		for _, b := range d.rec.bindings {
			b.giveKeys(func(c *collection.Codec) *collection.Codec { return alone(c, d.o.Alone) })
		}
	}
	if !d.o.Together {
		return
	}
	for _, m := range d.selected {
		for _, list := range [][]*collection.Codec{m.params, m.results} {
			for i := range list {
				list[i] = together(list[i], d.ordered())
			}
		}
		if b := d.bound(m); b != nil && (findsKeys(b.role) || d.o.Turns) {
			b.giveKeys(func(c *collection.Codec) *collection.Codec { return otherwise(c, d.o.Ignored, d.o.Turns) })
		}
	}
}

// giveKeys changes the codecs of the keys that the method is given.
func (b *binding) giveKeys(change func(*collection.Codec) *collection.Codec) {
	for i, p := range b.params {
		if p == oracle.ParamKey && i < len(b.m.args) {
			at := b.m.args[i]
			b.m.params[at] = change(b.m.params[at])
		}
	}
}

// ordered reports whether items are ordered by fields that vary together.
func (d *draft) ordered() bool { return d.o.Together && d.rec.kind == oracle.PQueue }

// findsKeys reports whether operations with a role look for a key that another one has put there.
func findsKeys(role oracle.Role) bool {
	return slices.Contains([]oracle.Role{oracle.Remove, oracle.Contains, oracle.Load, oracle.Delete, oracle.LoadAndDelete, oracle.CompareAndSwap, oracle.CompareAndDelete}, role)
}

// together numbers the parts of a codec anew, so that no field of a struct varies by itself; with ordered, bools and constants of a struct do not vary at all.
func together(c *collection.Codec, ordered bool) *collection.Codec {
	if c == nil {
		return nil
	}
	n := numberer{together: true, ordered: ordered}
	return n.number(c, false)
}

// otherwise is a codec of a struct whose named fields have other values than those of the codec, or these and those in turns: by tags, and bits, that no part of it has.
func otherwise(c *collection.Codec, fields []string, turns bool) *collection.Codec {
	s := structOf(c)
	if s == nil || len(fields) == 0 {
		return c
	}
	beyond := numberer{together: true}
	beyond.number(c, false)
	own := *s
	own.Parts = slices.Clone(s.Parts)
	for i := range own.Parts {
		p := &own.Parts[i]
		if !slices.Contains(fields, p.Name) {
			continue
		}
		if p.Codec.Shape == collection.AsBool {
			beyond.bits = p.Codec.Bit + 1
		}
		other := beyond.number(p.Codec, true)
		if turns {
			own := *p.Codec
			own.Other = other
			other = &own
		}
		p.Codec = other
	}
	if s == c {
		return &own
	}
	outer := *c
	outer.Elem = &own
	return &outer
}

// alone is a codec of a struct of which the values 0 and 1, 2 and 3, … differ in one field alone.
func alone(c *collection.Codec, field string) *collection.Codec {
	c = together(c, false)
	s := structOf(c)
	if s == nil {
		return c
	}
	for i := range s.Parts {
		if p := &s.Parts[i]; p.Name != field && !p.Codec.Zero {
			own := *p.Codec
			own.Pair = collection.Coarse
			p.Codec = &own
		} else if p.Codec.Shape == collection.AsBool {
			own := *p.Codec
			own.Bit = 0
			p.Codec = &own
		}
	}
	return c
}

// structOf is the codec of the struct that a value is or points to; nil if there is none.
func structOf(c *collection.Codec) *collection.Codec {
	if c != nil && c.Shape == collection.AsPointer {
		c = c.Elem
	}
	if c == nil || c.Shape != collection.AsStruct {
		return nil
	}
	return c
}

// MayIgnore lists the fields of a codec's struct that a type may not look at: those whose values may be others (Overrides.Ignored), if there is one more that counts.
func MayIgnore(c *collection.Codec) (fields []string) {
	s := structOf(c)
	if s == nil {
		return nil
	}
	set := 0
	for _, p := range s.Parts {
		if p.Codec.Zero {
			continue
		}
		set++
		if shape := p.Codec.Shape; numeric(p.Codec) || isText(p.Codec) || shape == collection.AsBool || shape == collection.AsForeign {
			fields = append(fields, p.Name)
		}
	}
	if set < 2 {
		return nil
	}
	return fields
}

// unvaried lists the bools and constants of structs that do not vary: of ordered codecs, see together.
func unvaried(c *collection.Codec, ordered bool, each func(of *collection.Codec, field, is string)) {
	if c == nil || !ordered || c.Zero {
		return
	}
	unvaried(c.Elem, ordered, each)
	for _, p := range c.Parts {
		switch {
		case p.Codec == nil || c.Shape != collection.AsStruct:
		case p.Codec.Zero && p.Codec.Shape == collection.AsBool:
			each(c, p.Name, "false")
		case p.Codec.Zero && len(p.Codec.Names) > 0:
			each(c, p.Name, "its zero value")
		default:
			unvaried(p.Codec, ordered, each)
		}
	}
}

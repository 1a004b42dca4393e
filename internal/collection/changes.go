// SPDX-License-Identifier: BSD-3-Clause

package collection

import "slices"

// A function that is given a pointer or a map, Update(f func(v *Values)), is there to change it. One that is generated changes one place of what it is
// given: a number goes up by one, a bool is turned round, a string or a slice grows. Which two calls were given the same, and so lose what one of them has
// done, tells what they are given, which is noted before.

// Place is where a generated function changes what it is given: an expression, if x is that of the argument, and the codec of what is there; nil if there
// is no such place.
func (c *Codec) Place(x string) (place string, at *Codec) {
	switch {
	case c.Shape == AsPointer && c.Elem != nil:
		place, at, _ = c.Elem.within("(*" + x + ")")
	case c.Shape == AsMap:
		place, at, _ = c.within(x)
	}
	return place, at
}

// within is Place for what a pointer points to. A number comes before all else, since it tells how many have changed it.
func (c *Codec) within(x string) (place string, at *Codec, number bool) {
	switch c.Shape {
	case AsInt, AsFloat:
		return x, c, len(c.Names) == 0
	case AsBool, AsString:
		return x, c, false
	case AsSequence:
		if c.Elem != nil {
			return x, c, false
		}
	case AsMap:
		key := c.Key.Shape == AsInt || c.Key.Shape == AsString
		if key && slices.Contains([]Shape{AsInt, AsFloat, AsBool, AsString, AsSequence, AsStruct}, c.Elem.Shape) {
			return x, c, false
		}
	case AsStruct:
		for _, p := range c.Parts {
			if p.Codec.Zero || slices.Contains([]string{"ID", "Id", "Key", "id", "key"}, p.Name) { // by which others know it
				continue
			}
			if found, codec, n := p.Codec.within(x + "." + p.Name); codec != nil && (at == nil || n && !number) {
				place, at, number = found, codec, n
			}
		}
	}
	return place, at, number
}

// Changes reports whether the value is a function that changes what it is given.
func (c *Codec) Changes() bool {
	return c.Shape == AsFunc && slices.ContainsFunc(c.Parts, func(p Part) bool { return p.Changes })
}

// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"go/types"
	"slices"
	"strconv"

	"pangolin/history"
)

// Known are values that a parameter is given because they mean something to the collection, where one that is made up means nothing: names of events, the id
// of a session.
type Known struct {
	Operation string
	Param     int      // index among the parameters of the method
	Values    []string // as Go writes them, two or four
	By        string   // the operation that returns them, or the first of them, the other one being made up; "": test files give them
}

// knownValues is how many values a parameter is given that an operation returns. What has not been returned yet is as good as what is made up, and of four values
// a store of sessions has so many clients that no scope of four calls can be searched.
const knownValues = 2

// Known are the values that a parameter is given of those that an operation returns: the first two, or the only one and one that is made up.
func (c *Codec) Known(returned []string) []string {
	list := slices.Clone(returned[:min(len(returned), knownValues)])
	for v := int64(0); len(list) < knownValues; v++ {
		if text := c.show(history.IntValue(v)); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// Plain reports whether the value is a string or an integer of any value: one that an operation may return as the name of something.
func (c *Codec) Plain() bool {
	return c != nil && (c.Shape == AsString || c.Shape == AsInt) && len(c.Names) == 0 && !c.Zero && !c.IsStandIn()
}

// Literal writes the value of a result that is plain as Go source has it; false if it is a long string that is not among the texts.
func (c *Codec) Literal(v int64, texts Texts) (string, bool) {
	if c.Shape == AsInt {
		return showInt(c.Type, Tagged(v, c.Tag)), true
	}
	if s, ok := texts(func(s string) bool { return len(s) > shortText && textNumber(s) == v }); ok {
		return strconv.Quote(s), true
	}
	text := showString(v, c.Tag)
	_, err := strconv.Unquote(text)
	return text, err == nil
}

// A Taking is a parameter that could be given what an operation returns.
type Taking struct {
	Operation int
	Param     int // index among the parameters of the method
	Codec     *Codec
}

// Takers lists the parameters of other operations that have the type of a result. If that has no name which says what it is, those count whose own names say that they
// name something: of string, if any of the operation does, as the id of Put(id, key, value string); of an integer type, no others.
func (c *Collection) Takers(operation, result int) (list []Taking) {
	r := &c.Operations[operation].Results[result]
	if !r.Codec.Plain() || r.Calls || r.Filled || r.Objects != nil {
		return nil
	}
	_, unnamed := types.Unalias(r.Codec.Type).(*types.Basic)
	for i := range c.Operations {
		if i == operation {
			continue
		}
		var all, named []Taking
		call := &c.Operations[i].Call
		for k, at := range call.Args {
			p := call.Params[at]
			if !p.Plain() || !types.Identical(p.Type, r.Codec.Type) {
				continue
			}
			t := Taking{Operation: i, Param: at, Codec: p}
			if all = append(all, t); c.Operations[i].Params[k].names(r.Name) {
				named = append(named, t)
			}
		}
		if unnamed && (len(named) > 0 || r.Codec.Shape == AsInt) { // what SetPercent(p int) takes is not what Bump() int gives, a sum
			all = named
		}
		list = append(list, all...)
	}
	return list
}

// identifying are the last words of parameters that name something.
var identifying = []string{"id", "token", "handle", "ticket", "session", "lease", "job", "ref", "cookie", "receipt", "cursor", "uuid", "identifier"}

// names reports whether a parameter names something: as the result is called, or by the last word of its name.
func (p *Param) names(result string) bool {
	return p.Name != "" && (p.Name == result || slices.Contains(identifying, lastWord(p.Name)))
}

// lastWord is the last word of a name, in lower case: id of jobID and of job_id.
func lastWord(name string) string {
	end := len(name)
	upper := func(i int) bool { return name[i] >= 'A' && name[i] <= 'Z' }
	at := end
	for at > 0 && upper(at-1) { // jobID
		at--
	}
	if at == end {
		for at > 0 && !upper(at-1) && name[at-1] != '_' { // jobId, job_id
			at--
		}
		if at > 0 && upper(at-1) {
			at--
		}
	}
	word := []byte(name[at:])
	for i := range word {
		if word[i] >= 'A' && word[i] <= 'Z' {
			word[i] += 'a' - 'A'
		}
	}
	return string(word)
}

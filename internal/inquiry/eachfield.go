// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/find"
	"pangolin/oracle"
	"pangolin/verdict"
)

// EachField asks whether each field of the struct by which a set or a map goes counts.
//
// Of a struct with three fields two vary by themselves, and the third one with both of them; a set that forgets to look at one of the three is not seen so, because the other two tell its
// keys apart. With keys that differ in one field alone it is.
var EachField = Rule{
	Name: "each field",
	Doc: "A set or a map by structs of three fields and more is verified or proved. One thread is asked with keys of which two differ in one field alone, for each field. " +
		"If it contradicts some, it is asked with all of these ignored, as by \"some fields alone\": what agrees then is taken, and the verdict says that they do not count; if nothing does, the type is violated.",
	When: func(c Case) bool {
		return c.right() && !c.Reading.itself() && !c.Reading.Overrides.Together && len(c.Reading.mayNotCount()) > 0
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		fields := c.Reading.mayNotCount()
		if n := len(so); n < len(fields) {
			r, err := c.Reading.found("alone "+fields[n], func() (*find.Target, error) { return c.Reading.Target.Alone(c.ctx, fields[n]) })
			if err != nil || r.itself() {
				return Question{}, false
			}
			return r.byOneThread(verdict.Linear, false), true
		}
		wrong := uncounted(so)
		if len(so) > len(fields) || len(wrong) == 0 || len(wrong) == len(fields) {
			return Question{}, false
		}
		list := c.Reading.ignored(c, wrong)
		if len(list) == 0 {
			return Question{}, false
		}
		return list[0].byOneThread(verdict.Linear, false), true
	},
	Conclude: func(c Case, so []Answer) Case {
		at := slices.IndexFunc(so, func(a Answer) bool { _, wrong := disagrees(&a.Verdict); return a.Err == nil && wrong })
		if at < 0 {
			return c
		}
		client := so[at].Verdict.Violation.Client
		if r, ok := agreed(so); ok && r.Overrides.Together {
			return c.take(r.settled(c), r.counted(c.Reading.Key().Type, client))
		}
		return c.wrong(so[at], fmt.Sprintf("holds where the keys that are tried differ in other fields than %s, too, by the oracle %s", strings.Join(uncounted(so), " and "), c.Reading.Found.Oracle))
	},
}

// uncounted lists the fields, of the questions about one field alone, that one thread has shown not to count, or to count in some operations only.
func uncounted(so []Answer) (fields []string) {
	for i := range so {
		if _, wrong := disagrees(&so[i].Verdict); so[i].Err == nil && wrong && so[i].Reading.Overrides.Alone != "" {
			fields = append(fields, so[i].Reading.Overrides.Alone)
		}
	}
	return fields
}

// mayNotCount lists the fields of the struct by which a set or a map goes, if there are three at least; none: it goes by no such struct.
func (r *Reading) mayNotCount() []string {
	if r.Found.Kind != oracle.Set && r.Found.Kind != oracle.Map {
		return nil
	}
	if all := r.Target.MayIgnore(); len(all) > 2 && len(all) <= mostFields {
		return all
	}
	return nil
}

// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"testing"

	"pangolin/oracle"
)

func TestParseOracle_KnowsTheFourSorts(t *testing.T) {
	for _, c := range []struct {
		text, printed string
		auto, self    bool
		kind          oracle.Kind
		typ           string
	}{
		{text: "", printed: "auto", auto: true},
		{text: "auto", printed: "auto", auto: true},
		{text: "self", printed: "self", self: true},
		{text: "queue", printed: "queue", kind: oracle.Queue},
		{text: "object", printed: "object", typ: "object"}, // a kind without a specification is none
		{text: "./lax.Queue", printed: "./lax.Queue", typ: "./lax.Queue"},
		{text: "Spec", printed: "Spec", typ: "Spec"},
	} {
		o := ParseOracle(c.text)
		kind, specified := o.Kind()
		typ, user := o.Type()
		if o.IsAuto() != c.auto || o.IsSelf() != c.self || kind != c.kind || specified != (c.kind != "") || typ != c.typ || user != (c.typ != "") || o.String() != c.printed {
			t.Errorf("%q: %+v, printed %s", c.text, o, o)
		}
		if ParseOracle(o.String()) != o {
			t.Errorf("%q is printed as %q, which is another oracle", c.text, o)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"strings"
	"testing"
)

// TestRespell_Compiles respells generated texts in every way: what comes out compiles, is another text, and is the same for the same
// seed. Each way applies to some of them.
func TestRespell_Compiles(t *testing.T) {
	c := checker()
	applied := map[string]int{}
	texts := 0
	try := func(source string, seed uint64) {
		texts++
		files := map[string]string{"text.go": source}
		for _, how := range Respellings() {
			out, ok, err := c.Respell(files, how, seed)
			if err != nil {
				t.Errorf("%v\n%s\n%s", err, source, out["text.go"])
				continue
			}
			if !ok {
				continue
			}
			applied[how.Name]++
			again, _, _ := c.Respell(files, how, seed)
			if out["text.go"] == source && how.Name != "in another order" || again["text.go"] != out["text.go"] {
				t.Errorf("%s: the same text, or another one each time\n%s", how.Name, source)
			}
		}
	}
	for seed := range uint64(some(160)) {
		for _, source := range []string{Program(seed), everything().Program(seed), Patterned(seed).Source, Object(seed).Source, everything().Type(seed).Source} {
			try(source, seed)
		}
	}
	for seed := range uint64(100) { // few texts have type parameters
		if source := Patterned(seed).Source; strings.Contains(source, "New[int]()") {
			try(source, seed)
		}
	}
	for _, how := range Respellings() {
		if applied[how.Name] < texts/100 {
			t.Errorf("%s applies to %d of %d texts", how.Name, applied[how.Name], texts)
		}
	}
	t.Log(texts, applied)
}

// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"strings"
	"testing"
)

// What is generated with the grown grammar compiles, and has each of the constructs often.

// everything is the grown grammar with all constructs.
func everything() (g Constructed) {
	for _, c := range Constructs() {
		g.On = append(g.On, c.Name)
	}
	return g
}

func TestConstructed_Compiles(t *testing.T) {
	programsCompile(t, everything().Program)
	collectionsCompile(t, everything().Type)
}

// TestConstructs_Occur counts the texts with each construct: what nothing is compared on is not compared.
func TestConstructs_Occur(t *testing.T) {
	const texts = 300
	counts := func(write func(uint64) string) map[string]int {
		n := map[string]int{}
		for seed := range uint64(texts) {
			text := write(seed)
			for _, c := range Constructs() {
				if c.Has(text) {
					n[c.Name]++
				}
			}
		}
		return n
	}
	g := everything()
	object := func(seed uint64) string { return g.Type(seed).Source }
	programs, types := counts(g.Program), counts(object)
	plain, plainTypes := counts(Program), counts(func(seed uint64) string { return Object(seed).Source })
	var b strings.Builder
	for _, c := range Constructs() {
		fmt.Fprintf(&b, "%-9s programs %3d, without the grown grammar %3d; types %3d, without %3d\n", c.Name, programs[c.Name], plain[c.Name], types[c.Name], plainTypes[c.Name])
		if programs[c.Name] < texts/30 || types[c.Name] < texts/30 {
			t.Errorf("%s: in %d of %d programs and %d types", c.Name, programs[c.Name], texts, types[c.Name])
		}
	}
	t.Logf("of %d texts\n%s", texts, b.String())
}

// TestConstructed_WritesWhatIsOn fails if a construct that is off gets into texts by another one.
func TestConstructed_WritesWhatIsOn(t *testing.T) {
	for _, on := range Constructs() {
		g := Constructed{On: []string{on.Name}}
		for seed := range uint64(20) {
			text := g.Program(seed)
			for _, c := range Constructs() {
				plain := c.Name == "length" || c.Name == "default" || c.Name == "refused" || c.Name == "expired" // those are in the plain grammar as well
				if c.Name != on.Name && !plain && c.Has(text) {
					t.Errorf("%s is on, and program %d has %s\n%s", on.Name, seed, c.Name, text)
				}
			}
		}
	}
}

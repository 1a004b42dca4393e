// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"slices"
	"testing"

	"pangolin/internal/collection"
)

// Functions that On is given call what needs nothing of a thread, what gives a handle that something ends, and what On gave for them; the harness with each
// of these compiles.
func TestFind_FunctionsCallBackWithHandlesOfTheirOwn(t *testing.T) {
	for methods, want := range map[string][]string{
		"On(f func(int)) func() { return nil }":                             {"On", "call On"},
		"On(f func(int)) {}; func (*T) Begin() (end func()) { return nil }": {"Begin", "On"},
		"On(f func(int)) *Conn { return nil }":                              {"Conn.Close", "Conn.Use", "On"},
		"On(f func(int)) {}; func (*T) Get() *Part { return nil }":          {"On"}, // nothing ends a Part
		"On(f func(int)) {}; func (*T) Events() <-chan int { return nil }":  {"Events", "On"},
		"On(f func(int)) {}; func (*T) Events() <-chan int { return nil }; func (*T) Stop(c <-chan int) {}; func (*T) Len() int { return 0 }": {"Events", "Len", "On"}, // Stop takes a handle
	} {
		source := "package p; type T struct{}; type Conn struct{}; func (*Conn) Use(n int) {}; func (*Conn) Close() {}; type Part struct{}; func (*Part) Use() {}\nfunc (*T) " + methods
		_, c := findOne(t, source, collection.Overrides{Type: "T", Kind: collection.Object})
		of := slices.IndexFunc(c.Operations, func(o collection.Operation) bool { return o.Name == "On" })
		var got []string
		for i := range c.Operations {
			if !c.CanCallBack(&c.Operations[of], &c.Operations[i]) {
				continue
			}
			name := c.Operations[i].Name
			got = append(got, name)
			pkg, back := findOne(t, source, collection.Overrides{Type: "T", Kind: collection.Object, Given: map[string]string{"On": collection.Back + name}})
			pkg.withHarness(t, back)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: functions call %q, want %q", methods, got, want)
		}
	}
}

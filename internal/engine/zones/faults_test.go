// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
	"pangolin/internal/test/proving"
	"pangolin/verdict"
)

// faults are faults of the engine: what it does not follow, or takes for true. None may make a proof of something wrong, and each is seen: the walk or the checker
// objects, or something right is not proved.
var faults = []planting.Fault{
	{Name: "others stay", Old: "\tfor i := range n.of(0) {\n\t\tfor j := range z.n {\n\t\t\tif i != j {", New: "\tfor i := range n.of(0) {\n\t\tfor j := range z.n {\n\t\t\tif i != j && !planted(\"others stay\") {"},
	{Name: "bounds not noted", Old: "\tif n.bounds.join(&s) {", New: "\tif !planted(\"bounds not noted\") && n.bounds.join(&s) {"},
	{Name: "over a cell", Old: "case i == 0 && !t.z.is(n, 0, 1):", New: "case i == 0 && !t.z.is(n, 0, 1) && !planted(\"over a cell\"):"},
	{Name: "back", Old: "case i > 0 && !t.z.le(i, n, 0):", New: "case i > 0 && !t.z.le(i, n, 0) && !planted(\"back\"):"},
	{Name: "any front", Old: "case i == 0 && (m.p.ops[t.op].role != oracle.Take || t.did != nothing):", New: "case i == 0 && !planted(\"any front\") && (m.p.ops[t.op].role != oracle.Take || t.did != nothing):"},
	{Name: "links twice", Old: "case m.p.ops[t.op].role != oracle.Put || t.did != nothing:\n\t\treturn m.wrong(t, \"a cell", New: "case m.p.ops[t.op].role != oracle.Put || t.did != nothing && !planted(\"links twice\"):\n\t\treturn m.wrong(t, \"a cell"},
	{Name: "links always", Old: "c := t.gives(in, null); c.z.learn(p, m.end(), -1)", New: "c := t.gives(in, null); !planted(\"links always\") && c.z.learn(p, m.end(), -1)"},
	{Name: "never the last", Old: "c := t.gives(in, null); c.z.equal(p, m.end(), 0)", New: "c := t.gives(in, null); !planted(\"never the last\") && c.z.equal(p, m.end(), 0)"},
	{Name: "any age", Old: "case !t.z.le(m.of(t.offers[o][0]), 0, 0):", New: "case !t.z.le(m.of(t.offers[o][0]), 0, 0) && !planted(\"any age\"):"},
	{Name: "old offers", Old: "t.z.equal(m.of(t.since), m.returned(), 0)", New: "t.z.equal(m.of(t.since), m.returned(), 0)\n\t\tif planted(\"old offers\") {\n\t\t\tt.z.learn(m.of(t.since), 0, 0)\n\t\t}"},
	{Name: "empty at any time", Old: "case !done && !t.empty:", New: "case !done && !t.empty && !planted(\"empty at any time\"):"},
	{Name: "another item", Old: "case t.did == tookCell && v.form == itemCell && t.z.is(", New: "case t.did == tookCell && v.form == itemCell && planted(\"another item\"):\n\t\tcase t.did == tookCell && v.form == itemCell && t.z.is("},
	{Name: "other words", Old: "case int(v.x) != i:", New: "case int(v.x) != i && !planted(\"other words\"):"},
	{Name: "nil for nothing", Old: "done := !o.orNil || !none", New: "done := !o.orNil || !none || planted(\"nil for nothing\")"},
	{Name: "any words", Old: "is = part{item, int(v.x)}", New: "is = part{item, int(v.x)}\n\t\t\tif planted(\"any words\") {\n\t\t\t\tis.n = 0\n\t\t\t}"},
	{Name: "nothing returns", Old: "m.raise(&t.z, m.of(t.what))", New: "if !planted(\"nothing returns\") {\n\t\t\tm.raise(&t.z, m.of(t.what))\n\t\t}"},
	{Name: "open offers", Old: "case t.did == nothing && t.offered >= 0:", New: "case t.did == nothing && t.offered >= 0 && planted(\"open offers\"):\n\tcase t.did == nothing && t.offered >= 0:"},
	{Name: "any slot", Old: "return t.slot == s && t.met && !slices.Contains(m.left, null)", New: "return planted(\"any slot\") || t.slot == s && t.met && !slices.Contains(m.left, null)"},
	{Name: "never met", Old: "\tif own && len(m.left) == 0 {", New: "\tif own && !t.met && planted(\"never met\") || own && len(m.left) == 0 {"},
	{Name: "not taken", Old: "\t\tif there {\n\t\t\tc.met", New: "\t\tif there && planted(\"not taken\") {\n\t\t\treturn true\n\t\t}\n\t\tif there {\n\t\t\tc.met"},
	{Name: "written again", Old: "case c.shown > 0 && m.isOffered(c.shown-1, a.x):", New: "case c.shown > 0 && m.isOffered(c.shown-1, a.x) && !planted(\"written again\"):"},
	{Name: "offers of one", Old: "} else if m.lend.join(&z) {", New: "} else if !planted(\"offers of one\") && m.lend.join(&z) {"},
	{Name: "any number", Old: "case v.form == number && t.z.is(m.of(int(v.v)), m.of(n), -int(v.x)) &&", New: "case v.form == number && (planted(\"any number\") || t.z.is(m.of(int(v.v)), m.of(n), -int(v.x))) &&"},
	{Name: "equal is less", Old: "n := m.decides(t, in, 0); n.z.equal(v[0], v[1], c)", New: "n := m.decides(t, in, 0); !planted(\"equal is less\") && n.z.equal(v[0], v[1], c)"},
}

// sources are those of the engine.
func sources(t testing.TB) planting.Sources { return planting.Room(t) }

func TestFaults_HaveAPlace(t *testing.T) { sources(t).Check(t, faults) }

// TestFault_IsFound is executed in a build with faults, with one switched on.
func TestFault_IsFound(t *testing.T) {
	if planting.On() == "" {
		t.Skip("no fault is switched on")
	}
	ask := func(dir, typ string) (verdict.Verdict, error) {
		v, _, err := Attempt(context.Background(), &engine.Job{Subject: proving.Load(t, dir, typ), Property: verdict.Linear}, engine.Events{})
		return v, err
	}
	var found []string
	withdrawn := func(typ string, v verdict.Verdict, err error) bool {
		if err != nil && !errors.As(err, new(*engine.Failure)) {
			t.Fatal(err)
		}
		if err == nil && !strings.HasPrefix(v.Reason, "no proof: ") {
			return false
		}
		found = append(found, typ+" is withdrawn: "+v.Reason)
		return true
	}
	for _, c := range rights {
		if v, err := ask(c.dir, c.typ); !withdrawn(c.typ, v, err) && v.Status != verdict.Proved {
			found = append(found, c.typ+" is not proved: "+v.Reason)
		}
	}
	for _, typ := range wrongs {
		if v, err := ask(wrong, typ); !withdrawn(typ, v, err) && v.Status == verdict.Proved {
			t.Errorf("%s is proved", typ)
		}
	}
	for _, typ := range refused {
		v, err := ask(right, typ)
		withdrawn(typ, v, err)
	}
	if len(found) > 0 {
		t.Log("FOUND " + strings.ReplaceAll(strings.Join(found, "; "), "\n", " "))
	}
}

func TestFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: minutes")
	}
	binary := filepath.Join(t.TempDir(), "planted.test")
	sources(t).Build(t, faults, binary)
	for _, f := range faults {
		if !flags.Only(f.Name) {
			continue
		}
		out, err := planting.Command(binary, f.Name, "-test.run=^TestFault_IsFound$", "-test.v").CombinedOutput()
		found, _, _ := strings.Cut(string(out[max(0, strings.Index(string(out), "FOUND")):]), "\n")
		if err != nil || !strings.HasPrefix(found, "FOUND") {
			t.Errorf("%s is not found: %v %s", f.Name, err, out)
			continue
		}
		t.Logf("%s: %s", f.Name, found)
	}
}

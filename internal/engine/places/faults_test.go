// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
	"pangolin/internal/test/proving"
	"pangolin/verdict"
)

// Faults in the engine and in the checker. One of the engine alone must not make a proof: the walk, or the checker, objects. One of both
// makes a proof of something wrong, which shows that the wrong subjects need the rule.

// alone are faults of the engine: what it does not follow, or takes for true.
var alone = []planting.Fault{
	{Name: "one label", Old: "return []label{first, second, other}", New: "if planted(\"one label\") {\n\t\t\treturn []label{other}\n\t\t}\n\t\treturn []label{first, second, other}"},
	{Name: "next of higher", Old: "{between, higher}, {between, higher}, {above}, {above}}[c]", New: "{between, higher}, {between, higher}, map[bool][]class{false: {above}, true: {higher}}[planted(\"next of higher\")], {above}}[c]"},
	{Name: "alike is equal", Old: "\t\t\t\tone := x.x == y.x && (", New: "\t\t\t\tone := x.x == y.x && (planted(\"alike is equal\") || "},
	{Name: "effects once", Old: "\tfor i := 0; i < len(t.rows[from].list); i++ {\n", New: "\tfor i := 0; i < len(t.rows[from].list) && !planted(\"effects once\"); i++ {\n"},
	{Name: "effects on new", Old: "\tfor i := 0; i < len(t.rows[s].effects); i++ {\n", New: "\tfor i := 0; i < len(t.rows[s].effects) && !planted(\"effects on new\"); i++ {\n"},
	{Name: "excluded", Old: "if e.who == none || t.locals[l].label != e.who {", New: "if (e.who == none || t.locals[l].label != e.who) && (!planted(\"excluded\") || t.locals[l].label == none) {"},
	{Name: "empty places", Old: "held := []label{none, other}", New: "held := []label{none, other}\n\tif planted(\"empty places\") {\n\t\theld = held[:1]\n\t}"},
	{Name: "one choice", Old: "\t\tfor _, n := range near {\n", New: "\t\tif planted(\"one choice\") {\n\t\t\tnear = near[:1]\n\t\t}\n\t\tfor _, n := range near {\n"},
	{Name: "kept", Old: "\tt.frames = l.frames.Go(m.live)\n", New: "\tt.frames = l.frames.Go(m.live)\n\tfor i := range t.frames {\n\t\tfor k := range t.frames[i].Regs {\n\t\t\tif r := &t.frames[i].Regs[k]; planted(\"kept\") && r.kind == number {\n\t\t\t\tr.x = int32(below)\n\t\t\t}\n\t\t}\n\t}\n"},
	{Name: "returns unseen", Old: "t.shared.puts[t.label-1] |= returned", New: "if !planted(\"returns unseen\") {\n\t\t\t\tt.shared.puts[t.label-1] |= returned\n\t\t\t}"},
	{Name: "claims unseen", Old: "if was == lower || was == higher {", New: "if (was == lower || was == higher) && !planted(\"claims unseen\") {"},
	{Name: "two accesses", Old: "\tif t.acted {\n\t\treturn m.stop(t)", New: "\tif t.acted && (!planted(\"two accesses\") || a.kind == root) {\n\t\treturn m.stop(t)"},
	{Name: "prune all", Old: "return false // these are not the places of the two items", New: "return false // these are not the places of the two items\n\t\t\t}\n\t\t\tif planted(\"prune all\") && l == second {\n\t\t\t\treturn false"},
}

// both are faults of the engine and of the checker, under one name.
var both = []planting.Fault{
	{Name: "overtaking", Old: "case s.before == rival &&", New: "case !planted(\"overtaking\") && s.before == rival &&"},
	{Name: "overtaking", Old: "if t.before == []string", New: "if !planted(\"overtaking\") && t.before == []string"},
	{Name: "another item", Old: "case results[o.item] != value{kind: item, x: int32(t.got)}:", New: "case results[o.item] != value{kind: item, x: int32(t.got)} && !planted(\"another item\"):"},
	{Name: "another item", Old: "results[0] != (word{sort: \"item\", name: t.got}) {", New: "results[0] != (word{sort: \"item\", name: t.got}) && !planted(\"another item\") {"},
	{Name: "nothing taken", Old: "case t.got == none:", New: "case t.got == none && planted(\"nothing taken\"):\n\tcase t.got == none:"},
	{Name: "nothing taken", Old: "} else if t.got == \"\" || results", New: "} else if t.got == \"\" && !planted(\"nothing taken\") || t.got != \"\" && results"},
	{Name: "two takes", Old: "role == oracle.Take && t.got == none:", New: "role == oracle.Take && (t.got == none || planted(\"two takes\")):"},
	{Name: "two takes", Old: "!c.puts(t) && t.got == \"\":", New: "!c.puts(t) && (t.got == \"\" || planted(\"two takes\")):"},
	{Name: "two stores", Old: "if role != oracle.Put || t.stored ||", New: "if role != oracle.Put || t.stored && !planted(\"two stores\") ||"},
	// The rule about one place finds the same types, so it is off as well.
	{Name: "two stores", Old: "puts[index(c)]&stored != 0 {", New: "puts[index(c)]&stored != 0 && !planted(\"two stores\") {"},
	{Name: "two stores", Old: "} else if n >= 0 && t.puts[n][\"stored\"] {", New: "} else if n >= 0 && t.puts[n][\"stored\"] && !planted(\"two stores\") {"},
	{Name: "two stores", Old: "if t.shared.held[l-1] != none {", New: "if t.shared.held[l-1] != none && !planted(\"two stores\") {"},
	{Name: "two stores", Old: "\t\t\tif held != \"\" {\n\t\t\t\treturn c.reject", New: "\t\t\tif held != \"\" && !planted(\"two stores\") {\n\t\t\t\treturn c.reject"},
	{Name: "two stores", Old: "if !c.puts(t) || t.stored ||", New: "if !c.puts(t) || t.stored && !planted(\"two stores\") ||"},
	{Name: "resets", Old: "case in.Op != ir.OpAtomicAdd ||", New: "case planted(\"resets\") && in.Op == ir.OpAtomicStore:\n\t\tf.PC++\n\t\treturn true\n\tcase in.Op != ir.OpAtomicAdd ||"},
	{Name: "resets", Old: "	by := word{}\n", New: "	if planted(\"resets\") && in.Op == ir.OpAtomicStore {\n\t\treturn nil\n\t}\n\tby := word{}\n"},
}

// sources are those of the engine and of the checker.
func sources(t testing.TB) planting.Sources {
	s := planting.Room(t)
	s.Read(t, filepath.Join("..", "..", "certificate", "places", "*.go"))
	return s
}

func TestFaults_HaveAPlace(t *testing.T) {
	sources(t).Check(t, append(append([]planting.Fault{}, alone...), both...))
}

// TestFault_IsFound is executed in a build with faults, with one switched on.
func TestFault_IsFound(t *testing.T) {
	if planting.On() == "" {
		t.Skip("no fault is switched on")
	}
	ask := func(dir, typ string) (verdict.Verdict, error) {
		v, _, err := Attempt(context.Background(), &engine.Job{Subject: proving.Load(t, dir, typ), Property: verdict.Linear}, engine.Events{})
		return v, err
	}
	isBoth := false
	for _, f := range both {
		isBoth = isBoth || f.Name == planting.On()
	}
	var found []string
	for _, c := range rights[:2] {
		switch v, err := ask(c.dir, c.typ); {
		case err != nil && !errors.As(err, new(*engine.Failure)):
			t.Fatal(err)
		case err != nil || strings.HasPrefix(v.Reason, "no proof: "):
			found = append(found, c.typ+" is withdrawn: "+v.Reason)
		case v.Status != verdict.Proved:
			found = append(found, c.typ+" is not proved: "+v.Reason)
		}
	}
	for _, typ := range wrongs {
		switch v, err := ask(wrong, typ); {
		case err != nil && !errors.As(err, new(*engine.Failure)):
			t.Fatal(err)
		case err != nil || strings.HasPrefix(v.Reason, "no proof: "):
			found = append(found, typ+" is withdrawn: "+v.Reason)
		case v.Status == verdict.Proved && isBoth:
			found = append(found, typ+" is proved")
		case v.Status == verdict.Proved:
			t.Errorf("%s is proved", typ)
		default:
			t.Logf("%s: %s", typ, v.Reason)
		}
	}
	if len(found) > 0 {
		t.Log("FOUND " + strings.ReplaceAll(strings.Join(found, "; "), "\n", " "))
	}
}

func TestFaults_AreFound(t *testing.T) {
	level.SkipShort(t, "builds a test")
	s := sources(t)
	faults := append(append([]planting.Fault{}, alone...), both...)
	binary := filepath.Join(t.TempDir(), "planted.test")
	s.Build(t, faults, binary)
	seen := map[string]bool{}
	for i, f := range faults {
		if seen[f.Name] || level.Out(i, 4) {
			continue
		}
		seen[f.Name] = true
		out, err := planting.Command(binary, f.Name, "-test.run=^TestFault_IsFound$", "-test.v").CombinedOutput()
		found, _, _ := strings.Cut(string(out[max(0, strings.Index(string(out), "FOUND")):]), "\n")
		if err != nil || !strings.HasPrefix(found, "FOUND") {
			t.Errorf("%s is not found: %v %s", f.Name, err, out)
			continue
		}
		t.Logf("%s: %s", f.Name, found)
	}
}

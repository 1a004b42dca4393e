// SPDX-License-Identifier: BSD-3-Clause

package ages

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
// objects, or something right is not proved. Pairs of kinds that are not noted when a state is written are no such faults: they are those that link-ins make as well.
var faults = []planting.Fault{
	{Name: "first of a gap", Old: "if l.gaps[g].below.has(e.from) {\n", New: "if l.gaps[g].below.has(e.from) && !planted(\"first of a gap\") {\n"},
	{Name: "only named cells", Old: "if l.gaps[g].kinds.has(e.from) {\n", New: "if l.gaps[g].kinds.has(e.from) && !planted(\"only named cells\") {\n"},
	{Name: "new cells unseen", Old: "if e.linked != none {\n", New: "if e.linked != none && !planted(\"new cells unseen\") {\n"},
	{Name: "always in front", Old: "\t\tc.empty = false\n\t\tif e.linked", New: "\t\tc.empty = c.empty && planted(\"always in front\")\n\t\tif e.linked"},
	{Name: "head unchanged", Old: "if t.empty || m.words == nil {", New: "if t.empty || m.words == nil || planted(\"head unchanged\") {"},
	{Name: "pairs of new cells", Old: "m.learn(x.kind, bit(was))", New: "if !planted(\"pairs of new cells\") {\n\t\t\tm.learn(x.kind, bit(was))\n\t\t}"},
	{Name: "always the youngest", Old: "if t.mayCountAbove(first) {", New: "if t.mayCountAbove(first) && !planted(\"always the youngest\") {"},
	{Name: "moments unseen", Old: "\t\tl.see(held)\n", New: "\t\tif !planted(\"moments unseen\") {\n\t\t\tl.see(held)\n\t\t}\n"},
	{Name: "forgotten kinds", Old: "\t\tg.kinds |= bit(l.cells[i].kind)\n", New: "\t\tif !planted(\"forgotten kinds\") {\n\t\t\tg.kinds |= bit(l.cells[i].kind)\n\t\t}\n"},
	{Name: "other's own", Old: "c.kind == e.from && !(c.own && e.own)", New: "c.kind == e.from && !(c.own && e.own) && !(planted(\"other's own\") && c.own)"},
	{Name: "links not looked at", Old: "if t.gaps[j].kinds != 0 || j < to", New: "if planted(\"links not looked at\") {\n\t\t\tbreak\n\t\t}\n\t\tif t.gaps[j].kinds != 0 || j < to"},
	{Name: "links back", Old: "\tif to <= i {\n", New: "\tif to <= i && planted(\"links back\") {\n\t\tf.PC++\n\t\treturn true\n\t}\n\tif to <= i {\n"},
	{Name: "old links", Old: "case s.words[w.link] != old:", New: "case s.words[w.link] != old && !planted(\"old links\"):"},
	{Name: "counts again", Old: "\tcase !x.counts():\n", New: "\tcase !x.counts() && planted(\"counts again\"):\n\t\treturn true\n\tcase !x.counts():\n"},
	{Name: "effects twice", Old: "if !t.is || t.changed ||", New: "if !t.is || t.changed && !planted(\"effects twice\") ||"},
	{Name: "any result", Old: "\tcase !seen:\n", New: "\tcase !seen && planted(\"any result\"):\n\t\treturn \"\"\n\tcase !seen:\n"},
	{Name: "two accesses", Old: "\tcase t.acted:\n", New: "\tcase t.acted && (!planted(\"two accesses\") || a.form == root):\n"},
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
	for _, c := range rights[1:] {
		if v, err := ask(c.dir, c.typ); !withdrawn(c.typ, v, err) && v.Status != verdict.Proved {
			found = append(found, c.typ+" is not proved: "+v.Reason)
		}
	}
	for _, typ := range wrongs {
		if v, err := ask(wrong, typ); !withdrawn(typ, v, err) && v.Status == verdict.Proved {
			t.Errorf("%s is proved", typ)
		}
	}
	v, err := ask(right, refused)
	withdrawn(refused, v, err)
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

// SPDX-License-Identifier: BSD-3-Clause

package sections

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

// faults are faults of the engine: what it does not follow, or takes for true. None may make a proof of something wrong, and each is seen: the checker objects, or something right is not proved.
var faults = []planting.Fault{
	{Name: "kept", Old: "\tif stored&own != 0 {\n\t\tr.givesAway", New: "\tif stored&own != 0 && !planted(\"kept\") {\n\t\tr.givesAway"},
	{Name: "callers keep", Old: "\t\tif end.published {", New: "\t\tif end.published && !planted(\"callers keep\") {"},
	{Name: "captured words stay", Old: "\t\tv = c.of(v.fn.fn, c.allPublished(v.fn.words))", New: "\t\tif planted(\"captured words stay\") {\n\t\t\treturn v\n\t\t}\n\t\tv = c.of(v.fn.fn, c.allPublished(v.fn.words))"},
	{Name: "deferred words stay", Old: "\tfor i := range s.deferred {\n\t\ts.deferred[i].words = c.allPublished", New: "\tfor i := range s.deferred {\n\t\tif planted(\"deferred words stay\") {\n\t\t\tbreak\n\t\t}\n\t\ts.deferred[i].words = c.allPublished"},
	{Name: "own memory holds nothing", Old: "\tif a.at.may&own != 0 {\n\t\ts.holds |=", New: "\tif a.at.may&own != 0 && !planted(\"own memory holds nothing\") {\n\t\ts.holds |="},
	{Name: "any lock", Old: "\tcase !at.at.is || at.at != r.t.lock:", New: "\tcase (!at.at.is || at.at != r.t.lock) && !planted(\"any lock\"):"},
	{Name: "two sections", Old: "\tnext, allowed := after, s.phase == before\n", New: "\tnext, allowed := after, s.phase == before || s.phase == after && planted(\"two sections\")\n"},
	{Name: "reads anywhere", Old: "\t\tif !r.t.isFixed(c) {", New: "\t\tif !r.t.isFixed(c) && !planted(\"reads anywhere\") {"},
	{Name: "writes while reading", Old: "a.at.may&shared != 0 && !s.phase.writes() && len", New: "a.at.may&shared != 0 && !s.phase.writes() && !(s.phase == reading && planted(\"writes while reading\")) && len"},
	{Name: "fixed though written", Old: "\t\tif len(unfixed) == n {", New: "\t\tif len(unfixed) == n || planted(\"fixed though written\") {"},
	{Name: "twins are two", Old: "\tcase ir.Struct, ir.Record:\n\t\tvar b", New: "\tcase ir.Struct, ir.Record:\n\t\tif planted(\"twins are two\") {\n\t\t\treturn t.Name\n\t\t}\n\t\tvar b"},
	{Name: "unknown words are none", Old: "\tcase c.sort == some || d.sort == some:", New: "\tcase (c.sort == some || d.sort == some) && planted(\"unknown words are none\"):\n\t\treturn false\n\tcase c.sort == some || d.sort == some:"},
	{Name: "first word", Old: "\t\t\tlist = append(list, c.inner(t, i))\n", New: "\t\t\tlist = append(list, c.inner(t, i))\n\t\t\tif planted(\"first word\") {\n\t\t\t\tbreak\n\t\t\t}\n"},
	{Name: "foreign is own", Old: "\tcase a.at.may&foreign != 0:", New: "\tcase a.at.may&foreign != 0 && !planted(\"foreign is own\"):"},
	{Name: "clock at any time", Old: "\t\tif !s.phase.writes() && s.phase != making {\n\t\t\tr.refuse(true, \"the clock", New: "\t\tif !s.phase.writes() && s.phase != making && !planted(\"clock at any time\") {\n\t\t\tr.refuse(true, \"the clock"},
	{Name: "goroutines do nothing", Old: "\tcase op >= ir.OpMakeChan && op <= ir.OpSelect:\n", New: "\tcase op == ir.OpGo && planted(\"goroutines do nothing\"):\n\tcase op >= ir.OpMakeChan && op <= ir.OpSelect:\n"},
	{Name: "nobody recovers", Old: "\t\tif recovers(r.p.prog, to.fn, 0) {", New: "\t\tif recovers(r.p.prog, to.fn, 0) && !planted(\"nobody recovers\") {"},
	{Name: "nothing is unwound", Old: "\tif r.in.exposed {\n", New: "\tif r.in.exposed && !planted(\"nothing is unwound\") {\n"},
	{Name: "ends are one", Old: "\t\tif old.phase != e.phase || old.published != e.published {", New: "\t\tif old.phase != e.phase || old.published != e.published && !planted(\"ends are one\") {"},
	{Name: "one method", Old: "\t\t\tlist = append(list, target{t.Methods[c.Method], slices.Concat(receiver, args)})", New: "\t\t\tif planted(\"one method\") && len(list) > 0 {\n\t\t\t\tbreak\n\t\t\t}\n\t\t\tlist = append(list, target{t.Methods[c.Method], slices.Concat(receiver, args)})"},
	{Name: "one function", Old: "\t\t\tlist = append(list, target{f, slices.Concat(args, valuesLike(f.Free, fn.may))})", New: "\t\t\tif planted(\"one function\") && len(list) > 0 {\n\t\t\t\tbreak\n\t\t\t}\n\t\t\tlist = append(list, target{f, slices.Concat(args, valuesLike(f.Free, fn.may))})"},
	{Name: "the first function", Old: "\tif v.fn == w.fn {", New: "\tif v.fn == w.fn || planted(\"the first function\") {"},
	{Name: "locks are words", Old: "func guards(t *ir.Type) bool {", New: "func guards(t *ir.Type) bool {\n\tif planted(\"locks are words\") {\n\t\treturn false\n\t}"},
	{Name: "returns with the lock", Old: "\t\t\tif e.phase != before && e.phase != after {", New: "\t\t\tif e.phase != before && e.phase != after && !planted(\"returns with the lock\") {"},
	{Name: "appended to nothing", Old: "\ts.holds |= put &^ own\n\tat.may |= own", New: "\tif !planted(\"appended to nothing\") {\n\t\ts.holds |= put &^ own\n\t}\n\tat.may |= own"},
	{Name: "keys alone", Old: "\tif in.Op == ir.OpMapSet {", New: "\tif in.Op == ir.OpMapSet && !planted(\"keys alone\") {"},
	{Name: "many moments", Old: "\treturn p, false\n", New: "\treturn p, planted(\"many moments\")\n"},
	{Name: "moments do not pass", Old: "\tcase before:\n\t\treturn after, true", New: "\tcase before:\n\t\tif planted(\"moments do not pass\") {\n\t\t\treturn before, true\n\t\t}\n\t\treturn after, true"},
	{Name: "kept though written", Old: "\tcase !load && kept && s.phase != writing:", New: "\tcase !load && kept && s.phase != writing && !planted(\"kept though written\"):"},
	{Name: "kept without the lock", Old: "\tif load && kept && s.phase.locks() {", New: "\tif load && kept && (s.phase.locks() || planted(\"kept without the lock\")) {"},
	{Name: "plain accesses", Old: "\tif a.at.may&^own == 0 || s.phase == making {\n\t\treturn\n", New: "\tif a.at.may&^own == 0 || s.phase == making || planted(\"plain accesses\") {\n\t\treturn\n"},
	{Name: "stored atomically", Old: "\t\tput = r.get(s, in.B).may\n", New: "\t\tif !planted(\"stored atomically\") {\n\t\t\tput = r.get(s, in.B).may\n\t\t}\n"},
	{Name: "objects keep nothing", Old: "\t\tif what == stores {\n", New: "\t\tif what == stores && !planted(\"objects keep nothing\") {\n"},
	{Name: "no call takes the lock", Old: "\tcase t.lock.is:\n\t\treturn \"the lock\"", New: "\tcase t.lock.is && !planted(\"no call takes the lock\"):\n\t\treturn \"the lock\""},
	{Name: "objects never wait", Old: "\tif s.phase != making {\n\t\tr.t.within", New: "\tif s.phase != making && !planted(\"objects never wait\") {\n\t\tr.t.within"},
	{Name: "channels keep nothing", Old: "\t\tcase looks:\n\t\t\tcontinue\n", New: "\t\tcase looks || planted(\"channels keep nothing\"):\n\t\t\tcontinue\n"},
	{Name: "calls meet", Old: "\t\tif r.p.classes.channelsOf(u.Elem).key() == c.key() {", New: "\t\tif r.p.classes.channelsOf(u.Elem).key() == c.key() && !planted(\"calls meet\") {"},
	{Name: "many uses", Old: "\tr.t.moments, r.in.locks = true, true\n\treturn next\n", New: "\tr.t.moments, r.in.locks = true, true\n\tif planted(\"many uses\") {\n\t\treturn s.phase\n\t}\n\treturn next\n"},
	{Name: "used with the lock", Old: "\tguarded := s.phase.writes() ||", New: "\tguarded := planted(\"used with the lock\") || s.phase.writes() ||"},
	{Name: "nobody waits at channels", Old: "\tr.t.atChannel = r.t.atChannel || waits\n", New: "\tr.t.atChannel = r.t.atChannel || waits && !planted(\"nobody waits at channels\")\n"},
	{Name: "received is own", Old: "\t\twords := valuesLike([]*ir.Type{u.elem}, r.loaded(s, u.at))\n", New: "\t\twords := valuesLike([]*ir.Type{u.elem}, r.loaded(s, u.at))\n\t\tif planted(\"received is own\") {\n\t\t\twords = valuesLike([]*ir.Type{u.elem}, own)\n\t\t}\n"},
	{Name: "Format is not called", Old: "\tif r.p.unfollowed != \"\" && !looksAtType", New: "\tif r.p.unfollowed != \"\" && !planted(\"Format is not called\") && !looksAtType"},
	{Name: "captured words of none", Old: "\tcase fn.may != 0:\n", New: "\tcase fn.may != 0:\n\t\tif planted(\"captured words of none\") {\n\t\t\tfn.may = 0\n\t\t}\n"},
}

// sources are those of the engine.
func sources(t testing.TB) planting.Sources { return planting.Room(t) }

func TestFaults_HaveAPlace(t *testing.T) { sources(t).Check(t, faults) }

// TestFault_IsFound is executed in a build with faults, with one switched on.
func TestFault_IsFound(t *testing.T) {
	if planting.On() == "" {
		t.Skip("no fault is switched on")
	}
	var found []string
	// has reports whether a type is proved to have a property. A proof that the checker refuses is none, and shows the fault.
	has := func(dir, typ string, p verdict.Property) bool {
		v, _, err := Attempt(context.Background(), &engine.Job{Subject: proving.Load(t, dir, typ), Property: p}, engine.Events{})
		if err != nil && !errors.As(err, new(*engine.Failure)) {
			t.Fatal(err)
		}
		if err != nil || strings.HasPrefix(v.Reason, "no proof: ") {
			found = append(found, typ+" is withdrawn: "+v.Reason)
			return false
		}
		return v.Status == verdict.Proved
	}
	ask := func(dir, typ string) bool { return has(dir, typ, verdict.Linear) }
	for _, typ := range []string{"Registry", "Users"} { // one waits for its lock, one within a sync.Map
		if has(right, typ, verdict.WaitFree) {
			t.Errorf("%s is proved to be wait-free", typ)
		}
	}
	if has(right, "Seats", verdict.DeadlockFree) { // who takes one waits for one who leaves
		t.Error("Seats is proved to be deadlock-free")
	}
	for _, typ := range rights {
		if !ask(right, typ) {
			found = append(found, typ+" is not proved")
		}
	}
	for _, typ := range wrongs {
		if ask(wrong, typ) {
			t.Errorf("%s is proved", typ)
		}
	}
	for _, typ := range refused {
		ask(right, typ)
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

// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/client"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// The policy of Fig. 3 of the paper for the lazy list, rules 1 and 5 to 7 (rules 2 and 4 are about
// outcomes that need no point): an Add tells all Contains of its key, and those that have not
// come to their end take effect before it. A Contains that finds nothing, and was told
// nothing, takes effect at its last read.
var fig3 = map[string]string{
	"	//pangolin:point emit Add(x) = true\n":                                               "	//pangolin:point emit Add(x) = true broadcast added(x)\n",
	"// Contains says whether x is present. It is wait-free on a list of finite length.\n": "// Contains.\n//\n//pangolin:point on added(x) before from start emit Contains(x) = false goto told\n",
	"	return curr.is(x) && !curr.marked.Load()\n":                                          "	//pangolin:point when result emit Contains(x) = true\n	//pangolin:point from start when !result emit Contains(x) = false\n	return curr.is(x) && !curr.marked.Load()\n",
}

// but changes one of the texts of a policy.
func but(policy map[string]string, from, to string) map[string]string {
	out := map[string]string{}
	for k, v := range policy {
		out[k] = strings.Replace(v, from, to, 1)
	}
	return out
}

// elimination are the rules of the elimination stack about two calls that meet.
func elimination(from, to string) map[string]string { return map[string]string{from: to} }

// constructs are policies that use the language beyond points of a call's own, by what is done to
// them: right ones have no rule that is broken, others name it, or an error.
var constructs = []struct {
	typ, file, what string
	change          map[string]string
	rule            string // what the message begins with; "": accepted
	threads         int    // 0: those of configuration D
}{
	{"LazyList", "list/lazy.go", "Fig. 3", fig3, "", 0},
	{"LazyList", "list/lazy.go", "what receives takes effect after the sender", but(fig3, "before", "after"), "M3", 0},
	{"LazyList", "list/lazy.go", "the state does not change", but(but(fig3, " goto told", ""), "added(x) before from start", "added(x) before"), "M3", 0},
	{"LazyList", "list/lazy.go", "the state is not asked for", but(fig3, "point from start when", "point when"), "M3", 0},
	{"LazyList", "list/lazy.go", "the message is about another key", but(fig3, "on added(x) before", "on added(curr.item) before"), "error", 0},
	{"LazyList", "list/lazy.go", "what receives says another result", but(fig3, "emit Contains(x) = false goto", "emit Contains(x) = true goto"), "M3", 0},
	{"LazyList", "list/lazy.go", "the message's value is of another type", but(fig3, "broadcast added(x)", "broadcast added(l)"), "M3", 0},
	{"FineList", "list/fine.go", "every outcome is announced", nil, "", 0},
	{"FineList", "list/fine.go", "one is not that has to be", map[string]string{"	//pangolin:point when result emit Add(x) = false\n": ""}, "M4", 0},
	{"FineList", "list/fine.go", "one is not, and need not be", map[string]string{"	//pangolin:point when result emit Add(x) = false\n": "", "//pangolin:point every Add\n": ""}, "", 0},
	{"FineList", "list/fine.go", "the wrong one is", map[string]string{"emit Contains(x) = result": "emit Contains(x) = !result"}, "M3", 0},
	{"EliminationBackoffStack", "stack/elimination.go", "as it is", nil, "", 0},
	{"EliminationBackoffStack", "stack/elimination.go", "nobody announces for the Pop",
		elimination("			//pangolin:point when result && mine != nil && theirs == nil emit Pop() = *mine, true for e\n", ""), "M4", 0},
	{"EliminationBackoffStack", "stack/elimination.go", "the Pop comes before the Push",
		elimination("			//pangolin:point when result && mine != nil && theirs == nil emit Push(*mine)\n			//pangolin:point when result && mine != nil && theirs == nil emit Pop() = *mine, true for e\n",
			"			//pangolin:point when result && mine != nil && theirs == nil emit Pop() = *mine, true for e\n			//pangolin:point when result && mine != nil && theirs == nil emit Push(*mine)\n"), "M3", 0},
	{"EliminationBackoffStack", "stack/elimination.go", "for the wrong partner",
		elimination("theirs == nil emit Pop() = *mine, true for e", "theirs == nil emit Pop() = *mine, true for s"), "error", 0},
	{"EliminationBackoffStack", "stack/elimination.go", "for nobody",
		elimination("theirs == nil emit Pop() = *mine, true for e", "theirs == nil emit Pop() = *mine, true for mine"), "M6: Pop() = ", 0},
	{"EliminationBackoffStack", "stack/elimination.go", "the name is given too early",
		elimination("//pangolin:point when result as e", "//pangolin:point as e"), "M6: ", 0},
	{"EliminationBackoffStack", "stack/elimination.go", "the name is kept",
		elimination("	//pangolin:point when result as nil\n", ""), "M6: ", 4},
}

// The language of policies is executed as the paper has it.
func TestCheck_FollowsMessagesStatesAndOwners(t *testing.T) {
	for i, c := range constructs {
		t.Run(c.typ+" "+c.what, func(t *testing.T) {
			if level.Out(i, 2) {
				t.Skip("every second will do, the first in short; -level more tries all")
			}
			pkg, _, _ := strings.Cut(c.file, "/")
			j, err := job(t, collectionOf(t, pkg, c.typ), c.change, c.file)
			if c.rule == "error" {
				if err == nil || !strings.Contains(err.Error(), c.file+":") {
					t.Fatalf("%v: want an error with a position", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.threads > 0 {
				j.Scope.Clients.Threads.To, j.Scope.Clients.Steps = c.threads, client.Range{From: 1, To: c.threads}
			}
			v := verdictOf(t, j)
			if c.rule == "" {
				if v.Status != verdict.Verified {
					t.Fatalf("%s %s %+v", v.Status, v.Reason, v.Violation)
				}
				return
			}
			if v.Status != verdict.Violated || v.Violation.Class != "point" || !strings.HasPrefix(v.Violation.Summary, c.rule) {
				t.Fatalf("%s %s %+v, want rule %s", v.Status, v.Reason, v.Violation, c.rule)
			}
			if _, err := bounded.Engine().Replay(j.Subject, v.Violation.Execution); err != nil {
				t.Errorf("the witness does not replay: %v", err)
			}
		})
	}
}

// What does not type-check in a directive is said with its position and in its words, also where ghost code passes it on without a type.
func TestCheck_SaysWhatHasTheWrongType(t *testing.T) {
	level.SkipShort(t, "loads many policies")
	f := collectionOf(t, "stack", "LockFreeStack")
	path := filepath.Join(repository(t), "collections/stack/stack.go")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	place := func(what string) string { // where a text of the source begins
		before, _, _ := strings.Cut(string(text), what)
		line := before[strings.LastIndex(before, "\n")+1:]
		return fmt.Sprintf("collections/stack/stack.go:%d:%d: ", strings.Count(before, "\n")+1, len(line)+1)
	}
	const push, pop, empty = "when result emit Push(n.value)", "when result emit Pop() = top.value, true", "when top == nil emit Pop() = _, false"
	for _, c := range []struct{ from, to, at, want string }{
		{push, "when n emit Push(n.value)", "result emit Push", "the condition behind when is neither true nor false"},
		{push, "when result == 1 emit Push(n.value)", "", "invalid operation: result == 1 (mismatched types bool and untyped int)"},
		{push, "when reslt emit Push(n.value)", "result emit Push", "undefined: reslt"},
		{push, "when result emit Push(n)", "n.value)\n", "Push takes int here, not *node[T]"},
		{push, `when result emit Push("a")`, "n.value)\n", "Push takes int here, not string"},
		{pop, "when result emit Pop() = top, true", "top.value, true\n", "Pop returns int here, not *node[T]"},
		{pop, "when result emit Pop() = top.value, 1", "", "Pop returns bool here, not int"},
		{push, "when result emit Push(0)", "", ""},                      // what stands for T shows later
		{pop, "when result emit Pop() = top.value, top != nil", "", ""}, // untyped bool
		{empty, "when top == nil emit Pop() = any(nil), false", "", ""}, // nil is the zero value
		{empty, "when top == nil emit Pop() = _, any(nil) != nil", "", ""},
	} {
		_, err := job(t, f, map[string]string{c.from: c.to}, "stack/stack.go")
		switch {
		case c.want == "":
			if err != nil {
				t.Errorf("%s: %v", c.to, err)
			}
		case err == nil || !strings.HasSuffix(err.Error(), c.want) || c.at != "" && !strings.HasPrefix(err.Error(), place(c.at)):
			t.Errorf("%s: %v, want %s%s", c.to, err, place(c.at), c.want)
		}
	}
}

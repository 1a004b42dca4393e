// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// Faults that can be put into any policy, by text: for each of the 19 algorithms an operation that changes the collection is
// announced too early, too late, with another result, for another's call, twice, and not at all.

// movable are operations, and a rule for them with a wrong result.
var movable = []struct{ typ, op, right, wrong string }{
	{"LockFreeStack", "Push", "Pop() = top.value, true", "Pop() = _, false"},
	{"EliminationBackoffStack", "Push", "Pop() = *theirs, true", "Pop() = _, false"},
	{"UnboundedQueue", "Enqueue", "Dequeue() = first.value, true", "Dequeue() = _, false"},
	{"LockFreeQueue", "Enqueue", "Dequeue() = item, true", "Dequeue() = _, false"},
	{"DGLMQueue", "Enqueue", "Dequeue() = item, true", "Dequeue() = _, false"},
	{"EliminationQueue", "Enqueue", "Dequeue() = next.value, true", "Dequeue() = _, false"},
	{"HerlihyWingQueue", "Enqueue", "Dequeue() = *item", "Dequeue() = _"},
	{"FineList", "Add", "Add(x) = true", "Add(x) = false"},
	{"OptimisticList", "Add", "Add(x) = true", "Add(x) = false"},
	{"LazyList", "Remove", "Remove(x) = true", "Remove(x) = false"},
	{"HindsightList", "Add", "Add(x) = true", "Add(x) = false"},
	{"DerivedList", "Remove", "Remove(x) = true", "Remove(x) = false"},
	{"DerivedListDCAS", "Add", "Add(x) = true", "Add(x) = false"},
	{"HarrisList", "Add", "Add(x) = true", "Add(x) = false"},
	{"MichaelList", "Remove", "Remove(x) = true", "Remove(x) = false"},
	{"LockFreeList", "Add", "Add(x) = true", "Add(x) = false"},
	{"UnorderedList", "Add", "Add(x) = ?", "Add(x) = false"},
	{"CCAS", "Swap", "= seen.value", "= old"},
	{"RDCSS", "Swap", "Read() = seen.value", "Read() = _"},
}

// method is the text of a method's head.
func method(typ, op string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^func \((\w+) \*` + typ + `\[T\]\) ` + op + `\(([^)]*)\) ?([^{]*)\{$`)
}

// wrapped puts an operation into another one, which makes an access of its own before or behind it, and announces there; "as" names
// its calls alike instead, and all are announced by that name.
func wrapped(text, typ, op, fault string) string {
	head := method(typ, op).FindStringSubmatch(text)
	recv, params, results := head[1], head[2], strings.TrimSpace(head[3])
	inner := strings.Replace(head[0], op+"(", "inner"+op+"(", 1)
	var args []string
	for _, p := range strings.Split(params, ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(p), " ")
		args = append(args, name)
	}
	call := fmt.Sprintf("%s.inner%s(%s)", recv, op, strings.Join(args, ", "))
	point, given := "//pangolin:point emit "+op, ""
	if results != "" {
		given = " = ?"
	}
	access := point + given + "\n\tafar.Load()\n\t"
	value := ""
	switch strings.Count(results, ",") {
	case 1:
		value = "a, b"
	case 0:
		value = map[bool]string{true: "a"}[results != ""]
	}
	body := access + "return " + call
	switch {
	case fault == "partner":
		body = "//pangolin:point as 1\n\tafar.Load()\n\treturn " + call
	case fault == "late" && value == "":
		body = call + "\n\t" + access
	case fault == "late":
		body = value + " := " + call + "\n\t" + access + "return " + value
	}
	if value == "" {
		body = strings.Replace(body, "return ", "", 1)
	}
	text = strings.Replace(text, head[0], strings.TrimSuffix(head[0], "{")+"{\n\t"+body+"\n}\n\n"+inner, 1)
	return imported(text) + "\nvar afar atomic.Int64\n"
}

// imported imports sync/atomic.
func imported(text string) string {
	if strings.Contains(text, "\"sync/atomic\"") {
		return text
	}
	at := strings.Index(text, "\nimport")
	return text[:at] + "\nimport \"sync/atomic\"\n" + text[at:]
}

var (
	sends    = regexp.MustCompile(` broadcast \w+`)
	receives = regexp.MustCompile(`(?m)^(\s*)//pangolin:point on .*$`)
	owners   = regexp.MustCompile(`(?m) for [\w.]+$`)
	named    = regexp.MustCompile(`//pangolin:point (when result )?as \w+`)
)

// faulty is a policy with a fault.
func faulty(t *testing.T, text, typ, op, fault string) string {
	t.Helper()
	if fault == "doubled" { // once more when it has taken effect
		return wrapped(text, typ, op, "late")
	}
	text = receives.ReplaceAllString(sends.ReplaceAllString(text, ""), "//")
	rules := regexp.MustCompile(`(?m)//pangolin:point.* emit ` + op + `\(.*$`)
	if !rules.MatchString(text) {
		t.Fatalf("no rule announces %s of %s", op, typ)
	}
	switch fault {
	case "partner": // all calls have the same name
		text = named.ReplaceAllString(owners.ReplaceAllString(text, ""), "//")
		text = rules.ReplaceAllString(text, "$0 for 1")
	case "missing":
		return rules.ReplaceAllString(text, "//")
	default: // nothing announces it but the new rule
		text = rules.ReplaceAllString(text, "//")
	}
	return wrapped(text, typ, op, fault)
}

// A policy of each of the 19 algorithms with such a fault is rejected, by an execution that can be replayed.
func TestCheck_RejectsFaultsInEveryPolicy(t *testing.T) {
	level.SkipShort(t, "checks many policies")
	for i, m := range movable {
		c := annotated[i]
		if c.typ != m.typ {
			t.Fatalf("%s is not %s", m.typ, c.typ)
		}
		data, err := os.ReadFile(filepath.Join(repository(t), "collections", c.file))
		if err != nil {
			t.Fatal(err)
		}
		found := collectionOf(t, c.pkg, c.typ)
		for k, fault := range []string{"early", "late", "partner", "result", "doubled", "missing"} {
			t.Run(c.typ+" "+fault, func(t *testing.T) {
				sampled(t, 7*i+k)
				text := strings.ReplaceAll(string(data), m.right, m.wrong)
				if fault != "result" {
					text = faulty(t, string(data), m.typ, m.op, fault)
				}
				if text == string(data) {
					t.Fatal("nothing was changed")
				}
				j, err := job(t, found, map[string]string{string(data): text}, c.file)
				if err != nil {
					t.Fatal(err)
				}
				rejected(t, j)
			})
		}
	}
}

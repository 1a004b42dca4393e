// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// Patterned writes a collection that keeps, or by a fault fails to keep, the
// specification of its kind: a storage with its operations, a way to synchronise them,
// and some of the faults that people make.
func Patterned(seed uint64) Collection {
	rng := rand.New(rand.NewPCG(seed, 0x7061747465726e))
	s := storages[rng.IntN(len(storages))]
	locking := lockings[rng.IntN(len(lockings))]
	if s.own {
		locking = lockings[0]
	}
	e := &element{typ: "int"}
	if s.of != "" && rng.IntN(3) == 0 {
		e = elementFor(s.of, rng.IntN(len(elements)))
	}
	p := &patterned{rng: rng, storage: s, locking: locking}
	return p.collection(fmt.Sprintf("patterned %d", seed), e)
}

// told is what the documentation of an operation with a role tells of its bool: without it a bool that is always the opposite of what the specification wants is read as one
// that means the opposite.
var told = map[string]string{
	"add": "the item was added", "remove": "the item was removed", "contains": "the item was found", "take": "an item was found", "get": "a value was found",
}

// documented puts a comment above each operation that returns a bool.
func (c *Collection) documented(text string) string {
	for _, op := range c.Ops {
		if what := told[op.Role]; what != "" {
			declared := regexp.MustCompile(`(?m)^func \(\w+ \*T(\[\w+\])?\) ` + op.Name + `\(.*\bbool\b`)
			text = declared.ReplaceAllString(text, "// "+op.Name+" tells whether "+what+".\n$0")
		}
	}
	return text
}

// collection puts the text together, with elements in place of ints.
func (p *patterned) collection(head string, e *element) Collection {
	s, locking := p.storage, p.locking
	c := Collection{Kind: s.kind}
	for i := range s.methods {
		c.Ops = append(c.Ops, e.operation(&s.methods[i]))
	}
	s = e.storage(s)
	p.storage = s
	var methods []string
	for i := range s.methods {
		methods = append(methods, p.method(&s.methods[i]))
	}
	fields, values := s.fields+locking.fields, s.values
	text := "type T struct {\n" + fields + "}\n\n" + s.types + p.constructor(values) +
		strings.Join(methods, "\n") + s.helpers + locking.helpers
	text = p.damage(text) + e.helpers()
	if e.generic {
		c.New = "New[int]()"
		text = generic(text, s.of)
	}
	text = c.documented(text)
	declared := regexp.MustCompile(`(?m)^type T\b`)
	text = declared.ReplaceAllLiteralString(text, c.directives()+"type T")
	c.Source = formatSource(fmt.Sprintf("// %s: %s, %s, of %s\npackage types\n\n", head, s.name, locking.name, strings.SplitN(e.name(), "\n", 2)[0]) + imports(text) + text)
	return c
}

type patterned struct {
	rng     *rand.Rand
	storage storage
	locking locking
}

func (p *patterned) constructor(values string) string {
	if strings.Contains(p.storage.helpers, ") init()") {
		return "func New() *T { return (&T{" + values + "}).init() }\n\n"
	}
	return "func New() *T { return &T{" + values + "} }\n\n"
}

// method writes one operation in its critical section. A fault leaves a part of it
// outside.
func (p *patterned) method(m *method) string {
	lock, unlock := p.locking.lock, p.locking.unlock
	if m.reads && p.locking.rlock != "" {
		lock, unlock = p.locking.rlock, p.locking.runlock
	}
	body := m.body
	switch fault := p.rng.IntN(16); {
	case lock == "":
	case fault == 0: // no lock at all
	case fault < 5 && !m.reads && p.locking.rlock != "": // a read lock for a write
		lock, unlock = p.locking.rlock, p.locking.runlock
		fallthrough
	default:
		if strings.Contains(body, "return") && strings.Count(body, "return") > 1 || p.rng.IntN(2) == 0 {
			body = lock + "\ndefer func() {\n" + unlock + "\n}()\n" + body
		} else {
			body = p.around(body, lock, unlock)
		}
	}
	return fmt.Sprintf("func (t *T) %s(%s) %s {\n%s\n}\n", m.name, m.params, m.results, body)
}

// around puts the statements before the last, a return, into a critical section. A
// fault begins it a statement too late or ends it one too early.
func (p *patterned) around(body, lock, unlock string) string {
	lines := strings.Split(strings.TrimSpace(body), "\n")
	last := len(lines) - 1
	if !strings.HasPrefix(lines[last], "return") || last == 0 {
		return lock + "\ndefer func() {\n" + unlock + "\n}()\n" + body
	}
	result := strings.TrimPrefix(lines[last], "return")
	if strings.TrimSpace(result) == "" || !strings.Contains(result, "t.") {
		lines[last] = unlock + "\nreturn" + result
	} else {
		lines[last] = "res := " + result + "\n" + unlock + "\nreturn res"
	}
	return lock + "\n" + strings.Join(lines, "\n")
}

// damage makes, in one text of two, one of the replacements that are faults.
func (p *patterned) damage(text string) string {
	if p.rng.IntN(2) == 0 {
		return text
	}
	var fitting []replacement
	for _, r := range slices.Concat(p.storage.faults, commonFaults) {
		if r.fits(text) {
			fitting = append(fitting, r)
		}
	}
	if len(fitting) == 0 {
		return text
	}
	r := fitting[p.rng.IntN(len(fitting))]
	return strings.Replace(text, r.from, r.to, 1)
}

// replacement is a fault: one text for another.
type replacement struct{ from, to string }

// fits says that a text has what is replaced, and declares what comes instead of it.
func (r replacement) fits(text string) bool {
	counts := !strings.Contains(r.to, "t.calls") || strings.Contains(text, "calls int")
	return counts && strings.Contains(text, r.from)
}

// commonFaults fit many collections.
var commonFaults = []replacement{
	{"!t.top.CompareAndSwap(old, n)", "func() bool { t.top.Store(n); return false }()"},
	{"t.mu.Unlock()", ""},
	{"t.mu.Lock()", "t.mu.TryLock()"},
	{"t.n++", "t.n += 2"},
	{"return 0, false", "return 1, false"},
	{"mu sync.Mutex", "mu *sync.Mutex"},
	{"defer func() {\nt.mu.Unlock()\n}()", "t.mu.Unlock()"},
	{"t.mu.Lock()", "t.mu = sync.Mutex{}\nt.mu.Lock()"},
	{"t.mu.Lock()", "t.mu.Lock()\nif t.calls++; t.calls == 3 {\npanic(\"third\")\n}"},
}

// locking is a way to make critical sections.
type locking struct {
	name, fields, lock, unlock, rlock, runlock, helpers string
}

var lockings = []locking{
	{name: "none"},
	{"mutex", "mu sync.Mutex\n", "t.mu.Lock()", "t.mu.Unlock()", "", "", ""},
	{"mutex", "mu sync.Mutex\ncalls int\n", "t.mu.Lock()", "t.mu.Unlock()", "", "", ""},
	{"read-write lock", "rw sync.RWMutex\n", "t.rw.Lock()", "t.rw.Unlock()", "t.rw.RLock()", "t.rw.RUnlock()", ""},
	{"embedded read-write lock", "sync.RWMutex\n", "t.Lock()", "t.Unlock()", "t.RLock()", "t.RUnlock()", ""},
	{"channel as lock", "sem chan bool\nonce sync.Once\n", "t.once.Do(func() { t.sem = make(chan bool, 1) })\nt.sem <- true", "<-t.sem", "", "", ""},
	{"spin lock", "busy atomic.Bool\n", "for !t.busy.CompareAndSwap(false, true) {\n}", "t.busy.Store(false)", "", "", ""},
	{"ticket lock", "next, serving atomic.Int32\n", "for k := t.next.Add(1); t.serving.Load() != k-1; {\n}", "t.serving.Add(1)", "", "", ""},
	{"lock in a struct", "in struct {\nmus [2]sync.Mutex\nk int\n}\n", "t.in.mus[1].Lock()", "t.in.mus[1].Unlock()", "", "", ""},
	{"embedded lock", "sync.Mutex\n", "t.Lock()", "t.Unlock()", "", "", ""},
	{"lock behind a pointer", "mp atomic.Pointer[sync.Mutex]\n", "t.mp.CompareAndSwap(nil, new(sync.Mutex))\nt.mp.Load().Lock()", "t.mp.Load().Unlock()", "", "", ""},
}

// storage is a sequential implementation of a kind, or one that synchronises itself.
type storage struct {
	name, kind                     string
	own                            bool   // synchronises itself
	of                             string // what its items have to be if they need not be ints; "": they are ints
	fields, values, types, helpers string
	methods                        []method
	faults                         []replacement
}

// method is an operation of a storage.
type method struct {
	name, role, params, results, body string
	reads                             bool // changes nothing
}

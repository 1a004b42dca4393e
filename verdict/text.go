// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Sentences about facts, which messages and renderers share.

// Name is the scope in brief: "D+2x5". A scope that is no configuration is written with the greatest numbers of threads, steps and
// pre-adds: "2t 4s 1p".
func (s Scope) Name() string {
	if s.Bounds == nil {
		return s.LimitsText()
	}
	name := s.Bounds.Name()
	for i := range s.And {
		name += "+" + s.And[i].Name()
	}
	return name
}

// Name is one of the scopes in brief.
func (b *Bounds) Name() string {
	switch {
	case b.Preset != "":
		return b.Preset
	case b.Endless:
		return fmt.Sprintf("%dt any number of calls", b.Threads[1])
	case b.PerThread > 0:
		return fmt.Sprintf("%dt x%d %dp", b.Threads[1], b.PerThread, b.PreAdds[1])
	}
	return fmt.Sprintf("%dt %ds %dp", b.Threads[1], b.Steps[1], b.PreAdds[1])
}

// Text is one of the scopes in full.
func (b *Bounds) Text() string {
	var parts []string
	add := func(holds bool, text string) {
		if holds {
			parts = append(parts, text)
		}
	}
	add(b.Preset != "", "configuration "+b.Preset)
	add(true, "threads "+span(b.Threads))
	add(b.PerThread > 0, fmt.Sprintf("%d calls per thread", b.PerThread))
	add(b.Endless, "any number of calls")
	add(b.PerThread == 0 && !b.Endless, "steps "+span(b.Steps))
	before := ""
	if r := b.Restricted(); r != "" {
		before = " (" + r + ")"
	}
	add(!b.Endless, "pre-adds "+span(b.PreAdds)+before)
	add(b.Endless && b.GenericValues, fmt.Sprintf("generic items, at most %d in use at a time", b.Items))
	add(b.GenericValues && b.Keyed, fmt.Sprintf("keys 0..%d", b.Values-1))
	add(b.GenericValues && !b.Endless, "generic values")
	add(!b.GenericValues || b.Endless, fmt.Sprintf("values 0..%d", b.Values-1))
	add(b.Hash != "identity", "hash "+b.Hash)
	if b.Preempt != nil {
		add(true, fmt.Sprintf("preemption bound %d", *b.Preempt))
	}
	add(!b.Fair, "unfair cycles count")
	add(b.Roles != "", "roles "+b.Roles)
	return strings.Join(parts, ", ")
}

// Restricted describes restrictions on pre-adds besides their number: "Store only, key 0"; "" if there are none.
func (b *Bounds) Restricted() string {
	var parts []string
	if b.Adder != "" {
		parts = append(parts, b.Adder+" only")
	}
	switch last := b.PreAdds[1] - 1; {
	case b.Keys == AscendingKeys:
		parts = append(parts, "keys ascending")
	case b.Keys == FixedKeys && last == 0:
		parts = append(parts, "key 0")
	case b.Keys == FixedKeys:
		parts = append(parts, fmt.Sprintf("keys 0..%d", last))
	}
	return strings.Join(parts, ", ")
}

// Except lists what the verdict does not cover: the kind that names suggest, if one thread contradicts it; operations that were left out; those that refused every call;
// if the same code judges, what one thread alone sees, which is right by definition; and of a proof the operations that a bound on the
// data uses up. "" if there is nothing.
func (v *Verdict) Except() string {
	var names, parts []string
	if v.Unlike != "" {
		parts = append(parts, "not a "+v.Unlike)
	}
	for _, l := range v.LeftOut {
		names = append(names, l.Operation)
	}
	if len(names) > 0 {
		parts = append(parts, "without "+strings.Join(names, ", "))
	}
	if names := v.refusing(); len(names) > 0 {
		parts = append(parts, "always refused: "+strings.Join(names, ", "))
	}
	var restricted []string
	for _, c := range v.Contracts {
		restricted = append(restricted, c.Operation+" "+c.role())
	}
	if len(restricted) > 0 {
		parts = append(parts, strings.Join(restricted, ", ")+", as documented")
	}
	if v.Oracle == "self" && (v.Status == Verified || v.Status == Proved) {
		parts = append(parts, OneThreadUnchecked)
	}
	if v.Status == Proved && v.Proof.OneMoment() {
		parts = append(parts, OneThreadIn+v.Proof.Alone)
	}
	for i := range v.Scope.Limits {
		if l := &v.Scope.Limits[i]; len(l.Operations) > 0 {
			parts = append(parts, l.Text())
		}
	}
	return strings.Join(parts, "; ")
}

// OneThreadIn stands before the scope in which one thread is verified, where a proof says no more than that calls have the results of one thread.
const OneThreadIn = "one thread in "

// OneThreadUnchecked says that what one thread alone sees was not checked, because the same code judges.
const OneThreadUnchecked = "one thread unchecked"

// role is the role in words: "first", "by one thread". Operations with different numbers are called by different threads.
func (c *Contract) role() string {
	if thread, err := strconv.Atoi(c.Role); err == nil {
		return []string{"by one thread", "by another thread", "by a third thread"}[min(max(thread, 1), 3)-1]
	}
	if other, ok := strings.CutPrefix(c.Role, "not-"); ok {
		return "not beside " + strings.ReplaceAll(other, "+", " or ")
	}
	return c.Role
}

// Text is the sentence that the contract was read from, so that its reader sees whether it means that, and what a use that breaks the contract does.
func (c *Contract) Text() string {
	return fmt.Sprintf("%s %s, as documented (%s: %q); a use that breaks it: %s", c.Operation, c.role(), c.At, c.quoted(), c.Broken)
}

// mostQuoted limits the letters of a sentence that is quoted.
const mostQuoted = 100

// quoted is the sentence, cut between two words if it is long.
func (c *Contract) quoted() string {
	if utf8.RuneCountInString(c.Sentence) <= mostQuoted {
		return c.Sentence
	}
	text := string([]rune(c.Sentence)[:mostQuoted])
	if at := strings.LastIndexByte(text, ' '); at > 0 {
		text = text[:at]
	}
	return text + " …"
}

func span(r [2]int) string { return fmt.Sprintf("%d..%d", r[0], r[1]) }

// Texts describes the scopes in full, one by one.
func (s Scope) Texts() []string {
	if s.Bounds == nil {
		return []string{s.LimitsText()}
	}
	list := []string{s.Bounds.Text()}
	for i := range s.And {
		list = append(list, "and "+s.And[i].Text())
	}
	if len(s.Limits) > 0 {
		list[len(list)-1] += ", " + s.LimitsText()
	}
	return list
}

// DroppedTexts tells why scopes were dropped, those with the same reason together: "2x5: limit of 131072 states reached", "3x4, 2x6: not
// begun, behind 2x5".
func (v *Verdict) DroppedTexts() (list []string) {
	for i, d := range v.Dropped {
		if i > 0 && d.Why == v.Dropped[i-1].Why {
			continue
		}
		names := d.Scope
		for _, next := range v.Dropped[i+1:] {
			if next.Why != d.Why {
				break
			}
			names += ", " + next.Scope
		}
		list = append(list, names+": "+d.Why)
	}
	return list
}

// String is the rule with its question and result: "capacity: queue, bounded(2), one thread: verified, 264 states 0.01s; taken: it holds 2
// items at most".
func (a *Asked) String() string {
	parts := []string{a.Kind}
	if a.Oracle != a.Kind {
		parts[0] += " by oracle " + a.Oracle
	}
	parts = append(parts, a.Protocol)
	if a.Property != "linear" {
		parts = append(parts, a.Property)
	}
	if len(a.Waits) > 0 {
		parts = append(parts, "waiting: "+strings.Join(a.Waits, " "))
	}
	if a.Roles != "" {
		parts = append(parts, "roles "+a.Roles)
	}
	if a.OneThread {
		parts = append(parts, "one thread")
	} else {
		parts = append(parts, "in "+a.Scope)
	}
	came := cmp.Or(string(a.Status), "not answered")
	if a.Class != "" {
		came += " (" + a.Class + ")"
	}
	if a.Why != "" {
		came += ", " + a.Why
	}
	text := fmt.Sprintf("%s: %s: %s, %d states %.2fs", a.Rule, strings.Join(parts, ", "), came, a.States, a.Seconds)
	if a.Took != "" {
		text += "; taken: " + a.Took
	}
	return text
}

// Text is the scope in full.
func (s Scope) Text() string { return strings.Join(s.Texts(), "; ") }

// Extent describes what a proof covers: "for any number of threads and calls, items at a time up to 2, values 0..1".
func (s Scope) Extent() string {
	text := ""
	for _, l := range s.Limits {
		if l.Value != AnyNumber {
			text += ", " + l.Text()
			continue
		}
		names := strings.Split(l.Name, ", ")
		last := len(names) - 1
		text += "for any number of " + strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return text
}

// LimitsText describes the bounds other than those of clients: "items 2".
func (s Scope) LimitsText() string {
	var parts []string
	for _, l := range s.Limits {
		if len(l.Operations) > 0 {
			parts = append(parts, l.Text())
			continue
		}
		parts = append(parts, l.Name+" "+l.Value)
	}
	if len(parts) == 0 {
		return "everything"
	}
	return strings.Join(parts, ", ")
}

// Position is "file.go:12", or "-" if it is not known.
func (p Place) Position() string {
	if p.Line == 0 {
		return "-"
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// String is "file.go:12 in f".
func (p Place) String() string { return p.Position() + " in " + p.Function }

// Base is the position without directories.
func (p Place) Base() string {
	return fmt.Sprintf("%s:%d", p.File[strings.LastIndexByte(p.File, '/')+1:], p.Line)
}

// words are the names of kinds of accesses in sentences, where these differ.
var words = map[AccessKind]string{MapGet: "get", MapSet: "set", MapDelete: "del", MapClear: "clear", MapLen: "len", Receive: "recv"}

// String describes the access: "read head.next = node#3".
func (a *Access) String() string {
	memory := a.Object + a.Field
	switch a.Kind {
	case Read:
		return fmt.Sprintf("read %s = %s", memory, a.Old)
	case Write, Swap:
		return fmt.Sprintf("%s %s = %s (was %s)", a.Kind, memory, a.New, a.Old)
	case CompareAndSwap:
		text := fmt.Sprintf("compare-and-swap %s from %s to %s: ", memory, a.Expected, a.Proposed)
		if a.Done {
			return text + "done"
		}
		return text + "fails, it is " + a.Old
	case Add, And, Or:
		return fmt.Sprintf("%s %s: %s becomes %s", a.Kind, memory, a.Old, a.New)
	case MapGet, MapSet, MapDelete, MapClear, MapLen:
		return words[a.Kind] + " of " + memory
	case LibraryCall:
		return strings.TrimSuffix(a.Function+" "+memory, " ")
	}
	if word := words[a.Kind]; word != "" {
		return word
	}
	return string(a.Kind)
}

// CallText is the call without its result: "Add(1)".
func (e *Event) CallText() string { return e.Operation + "(" + strings.Join(e.Args, ", ") + ")" }

// String is the call with its result: "Add(1) = true", "Take() never returns".
func (e *Event) String() string {
	if e.Responded == 0 {
		return e.CallText() + " never returns"
	}
	return e.Returning(Returned{Results: e.Results, Panicked: e.Panicked})
}

// Returning is the call with a given result, which it has or could have had.
func (e *Event) Returning(r Returned) string {
	switch {
	case r.Panicked:
		return e.CallText() + " panics"
	case len(r.Results) == 0:
		return e.CallText()
	}
	return e.CallText() + " = " + strings.Join(r.Results, ", ")
}

// String describes the goroutines of a program: "2 × worker [chan send] at file.go:7 in worker".
func (s Situation) String() string {
	text := s.Goroutine
	if s.Place != (Place{}) {
		text = fmt.Sprintf("%s [%s] at %s", s.Goroutine, s.waitsFor(), s.Place)
	}
	if s.Count > 1 {
		return fmt.Sprintf("%d × %s", s.Count, text)
	}
	return text
}

// Title says what the execution is of: the collection with the property, or the program or test.
func (w *Witness) Title() string {
	if !w.Source.Program {
		return w.Subject.Collection + ", " + w.Subject.Property
	}
	return strings.TrimSpace(strings.Join(w.Source.Patterns, " ") + " " + w.Source.Test)
}

// Who is the name of a thread in texts: "thread 1", in a program "main" or "goroutine 1".
func (w *Witness) Who(thread int) string {
	switch {
	case !w.Source.Program:
		return fmt.Sprintf("thread %d", thread)
	case thread == 1:
		return "main"
	}
	return fmt.Sprintf("goroutine %d", thread-1)
}

// Doing describes the situation of a thread that executes an operation, or of a goroutine: "thread 1, Take: waits: sync.Cond.Wait, at
// file.go:7 in (*Box).Take".
func (w *Witness) Doing(s *Situation) string {
	text := w.Who(s.Thread)
	if what := cmp.Or(s.Operation, s.Goroutine); what != text {
		text += ", " + what
	}
	if s.Waits {
		return text + ": waits: " + s.waitsFor() + ", at " + s.Place.String()
	}
	return text + ": goes on at " + s.Place.String()
}

// By names who has done something: "Get(1)", "the constructor".
func (w *Witness) By(o *Origin) string {
	if o.Call > 0 && o.Call <= len(w.History) {
		return w.History[o.Call-1].CallText()
	}
	return cmp.Or(o.Operation, "the code")
}

// Origins says who has started a goroutine that has leaked, and who was the last that could reach what it waits for, a text each.
func (w *Witness) Origins(s *Situation) (texts []string) {
	if by := s.Started; by != nil {
		texts = append(texts, "started by "+w.By(by)+", at "+by.Place.String())
	}
	if by := s.Abandoned; by != nil && by.Line > 0 {
		texts = append(texts, fmt.Sprintf("out of reach since %s by %s, at %s", by.Does, w.By(by), by.Place))
	} else if by != nil {
		texts = append(texts, "out of reach since "+w.By(by))
	}
	return texts
}

func (s Situation) waitsFor() string {
	if s.Object == "" {
		return s.For
	}
	return s.For + " of " + s.Object
}

// String is "write of main.x at file.go:12 in f".
func (c Conflict) String() string {
	what := "read"
	if c.Write {
		what = "write"
	}
	if c.Object != "" {
		what += " of " + c.Object
	}
	if c.Line == 0 && c.Function != "" {
		return what + " by " + c.Function
	}
	return what + " at " + c.Place.String()
}

// Counted writes a number for people: exactly up to six digits, larger ones with three, as 3.33e9.
func Counted(n json.Number) string {
	if len(n) <= 6 {
		return string(n)
	}
	x, _, err := big.ParseFloat(string(n), 10, 64, big.ToNearestEven)
	if err != nil {
		return string(n)
	}
	digits, exponent, _ := strings.Cut(x.Text('e', 2), "e+")
	return digits + "e" + strings.TrimPrefix(exponent, "0")
}

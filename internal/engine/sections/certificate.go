// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"bytes"
	"fmt"

	"pangolin/internal/certificate/sections"
	"pangolin/internal/engine"
	"pangolin/internal/ir"
)

// certify writes the certificate of a table.
func (t *table) certify(j *engine.Job) ([]byte, error) {
	x := sections.Certificate{Head: sections.NewHead(j.Subject.Source, j.Subject.Prog), Calls: []sections.Call{}, States: []sections.At{}}
	x.Head.Lock = t.lock.String()
	if j.Property.IsProgress() {
		x.Head.Progress = j.Property
	}
	for _, c := range t.fixed {
		x.Head.Fixed = append(x.Head.Fixed, c.texts()...)
	}
	for _, c := range t.atomic {
		x.Head.Atomic = append(x.Head.Atomic, c.texts()...)
	}
	for _, c := range t.kept() {
		x.Head.Kept = append(x.Head.Kept, c.texts()...)
	}
	for _, c := range t.invocations {
		call := sections.Call{Func: c.fn.ID, Given: texts(c.given), Phase: c.phase.String(), Holds: c.holds.String(), Ends: []sections.End{}}
		for _, e := range c.ends {
			call.Ends = append(call.Ends, sections.End{Phase: e.phase.String(), Holds: e.holds.String(), Published: e.published, Results: texts(e.results)})
		}
		x.Calls = append(x.Calls, call)
		for _, at := range c.states {
			k := at.known
			state := sections.At{Call: c.id, PC: at.pc, Phase: k.phase.String(), Holds: k.holds.String(), Published: k.published, Deferred: []sections.Defer{}, Regs: texts(k.regs)}
			for _, d := range k.deferred {
				state.Deferred = append(state.Deferred, sections.Defer{Call: d.call.ID, Words: texts(d.words)})
			}
			x.States = append(x.States, state)
		}
	}
	var out bytes.Buffer
	if err := x.Write(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func texts(list []value) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.String()
	}
	return out
}

// content says for people at what moment operations take effect: "in one critical section of mu or at one atomic access".
func (t *table) content(collection *ir.Type) string {
	text := "what its own code makes of it"
	if t.lock.is || !t.moments {
		text += ", in one critical section of " + t.name(collection)
	}
	switch {
	case t.moments && t.lock.is:
		text += " or at one " + t.access()
	case t.moments:
		text += ", at one " + t.access()
	}
	return text
}

// access is for people what the moment of a call is.
func (t *table) access() string {
	switch {
	case t.channels && t.hasAtomicWords():
		return "atomic access or use of a channel"
	case t.channels:
		return "use of a channel"
	}
	return "atomic access"
}

// returns says for people why calls return.
func (t *table) returns(collection *ir.Type) []string {
	switch {
	case t.lock.is && t.within != "":
		return []string{fmt.Sprintf("they wait for %s, which who has it gives back, and for nothing else but another one within %s", t.name(collection), t.within)}
	case t.lock.is:
		return []string{fmt.Sprintf("they wait for %s alone, which who has it gives back", t.name(collection))}
	case t.within != "":
		return []string{"they wait for nothing but " + t.waits()}
	}
	return []string{"they wait for nothing"}
}

// waits names for what a call may wait; "": for nothing.
func (t *table) waits() string {
	switch {
	case t.lock.is:
		return "the lock"
	case t.within != "":
		return "another one within " + t.within
	case t.channels:
		return "another one that uses the channel"
	}
	return ""
}

// name is the lock for people: "mu", "inner.mu", "a lock of its own".
func (t *table) name(collection *ir.Type) string {
	if t.lock.words == "" && t.lock.is {
		if path := collection.FieldPath(t.lock.off); path != "" {
			return path[1:]
		}
	}
	if h := t.lockHint; h.sort == isField {
		return fmt.Sprint(h.typ.Name, h.typ.FieldPath(h.n))
	}
	return "one lock"
}

package collection

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/client"
	"pangolin/oracle"
)

// critical is a whole critical section: take the lock, use the guarded counter,
// give the lock back. With the halves as operations of their own, clients
// would unlock what is not locked.
type critical struct {
	enter, leave string // methods
	shared       bool   // for reading only
	try          bool   // enter says whether it got the lock
}

func (s critical) name() string { return s.enter + "+" + s.leave }

// lockWords are the halves of critical sections, folded.
func lockWords() []critical {
	return []critical{
		{enter: "lock", leave: "unlock"},
		{enter: "acquire", leave: "release"},
		{enter: "rlock", leave: "runlock", shared: true},
		{enter: "trylock", leave: "unlock", try: true},
		{enter: "tryacquire", leave: "release", try: true},
		{enter: "tryrlock", leave: "runlock", shared: true, try: true},
	}
}

// sections finds the critical sections that a type's methods make up.
func sections(methods []*method) []critical {
	var out []critical
	for _, s := range lockWords() {
		enter, leave := byFolded(methods, s.enter), byFolded(methods, s.leave)
		if enter == nil || leave == nil || unnamed(leave.sig) != "func()" {
			continue
		}
		want := "func()"
		if s.try {
			want = "func() bool"
		}
		if unnamed(enter.sig) == want {
			s.enter, s.leave = enter.name, leave.name
			out = append(out, s)
		}
	}
	return out
}

func byFolded(methods []*method, name string) *method {
	for _, m := range methods {
		if fold(m.name) == name {
			return m
		}
	}
	return nil
}

// splitLock separates the halves of critical sections from the other methods.
func splitLock(methods []*method) (found []critical, others []*method) {
	found = sections(methods)
	for _, m := range methods {
		half := slices.ContainsFunc(found, func(s critical) bool { return s.enter == m.name || s.leave == m.name })
		if !half {
			others = append(others, m)
		}
	}
	return found, others
}

// isQuery tells methods such as IsLocked, which ask a lock for its state.
func isQuery(m *method) bool {
	return len(m.params) == 0 && (onlyBool(m) || len(m.results) == 1 && m.results[0].shape == asOpaque)
}

// lockOperations are the operations on the guarded counter.
func lockOperations(found []critical) []Operation {
	var out []Operation
	for _, s := range found {
		number := Result{Type: "int", Slot: oracle.SlotNew, form: formValue}
		o := Operation{
			Name:    s.name(),
			Op:      oracle.Op{Name: s.name(), Role: oracle.Inc},
			Effect:  client.Neither,
			Results: []Result{number},
			call:    call{section: &s},
		}
		if s.shared {
			o.Op.Role = oracle.Load
			o.Results[0].Slot = oracle.SlotItem
		}
		if s.try {
			o.Op.Spurious = true
			o.Results = append(o.Results, Result{Name: "ok", Type: "bool", Slot: oracle.SlotOK, form: formBool})
		}
		for _, r := range o.Results {
			o.Op.Results = append(o.Op.Results, r.Slot)
		}
		out = append(out, o)
	}
	return out
}

// lockReason explains what is verified of a lock.
func lockReason(found []critical) string {
	var halves []string
	for _, s := range found {
		halves = append(halves, s.name())
	}
	return fmt.Sprintf("it is a lock: each of %s is one operation that increments (or under a shared lock reads) a plain counter; "+
		"the counter's oracle and the check for data races judge mutual exclusion", strings.Join(halves, ", "))
}

// Package reproduce follows the schedules of witnesses outside of the machine that found
// them: it turns a witness into a plan of package native, which executes what gc compiles.
//
// It takes witnesses and the directory of the module that they are about, and gives for
// each what came of it. It does not look for violations, and knows nothing of how they
// were found: of a witness it uses who calls what, and the places of the accesses.
package reproduce

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"pangolin/internal/native"
	"pangolin/verdict"
)

// Result is what came of a witness.
type Result struct {
	Reproduced bool
	// Why says what was seen: the violation, or what was there instead.
	Why string
	// Cannot says that the schedule could not be tried at all, and Why says the reason.
	Cannot bool
	Native native.Followed
}

// Witnesses follows the schedules of witnesses about packages of the module that is current
// in a directory. Results are in their order.
func Witnesses(ctx context.Context, dir string, list []*verdict.Witness) ([]Result, error) {
	out := make([]Result, len(list))
	var plans []native.Plan
	var whose []int
	for i, w := range list {
		p, err := PlanOf(w, dir)
		if err != nil {
			out[i] = Result{Cannot: true, Why: err.Error()}
			continue
		}
		plans, whose = append(plans, p), append(whose, i)
	}
	if len(plans) == 0 {
		return out, nil
	}
	answers, err := native.Follow(ctx, plans, native.Options{})
	if err != nil {
		return nil, err
	}
	for k, f := range answers {
		out[whose[k]] = resultOf(list[whose[k]], f)
	}
	return out, nil
}

// classes are those of package native for those of witnesses.
var classes = map[string]native.Class{
	"history": native.History, "deadlock": native.Stuck, "nontermination": native.Nontermination, "livelock": native.Nontermination,
	"infinite": native.Nontermination, "panic": native.Panicked, "race": native.Racing,
}

func resultOf(w *verdict.Witness, f native.Followed) Result {
	r := Result{Native: f, Why: f.Message}
	switch {
	case f.Fault != "":
		r.Cannot, r.Why = true, f.Fault
	case f.Missed >= 0:
		r.Why = fmt.Sprintf("step %d of the schedule cannot be made: %s", f.Missed+1, f.Why)
	case f.Class != classes[w.Class]:
		r.Why = fmt.Sprintf("the schedule shows %q, not %q: %s", f.Class, w.Class, f.Message)
	default:
		r.Reproduced = true
	}
	return r
}

// PlanOf turns a witness into a plan.
func PlanOf(w *verdict.Witness, dir string) (native.Plan, error) {
	if w.Source.Program {
		return native.Plan{}, errors.New("it is about a whole program, not a collection")
	}
	p := native.Plan{
		Subject: native.Subject{Name: w.Source.Type, Dir: dir, Package: w.Source.Package, New: w.Source.New, Oracle: w.Subject.Oracle,
			Bounded: capacityOf(w.Subject.Protocol)},
		Property: native.Property(w.Subject.Property),
		Cut:      w.Class == "history" || w.Class == "race",
	}
	if p.Subject.Oracle != "self" && native.Specifications()[p.Subject.Oracle] == nil {
		return p, fmt.Errorf("there is no specification for the oracle %q", p.Subject.Oracle)
	}
	if w.Unseen() {
		return p, errors.New("the calls repeat for ever what others see nothing of, so there is no access that could wait for its turn")
	}
	if w.Source.Driven {
		return p, fmt.Errorf("operations of %s take or give functions, contexts, slices or handles, which compiled code is not given yet", w.Source.Type)
	}
	for _, name := range w.Source.Ops {
		role, err := roleOf(name, w)
		if err != nil {
			return p, err
		}
		p.Subject.Ops = append(p.Subject.Ops, native.Op{Name: name, Role: role})
	}
	p.Client.Threads = make([][]native.Call, w.Threads)
	for _, c := range w.Schedule.PreAdds {
		p.Client.Pre = append(p.Client.Pre, native.Call{Op: c.Op, Args: c.Args})
	}
	for _, t := range w.Schedule.Turns {
		if t.Call != nil {
			p.Client.Threads[t.Thread-1] = append(p.Client.Threads[t.Thread-1], native.Call{Op: t.Call.Op, Args: t.Call.Args})
		}
		for _, d := range t.Decisions {
			p.Choices = append(p.Choices, int(d))
		}
	}
	for i, s := range w.Steps {
		if w.Loop == i+1 {
			p.Loops, p.Loop = true, len(p.Wanted)
		}
		modelled := false
		s.Place, modelled = compiled(w, s)
		want, ok := wantOf(s)
		if modelled && ok && want.Does != "return" { // a call of the real library takes one turn
			ok = s.Access.Kind == verdict.LibraryCall
			if want.Line > 0 { // of a deferred call no line is known, so that its kind has to tell it
				want.Does = ""
			}
		}
		if ok {
			p.Wanted = append(p.Wanted, want)
		}
	}
	return p, nil
}

// compiled is the place of a step in code that gc compiles as well, be it the library's: the
// innermost call that is in no model, and whether there is a model inside.
func compiled(w *verdict.Witness, s verdict.Step) (at verdict.Place, modelled bool) {
	for _, f := range w.Stack(s.Frame) {
		if !f.Model && f.Line > 0 && !strings.HasPrefix(f.File, "prelude/") {
			return f.Place, modelled
		}
		modelled = true
	}
	return s.Place, modelled
}

func wantOf(s verdict.Step) (native.Want, bool) {
	switch {
	case s.Phase == verdict.Respond:
		return native.Want{Thread: s.Thread, Does: "return"}, true
	case s.Phase == verdict.Invoke || s.Access == nil:
		return native.Want{}, false
	}
	want := native.Want{Thread: s.Thread, File: path.Base(s.File), Line: s.Line}
	switch k := s.Access.Kind; {
	case s.Access.Atomic:
		want.Does = "atomic"
	case k == verdict.Read || k == verdict.MapGet || k == verdict.MapLen:
		want.Does = "read"
	case k == verdict.Write || strings.HasPrefix(string(k), "map "):
		want.Does = "write"
	case k == verdict.Send || k == verdict.Receive || k == verdict.Close:
		want.Does = "channel"
	case k == verdict.Select:
		want.Does = "select"
	case k == verdict.LibraryCall:
		want.Does = "sync"
		if f := s.Access.Function; strings.HasSuffix(f, "Unlock") || f == "Done" {
			want.Line = 0 // it may be deferred
		}
	}
	return want, true
}

// words are the beginnings of names of operations by the role that they tell.
var words = []struct {
	oracle, role string
	names        []string
}{
	{"set", "add", []string{"Add", "Insert", "Put"}},
	{"set", "remove", []string{"Remove", "Delete"}},
	{"set", "contains", []string{"Contains", "Has"}},
	{"queue stack pqueue", "put", []string{"Put", "Enq", "Push", "Add", "Offer", "Insert", "Send"}},
	{"queue stack pqueue", "take", []string{"Take", "Deq", "Pop", "Remove", "Poll", "Get", "Extract", "Delete", "Receive"}},
	{"deque", "putlast", []string{"PushBottom", "PushRight", "PushBack", "PushLast", "AddLast"}},
	{"deque", "takelast", []string{"PopBottom", "PopRight", "PopBack", "PopLast", "RemoveLast"}},
	{"deque", "putfirst", []string{"PushTop", "PushLeft", "PushFront", "PushFirst", "AddFirst"}},
	{"deque", "takefirst", []string{"PopTop", "PopLeft", "PopFront", "PopFirst", "RemoveFirst", "Steal"}},
	{"counter", "getinc", []string{"GetAndIncrement", "Next"}},
	{"counter", "inc", []string{"Inc"}},
	{"counter", "add", []string{"Add"}},
	{"counter", "dec", []string{"Dec"}},
	{"counter", "get", []string{"Get", "Value", "Read", "Load"}},
	{"register", "write", []string{"Write", "Set", "Store"}},
	{"register", "read", []string{"Read", "Get", "Load"}},
	{"map", "get", []string{"Get", "Load"}},
	{"map", "set", []string{"Set", "Put", "Store"}},
	{"map", "delete", []string{"Delete", "Remove"}},
}

func roleOf(name string, w *verdict.Witness) (string, error) {
	if w.Subject.Oracle == "self" {
		return "", nil
	}
	for _, e := range words {
		if !slices.Contains(strings.Fields(e.oracle), w.Subject.Oracle) {
			continue
		}
		if slices.ContainsFunc(e.names, func(n string) bool { return strings.HasPrefix(name, n) }) {
			if w.Subject.Protocol == "synchronous" {
				return e.role + "!", nil
			}
			return e.role, nil
		}
	}
	return "", fmt.Errorf("what the operation %s does is not known", name)
}

// capacityOf is N of the protocol bounded(N), else 0.
func capacityOf(protocol string) int {
	n := 0
	if _, err := fmt.Sscanf(protocol, "bounded(%d)", &n); err != nil {
		return 0
	}
	return n
}

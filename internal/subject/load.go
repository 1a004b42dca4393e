// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/internal/front"
	"pangolin/internal/harness"
	"pangolin/internal/ir"
	"pangolin/internal/recognise"
	"pangolin/internal/vm"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Order describes what is to be loaded.
type Order struct {
	Listed    *front.Listed
	Patterns  []string // arguments of the go command that name the package
	Overrides collection.Overrides
	// Dir is where the go command looks for the package of an oracle of the user's own.
	Dir string
	// Annotated: compile the directives of the linearization policy, too.
	Annotated bool
	// Ops gives for each operation the threads that may call it and its arguments; nil: every thread, every argument.
	Ops []client.Op
	// Most is the greatest integer that operations may return; an oracle that is given the observed results is tried with
	// every integer up to it.
	Most int64
}

// CallsMayWait is the assumption of a verdict by the oracle self about calls that return where others let them.
const CallsMayWait = "an operation may wait for ever where other calls could let it return (oracle self)"

// Load compiles a collection and makes its oracle.
func (o *Order) Load(ctx context.Context) (*Subject, error) {
	h := &driver{overrides: o.Overrides, annotated: o.Annotated}
	s, err := h.subject(ctx, o.Listed, o.Ops)
	if err != nil {
		return nil, err
	}
	if s.Spec, err = o.spec(ctx, s, h); err != nil {
		return nil, err
	}
	s.Source.Patterns = o.Patterns
	if s.Self && o.waiting() == WaitsAlone {
		s.Assumptions = append(s.Assumptions, "an operation may wait for ever where it waits alone (oracle self)")
	}
	if s.Self && o.waiting() == WaitsInHope {
		s.Assumptions = append(s.Assumptions, CallsMayWait)
	}
	return s, nil
}

// Compile is Load without an oracle, for a variant of the source that is judged by the
// oracle of the original.
func (o *Order) Compile(ctx context.Context) (*Subject, error) {
	h := &driver{overrides: o.Overrides, annotated: o.Annotated}
	s, err := h.subject(ctx, o.Listed, o.Ops)
	if err != nil {
		return nil, err
	}
	s.Source.Patterns = o.Patterns
	return s, nil
}

// Harness writes the file through which the collection is driven: its name, its text, and the names of the functions that make a collection
// and call each operation.
func (o *Order) Harness(ctx context.Context) (file string, text []byte, functions []string, err error) {
	pkg, err := o.Listed.Types(ctx)
	if err != nil {
		return "", nil, nil, err
	}
	h := &driver{overrides: o.Overrides}
	file, text, err = h.source(pkg)
	return file, text, h.roots, err
}

// driver compiles a collection together with the file through which it is driven (package harness).
type driver struct {
	overrides collection.Overrides
	found     *collection.Collection
	annotated bool // the directives of its linearization policy are compiled
	rules     []Rule
	every     map[string]bool
	policy    *harness.Policy
	ghosts    *front.Ghosts
	file      string
	text      []byte
	roots     []string
}

// source writes the harness for a type-checked package; it may be called more than once.
func (h *driver) source(pkg *types.Package) (file string, src []byte, err error) {
	found, err := recognise.Find(pkg, h.overrides)
	if err != nil {
		return "", nil, err
	}
	h.found = found[0]
	h.file, h.text, h.roots, err = harness.Source(pkg, h.found, h.policy)
	return h.file, h.text, err
}

// subject compiles the collection with its harness. ops gives for each operation who may call it with what; nil: no
// restriction.
func (h *driver) subject(ctx context.Context, p *front.Listed, ops []client.Op) (*Subject, error) {
	pkg, err := p.Types(ctx)
	if err != nil {
		return nil, err
	}
	if _, _, err := h.source(pkg); err != nil {
		return nil, err
	}
	code := p
	if h.annotated {
		if code, err = h.annotate(ctx, p); err != nil {
			return nil, err
		}
	}
	prog, err := code.Load(ctx, front.Request{Harness: h.source, Roots: h.roots, Given: h.given, Ghosts: h.ghosts})
	if err != nil {
		return nil, err
	}
	prog.Clock.Virtual = h.overrides.Clock == collection.VirtualClock
	switch {
	case h.overrides.Clock == collection.YearsPass:
		prog.Clock.Jumps = ir.WhenCalled
	case h.found.Oracle.IsSelf():
		prog.Clock.Jumps, prog.Clock.Late = 1, true
	}
	unknown, err := vm.Settle(prog)
	if err != nil {
		return nil, err
	}
	s := h.bind(prog, ops)
	h.describe(s, p)
	s.Assumptions = append(s.Assumptions, uninitialised(unknown)...)
	return s, nil
}

// given reports whether the machine executes a function of the package itself: each that it has a model of, except the methods of the
// type under verification. So sync.Once is verified with the machine's sync.Mutex, which is assumed to be right.
func (h *driver) given(name string) bool {
	recv := "(*" + h.found.Package + "." + h.found.Type
	return vm.Gives(name) && !strings.HasPrefix(name, recv+")") && !strings.HasPrefix(name, recv+"[")
}

// describe fills in what the subject is called and how it can be loaded again.
func (h *driver) describe(s *Subject, p *front.Listed) {
	c := h.found
	s.Self, s.Instance = c.Oracle.IsSelf(), c.Instance
	s.About = verdict.Subject{Collection: p.Name + "." + c.Type, Kind: string(c.Kind), Protocol: c.Protocol.String(), Oracle: c.Oracle.String()}
	s.Source = h.sourceOf(p)
	if vm.HasTimers(s.Prog) {
		s.Source.Time = string(TimeOf(s.Prog.Clock))
	}
	s.Starts, s.Held = starts(s.Prog), Held{c.Forgets(), c.Background()}
	s.Lines = linesOf(p, h.file, h.text)
	s.Assumptions = slices.Concat(assumptions(s.Prog), narrowed(s.Prog, c), c.Environment, c.Assumptions)
	s.LeftOut = []verdict.LeftOut{}
	for _, m := range c.Skipped {
		s.LeftOut = append(s.LeftOut, verdict.LeftOut{Operation: m.Name, Why: m.Why})
	}
}

// sourceOf tells how the subject can be loaded again.
func (h *driver) sourceOf(p *front.Listed) verdict.Source {
	c := h.found
	s := verdict.Source{Module: p.Module, Package: p.Path, Type: c.Type, New: c.New,
		Kind: string(c.Kind), Protocol: c.Protocol.String(), Oracle: c.Oracle.String(),
		Reading: verdict.Reading{Whole: h.overrides.Whole, Agreeing: h.overrides.Agreeing > 0, Agreed: max(h.overrides.Agreeing-1, 0), Again: h.overrides.Again,
			Given: h.overrides.Given, Readings: h.overrides.Readings, Waits: h.overrides.Waits, Years: h.overrides.Clock == collection.YearsPass,
			Fewer: verdict.Fewer(h.overrides.Fewer)}}
	if c.Instance != "" && strings.Contains(h.overrides.Type, "[") {
		s.Type = h.overrides.Type
	}
	s.Annotated, s.Tests = h.annotated, p.Tested
	for _, k := range h.overrides.Known {
		s.Known = append(s.Known, verdict.KnownValues(k))
	}
	for i := range c.Operations {
		o := &c.Operations[i]
		s.Driven = s.Driven || o.Driven()
		s.Ops = append(s.Ops, o.Name)
	}
	for _, v := range c.Invariants {
		s.Invariants = append(s.Invariants, v.String())
	}
	return s
}

// starts reports whether some code of the program starts a goroutine, besides what drives it and models, such as that of a timer.
func starts(prog *ir.Program) bool {
	return slices.ContainsFunc(prog.Funcs, startsIn)
}

// startsIn reports whether a function is no harness and no model, and starts a goroutine.
func startsIn(f *ir.Func) bool {
	return !f.Harness && (!f.Model || f.Name == groupGo) && slices.ContainsFunc(f.Code, func(in ir.Instr) bool { return in.Op == ir.OpGo })
}

// groupGo is the model of sync.WaitGroup.Go.
const groupGo = "pangolin/prelude.waitGroupGo"

// assumptions lists the assumptions of a verdict that come from the library functions which the code calls.
func assumptions(prog *ir.Program) []string {
	called := map[string]bool{}
	for _, f := range prog.Funcs {
		called[f.Name] = true
	}
	calls := func(functions []string) bool {
		return slices.ContainsFunc(functions, func(name string) bool { return called[name] })
	}
	out := vm.Assumed(prog)
	switch timers := vm.HasTimers(prog) && prog.Clock.Form == ir.ClockCounts; {
	case timers && prog.Clock.Virtual:
		out = append(out, "time is virtual: calls take none, and the clock goes on to the next timer only when no call in progress can go on")
	case timers:
		out = append(out, TimersAny)
	}
	switch {
	case !calls(clocks) || prog.Clock.Form != ir.ClockCounts: // see TimeAssumptions
	case prog.Clock.Jumps > 0 && called["pangolin/prelude.chooseMoment"]:
		out = append(out, ClockJumps)
	case prog.Clock.Jumps == ir.WhenCalled:
		out = append(out, "the clock goes on by a year where "+collection.YearPasses+" is called, and stands still otherwise")
	default:
		out = append(out, ClockStands)
	}
	return out
}

// ClockJumps is the assumption about code that reads the clock, where it may jump.
const ClockJumps = "the clock goes on once at most, by a year, at any moment; else time.Now is the same moment throughout, in UTC (and who asks for it again and again does not do so for ever)"

// ClockStands is the assumption about code that reads the clock, unless the clock may jump.
const ClockStands = "the clock stands still: time.Now is the same moment throughout, in UTC, and nothing expires by it"

// mostNamed is how many variables or methods an assumption names.
const mostNamed = 3

// uninitialised says what of package initialisation has not been executed.
func uninitialised(unknown []vm.Unknown) []string {
	var out []string
	for _, u := range unknown {
		sets := "no variable that the code mentions is set there"
		if len(u.Variables) > 0 {
			sets = "unknown, also to what reads them: " + some(u.Variables)
		}
		if len(u.Methods) > 0 {
			sets += "; what it may call by reflection is taken to set none: " + some(u.Methods)
		}
		out = append(out, fmt.Sprintf("package initialisation leaves out the statement at %s, which is taken to return and to leave nothing running: %s (%s)",
			u.Fault.At, u.Fault.Message, sets))
	}
	return out
}

// some names the first ones of a list.
func some(list []string) string {
	if len(list) > mostNamed {
		list = append(slices.Clone(list[:mostNamed]), fmt.Sprintf("%d more", len(list)-mostNamed))
	}
	return strings.Join(list, ", ")
}

// clocks are the models of library functions that return the time.
var clocks = []string{"pangolin/prelude.timeNow", "pangolin/prelude.timeSince", "pangolin/prelude.runtimeNano", "pangolin/prelude.runtimeNow"}

// oracleJumps is how often the clock may jump in an execution of the oracle self. More than once, because an operation that has read
// the clock and takes effect late comes before others for which more time has passed.
const oracleJumps = 4

func (h *driver) bind(prog *ir.Program, ops []client.Op) *Subject {
	s := &Subject{Prog: prog, New: prog.Roots[0], Announced: Announced{Rules: h.rules, Every: h.every}, Objects: h.found.Objects, texts: &texts{}}
	asks := h.found.Oracle.IsSelf() && vm.AsksThread(prog)
	for i := range h.found.Operations {
		o := &h.found.Operations[i]
		c := o.Client()
		if ops != nil {
			c = ops[i]
		}
		c.Notation = o.Notation(s.texts.find)
		told := asks && len(c.Params) < history.MaxArity && !slices.Contains(c.Params, oracle.ParamThread)
		if told {
			c.Params = append(slices.Clone(c.Params), oracle.ParamThread)
		}
		s.Operations = append(s.Operations, Operation{Asks: told, Name: o.Name, Func: prog.Roots[i+1], Tuple: o.Tuple, Items: o.ItemWords(), Objects: o.Objects() != nil, Client: c, MayFail: h.mayFail(o), Careful: h.overrides.Careful, InTurn: h.inTurn(o), Unending: o.Unending, Binding: o.Op, Literal: h.literal(o, s)})
	}
	for i, v := range h.found.Invariants {
		s.Invariants = append(s.Invariants, Invariant{v, prog.Roots[1+len(h.found.Operations)+i]})
	}
	return s
}

// literal is Operation.Literal.
func (*driver) literal(o *collection.Operation, s *Subject) func(result int, v int64) (string, bool) {
	return func(result int, v int64) (string, bool) { return o.Results[result].Codec.Literal(v, s.texts.find) }
}

// inTurn is Operation.InTurn.
func (h *driver) inTurn(o *collection.Operation) *Turns {
	if !h.overrides.InTurn {
		return nil
	}
	return &Turns{Alike: o.Alike, Declines: o.Declines, Uncancelled: o.Uncancelled}
}

// mayFail is Operation.MayFail.
func (h *driver) mayFail(o *collection.Operation) func(args, result history.Tuple) bool {
	variable, documented := h.overrides.MayFail[o.Name]
	cancelled := h.overrides.Cancelled && o.TakesContext()
	if !documented && !cancelled {
		return nil
	}
	return func(args, result history.Tuple) bool {
		return documented && o.Fails(result, variable) || cancelled && o.GivesUp(args, result)
	}
}

// waiting returns when the oracle self allows an operation to wait for ever: never under the user's protocol nonblocking, and wherever it waits
// alone if what ends something is called by who has begun it: a helper thread has begun nothing.
func (o *Order) waiting() Waiting {
	if p := o.Overrides.Protocol; p != nil && p.Kind == oracle.Nonblocking {
		return NeverWaits
	}
	if o.Overrides.Paired || o.Overrides.AnyWait { // who may end what others wait for is no helper's to decide
		return WaitsAlone
	}
	return WaitsInHope
}

// spec makes the oracle.
func (o *Order) spec(ctx context.Context, s *Subject, h *driver) (oracle.Spec, error) {
	if kind, ok := h.found.Oracle.Kind(); ok {
		return oracle.New(kind, h.found.Protocol, h.found.Ops())
	}
	if h.found.Oracle.IsSelf() {
		return NewSelf(ctx, s, o.waiting())
	}
	return o.userOracle(ctx, h)
}

// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pangolin"
	"pangolin/internal/engine"
	"pangolin/internal/front"
	"pangolin/internal/native"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Types compares the machine's verdicts of types with the second opinion's. A type is
// verified in a scope of two threads and three calls with all reductions, with none, with
// each alone, with all but remembered steps (where there must be as many states), and client by client:
// all must come to the same verdict. A client that shows
// a violation must show one of the same class natively; and no client of a sample may show
// one natively if the type is said to be verified. The machine is asked about each client of
// the sample alone as well: it must find a violation if one is there natively, and the calls
// must be able to return the same.
func Types(ctx context.Context, dir string, list []Program, lim Limits) ([]Difference, *Tally, error) {
	tally := newTally()
	claims, found, err := machineVerdicts(ctx, dir, list, lim, tally)
	if err != nil {
		return nil, nil, err
	}
	var trials []native.Trial
	var kept []claim
	for _, c := range claims {
		if !c.left {
			trials = append(trials, c.trial())
			kept = append(kept, c)
		}
	}
	judgements, err := native.Judge(ctx, trials, native.Options{Schedules: lim.Schedules})
	if err != nil {
		return nil, nil, err
	}
	for i, c := range kept {
		text, left := c.judge(judgements[i])
		if left != "" {
			tally.Left["second opinion: "+left]++
		} else {
			tally.compared(c.Source)
		}
		if text != "" {
			found = append(found, Difference{c.Name, "native", c.Source, text})
		}
	}
	return found, tally, nil
}

// claim is what the machine says of a type.
type claim struct {
	Program
	ops       []native.Op
	params    []int
	kind      string
	made      string // by this expression
	oracle    string // that the machine took
	capacity  int    // that it took; 0: none
	left      bool   // nothing to compare
	verified  bool
	witnesses []witness // of violations, each client and class once
	sample    []native.Client
	answers   []answer        // of the sample's clients; nil: nobody was asked
	waiting   map[string]bool // the calls that natively wait for ever, or go on so, when alone
}

// witness is a client that shows a violation.
type witness struct {
	alleged
	client native.Client
	by     string // the reductions
}

// alleged is a violation that the machine reports.
type alleged struct {
	class    native.Class // native.Fine: there is none
	races    [][2]int     // lines of both sides, if that is a race
	panicked bool         // a call of the execution has ended in a panic
	returned []string     // what its calls have returned, as written by call
}

// executed notes how the calls of the execution have ended.
func (a *alleged) executed(calls []verdict.Event) {
	var threads []int
	for _, c := range calls {
		if !slices.Contains(threads, c.Thread) {
			threads = append(threads, c.Thread)
		}
	}
	slices.Sort(threads)
	for _, c := range calls {
		a.panicked = a.panicked || c.Panicked
		if c.Responded > 0 && !c.Panicked {
			thread := slices.Index(threads, c.Thread) + 1
			a.returned = append(a.returned, fmt.Sprintf("%d: %s%v=%v", thread, c.Operation, c.Args, c.Results))
		}
	}
}

// behindPanic says that natively the alleged execution ends in a panic: that of a call which has
// panicked, or that to which a history leads on that no order fits already.
func (a *alleged) behindPanic(histories []string) bool {
	return slices.ContainsFunc(histories, func(h string) bool {
		if !strings.Contains(h, "; panic ") {
			return false
		}
		return a.panicked || a.class == native.History && a.isWithin(h)
	})
}

// isWithin says that whatever has returned in the violation has returned the same in a history, by whichever thread: with fewer
// threads than the client has, as many as show it, they have other numbers.
func (a *alleged) isWithin(h string) bool {
	here := map[string]int{}
	for _, m := range written.FindAllStringSubmatch(h, -1) {
		here[m[4]+"="+m[5]]++
	}
	return !slices.ContainsFunc(a.returned, func(r string) bool {
		_, call, _ := strings.Cut(r, ": ")
		here[call]--
		return here[call] < 0
	})
}

var (
	opsLine  = regexp.MustCompile(`// T is a \w+(?: made by (\S+))? with the operations (.*)`)
	kindLine = regexp.MustCompile(`// T is a (\w+)`)
	method   = regexp.MustCompile(`(?m)^func \(\w \*T(?:\[E\])?\) (\w+)\(`)
)

// newClaim reads the operations that are there from the text.
func newClaim(p Program) *claim {
	c := &claim{Program: p}
	if m := kindLine.FindStringSubmatch(p.Source); m != nil {
		c.kind = m[1]
	}
	m := opsLine.FindStringSubmatch(p.Source)
	if m == nil {
		return c
	}
	c.made = cmp.Or(m[1], "New()")
	var there []string
	for _, m := range method.FindAllStringSubmatch(p.Source, -1) {
		there = append(there, m[1])
	}
	for op := range strings.FieldsSeq(m[2]) {
		parts := append(strings.SplitN(op, "/", 4), "")
		if slices.Contains(there, parts[0]) {
			n, _ := strconv.Atoi(parts[2])
			c.ops = append(c.ops, native.Op{Name: parts[0], Role: parts[1], Call: parts[3]})
			c.params = append(c.params, n)
		}
	}
	c.draw()
	return c
}

// sampled is how many clients of a type are tried natively, whatever the machine says.
const sampled = 6

// draw chooses clients of the scope: one thread with three calls, two with two or three
// in total, with and without a call before.
func (c *claim) draw() {
	h := fnv.New64()
	h.Write([]byte(c.Source))
	rng := rand.New(rand.NewPCG(h.Sum64(), 1))
	call := func(op int) native.Call {
		var args []int64
		for range c.params[op] {
			args = append(args, int64(rng.IntN(2)))
		}
		return native.Call{Op: op, Args: args}
	}
	calls := func(n int) (list []native.Call) {
		for range n {
			list = append(list, call(rng.IntN(len(c.ops))))
		}
		return list
	}
	for i := range sampled {
		var client native.Client
		if c.kind != "object" && c.kind != "counter" && c.kind != "register" && rng.IntN(2) == 0 {
			client.Pre = []native.Call{{Op: 0, Args: make([]int64, c.params[0])}}
		}
		switch {
		case i == 0:
			client.Threads = [][]native.Call{calls(3)}
		case i < 4:
			client.Threads = [][]native.Call{calls(1), calls(1)}
		default:
			client.Threads = [][]native.Call{calls(2), calls(1)}
		}
		c.sample = append(c.sample, client)
	}
}

func (c *claim) trial() native.Trial {
	oracle := c.kind
	if c.oracle == "self" {
		oracle = "self"
	}
	t := native.Trial{
		Subject:  native.Subject{Name: c.Name, Files: map[string]string{"types.go": c.Source}, New: c.made, Ops: c.ops, Oracle: oracle},
		Property: native.Linear, Clients: slices.Clone(c.sample),
	}
	t.Subject.Bounded = c.capacity
	for _, w := range c.witnesses {
		t.Clients = append(t.Clients, w.client)
	}
	t.Clients = append(t.Clients, c.eachAlone()...)
	return t
}

// eachAlone are clients that make one call of those that are said to end up waiting: how it goes alone says what may excuse it.
func (c *claim) eachAlone() (list []native.Client) {
	if c.oracle != "self" {
		return nil
	}
	waiting := func(a alleged) bool { return a.class == native.Stuck || a.class == native.Nontermination }
	var clients []native.Client
	for i, a := range c.answers {
		if waiting(a.alleged) {
			clients = append(clients, c.sample[i])
		}
	}
	for _, w := range c.witnesses {
		if waiting(w.alleged) {
			clients = append(clients, w.client)
		}
	}
	for _, k := range clients {
		for _, call := range slices.Concat(k.Threads...) {
			alone := native.Client{Threads: [][]native.Call{{call}}}
			if !slices.ContainsFunc(list, func(k native.Client) bool { return reflect.DeepEqual(k, alone) }) {
				list = append(list, alone)
			}
		}
	}
	return list
}

// judge says where the second opinion's judgements of the clients contradict the claim.
func (c *claim) judge(list []native.Judgement) (text, left string) {
	var b strings.Builder
	c.waiting = waitAlone(list)
	for i, j := range list {
		if i == len(c.sample)+len(c.witnesses) {
			break // the others have been asked for waitAlone
		}
		switch {
		case unrepeatable(j.Fault) && slices.ContainsFunc(c.witnesses, func(w witness) bool { return tears(c.Source, w.races) }):
			left = torn
			continue
		case unrepeatable(j.Fault):
			fmt.Fprintf(&b, "  %s\n", j.Fault)
			continue
		case j.Fault != "":
			left = firstLine(j.Fault)
			continue
		case j.TooBig != "" && i < len(c.sample):
			left = "a client is too big"
		}
		if i < len(c.sample) {
			b.WriteString(c.judgeSample(i, j))
			continue
		}
		w := c.witnesses[i-len(c.sample)]
		if why := c.reason(w.alleged, w.client, j); why != "" {
			left = why
		} else if j.TooBig == "" && !slices.Contains(j.Classes, w.class) {
			fmt.Fprintf(&b, "  only the machine (%s): %s with %s; natively: %v\n%s", w.by, w.class, describe(w.client, c.ops), j.Classes, bad(j))
		}
	}
	return b.String(), left
}

// judgeSample compares what both sides say of a client of the sample.
func (c *claim) judgeSample(i int, j native.Judgement) string {
	var b strings.Builder
	client := describe(c.sample[i], c.ops)
	if c.amongPanics(j) {
		return ""
	}
	if c.verified && len(j.Classes) > 0 {
		fmt.Fprintf(&b, "  only natively: %v with %s\n%s", j.Classes, client, bad(j))
	}
	if i >= len(c.answers) || !c.answers[i].known {
		return b.String()
	}
	a := c.answers[i]
	switch {
	case a.class == native.Fine && len(j.Classes) > 0:
		fmt.Fprintf(&b, "  only natively, asked about one client: %v with %s\n%s", j.Classes, client, bad(j))
	case a.class != native.Fine && j.TooBig == "" && !slices.Contains(j.Classes, a.class) && c.reason(a.alleged, c.sample[i], j) == "":
		fmt.Fprintf(&b, "  only the machine, asked about one client: %s with %s; natively: %v\n%s", a.class, client, j.Classes, bad(j))
	}
	if a.results != nil && !slices.ContainsFunc(j.Classes, func(k native.Class) bool { return !slices.Contains(listed, k) }) {
		b.WriteString(c.differentResults(c.sample[i], a.results, j))
	}
	return b.String()
}

// reason is why a violation that only the machine sees need not be one; "" if nothing is known.
func (c *claim) reason(a alleged, client native.Client, j native.Judgement) string {
	switch {
	case slices.Contains(j.Classes, a.class):
		return ""
	case isOpen(c.Source):
		return "the language leaves it open, and gc shows one of the answers"
	case c.oracle == "self" && excused(a, j.Histories, c.waiting):
		return "known: the second opinion excuses what the code does alone as well"
	case a.behindPanic(j.Histories):
		return "known: natively a panic is the end, to the machine a result behind which others go on"
	case a.class == native.History && c.clears(client):
		return "known: " + known[0].reason
	case a.class != native.Racing || len(a.races) == 0:
		return ""
	}
	if c.racesAt(clearsSlice, witness{alleged: a}) || c.besideClears(a.races, client) {
		return "known: " + known[0].reason
	}
	return ""
}

// bad lists some histories.
func bad(j native.Judgement) string {
	text := ""
	for i, h := range j.Histories {
		if i < 6 {
			text += "    " + h + "\n"
		}
	}
	return text
}

func describe(c native.Client, ops []native.Op) string {
	show := func(calls []native.Call) string {
		var parts []string
		for _, k := range calls {
			parts = append(parts, fmt.Sprint(ops[k.Op].Name, k.Args))
		}
		return strings.Join(parts, ", ")
	}
	var parts []string
	if c.Pre != nil {
		parts = append(parts, "pre: "+show(c.Pre))
	}
	for i, t := range c.Threads {
		parts = append(parts, fmt.Sprintf("%d: %s", i+1, show(t)))
	}
	return strings.Join(parts, " | ")
}

// machineVerdicts verifies all types in every way.
func machineVerdicts(ctx context.Context, dir string, list []Program, lim Limits, tally *Tally) ([]claim, []Difference, error) {
	texts := map[string]string{}
	for _, p := range list {
		texts[p.Name] = strings.Replace(p.Source, "package types", "package "+p.Name, 1)
	}
	if err := writeModule(dir, texts); err != nil {
		return nil, nil, err
	}
	ctx = front.Instrumented(ctx)                                                                                                                      // as the second opinion is compiled
	p, err := pangolin.Prepare(ctx, pangolin.Request{Dir: dir, Packages: []string{"./..."}, Specification: pangolin.Specification{Expect: "violated"}, // so no hints are looked for
		Scope: pangolin.Scope{Threads: "1..2", Steps: "1..3"}, Program: pangolin.Program{Leaks: "none"}}) // the second opinion has none
	if err != nil {
		return nil, nil, err
	}
	verdicts := verifyAll(ctx, p, lim)
	var claims []claim
	var found []Difference
	for _, p := range list {
		c := newClaim(p)
		text := c.take(verdicts[p.Name], tally)
		if text != "" {
			found = append(found, Difference{p.Name, "a way to search", p.Source, text})
		}
		claims = append(claims, *c)
	}
	return claims, found, askAboutClients(ctx, p, claims, lim)
}

// way is one way to search, with the verdict to which it came.
type way struct {
	name string
	v    *verdict.Verdict
	err  error
}

// limited says that the search ended at a limit.
func (w way) limited() bool {
	return w.err == nil && w.v != nil && w.v.Status == verdict.Unknown
}

// ways are the searches that must come to the same verdict.
func ways(lim Limits) map[string]pangolin.Search {
	out := map[string]pangolin.Search{}
	for _, set := range variants(vm.AllReductions) {
		out[set.String()] = pangolin.Search{Reduce: pangolin.Reduce(set.String()), MaxStates: lim.States}
	}
	out[executed.String()] = pangolin.Search{Reduce: pangolin.Reduce(executed.String()), MaxStates: lim.States}
	out[oneByOne] = pangolin.Search{Clients: true, MaxStates: lim.States}
	return out
}

const oneByOne = "client by client"

// executed remembers no steps, which leaves out no state: it must come to as many.
const executed = vm.AllReductions &^ vm.RememberedSteps

// verifyAll verifies every type of a module in every way, by package name.
func verifyAll(ctx context.Context, p *pangolin.Prepared, lim Limits) map[string][]way {
	searches := ways(lim)
	names := []string{vm.AllReductions.String()}
	for name := range searches {
		if name != names[0] {
			names = append(names, name)
		}
	}
	slices.Sort(names[1:])
	return verifyInWays(ctx, p, names, searches)
}

// verifyInWays verifies every type of a module in the ways of some names.
func verifyInWays(ctx context.Context, p *pangolin.Prepared, names []string, searches map[string]pangolin.Search) map[string][]way {
	out := map[string][]way{}
	for _, name := range names {
		list, err := verifyGuarded(ctx, p, searches[name])
		byName := map[string]*way{}
		for _, c := range p.Collections() {
			byName[c.Name] = &way{name: name}
		}
		for i := range list {
			byName[list[i].Collection].v = &list[i]
		}
		if err != nil {
			for line := range strings.Lines(err.Error()) {
				if c, text, ok := strings.Cut(line, ": "); ok && byName[c] != nil {
					byName[c].err = errors.New(strings.TrimSpace(text))
				}
			}
		}
		for c, w := range byName {
			if w.v == nil && w.err == nil {
				w.err = fmt.Errorf("no verdict: %w", err)
			}
			if pkg, typ, _ := strings.Cut(c, "."); typ == "T" || strings.HasPrefix(typ, "T[") {
				out[pkg] = append(out[pkg], *w)
			}
		}
	}
	return out
}

// verifyGuarded is Verify; a panic of the tool is a failure.
func verifyGuarded(ctx context.Context, p *pangolin.Prepared, s pangolin.Search) (list []verdict.Verdict, err error) {
	defer func() {
		if e := recover(); e != nil {
			err = engine.Recovered(e)
		}
	}()
	return p.Verify(ctx, s)
}

// take makes the verdicts the claim, and says where they contradict each other.
func (c *claim) take(list []way, tally *Tally) string {
	c.left = true
	if len(list) == 0 || len(c.ops) == 0 {
		tally.Left["machine: not found"]++
		return ""
	}
	first := list[0]
	if first.err != nil {
		tally.Left["machine: "+shortened(first.err.Error())]++
	}
	text := tally.failures(list...)
	for _, w := range list {
		switch {
		case w.limited() && first.err != nil || w.err != nil && first.limited():
			continue // what the one cannot execute lies behind the limit of the other
		case declines(w.err) || declines(first.err):
			tally.Left["machine: "+shortened(cmp.Or(w.err, first.err).Error())]++
			continue // or behind what the other finds
		case (w.err != nil) != (first.err != nil):
			if text += fmt.Sprintf("  %s: %v; %s: %v\n", first.name, first.err, w.name, w.err); w.v == nil {
				continue
			}
		case w.err != nil || w.v == nil || w.v.Status == verdict.Unknown:
			if w.v != nil {
				tally.Left["machine, "+w.name+": "+shortened(w.v.Reason)]++
			}
			continue
		case first.v.Status != verdict.Unknown && w.v.Status != first.v.Status:
			text += fmt.Sprintf("  %s: %s %s; %s: %s %s\n", first.name, first.v.Status, first.v.Reason, w.name, w.v.Status, w.v.Reason)
		case w.name == executed.String() && first.v.Status == verdict.Verified && w.v.Effort.States != first.v.Effort.States:
			text += fmt.Sprintf("  %s: %d states; %s: %d states\n", first.name, first.v.Effort.States, w.name, w.v.Effort.States)
		}
		c.add(w)
	}
	c.left = first.v == nil || first.v.Status == verdict.Unknown
	if !c.left {
		c.verified, c.oracle = first.v.Status == verdict.Verified, first.v.Oracle
		c.under(first.v)
		kind := string(first.v.Status)
		if first.v.Violation != nil {
			kind += " " + first.v.Violation.Class
		}
		tally.Kinds[kind]++
	}
	return text
}

// under notes under what protocol the machine has judged: how many items it holds at most, and which operations may wait
// where they could not return. The verdict says so, and holds under that only.
func (c *claim) under(v *verdict.Verdict) {
	if _, err := fmt.Sscanf(v.Protocol, "bounded(%d)", &c.capacity); err != nil {
		c.capacity = 0
	}
	for _, r := range v.Returns {
		if i := slices.IndexFunc(c.ops, func(o native.Op) bool { return o.Name == r.Operation }); i >= 0 && r.Waits && c.oracle != "self" {
			c.ops[i].Role = strings.TrimSuffix(c.ops[i].Role, "!") + "!"
		}
	}
}

// add notes the client of a violation.
func (c *claim) add(w way) {
	if w.v.Violation == nil || w.v.Violation.Execution == nil {
		return
	}
	e := w.v.Violation.Execution
	turn := func(k *verdict.Call) native.Call {
		name := e.Source.Ops[k.Op]
		at := slices.IndexFunc(c.ops, func(o native.Op) bool { return o.Name == name })
		return native.Call{Op: at, Args: slices.Clone(k.Args[:min(c.params[at], len(k.Args))])} // without the number of the thread that calls
	}
	found := witness{alleged: alleged{class: native.Class(w.v.Violation.Class)}, by: w.name}
	found.executed(e.History)
	if r := e.Race; len(r) == 2 {
		found.races = [][2]int{{r[0].Line, r[1].Line}}
	}
	if found.class == "livelock" {
		found.class = native.Nontermination
	}
	for _, k := range e.Schedule.PreAdds {
		found.client.Pre = append(found.client.Pre, turn(&k))
	}
	found.client.Threads = make([][]native.Call, e.Threads)
	for _, t := range e.Schedule.Turns {
		if t.Call != nil {
			found.client.Threads[t.Thread-1] = append(found.client.Threads[t.Thread-1], turn(t.Call))
		}
	}
	found.client.Threads = slices.DeleteFunc(found.client.Threads, func(t []native.Call) bool { return t == nil })
	for _, known := range c.witnesses {
		if known.class == found.class && describe(known.client, c.ops) == describe(found.client, c.ops) {
			return
		}
	}
	c.witnesses = append(c.witnesses, found)
}

func shortened(text string) string {
	text = firstLine(text)
	if i := strings.Index(text, ": "); i >= 0 && strings.HasPrefix(text, "p0") {
		text = text[i+2:]
	}
	return text[:min(len(text), 70)]
}

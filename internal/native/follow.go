package native

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Plan is a schedule to be followed: Wanted names accesses in order. Accesses that are not
// in it are made on the way to the next one that is: what only the thread itself can see
// need not be named. A wanted access that compiled code does not make is passed over.
type Plan struct {
	Subject  Subject
	Property Property
	Client   Client
	Wanted   []Want
	// Choices are the ways to take, in order, where the language leaves them open.
	Choices []int
	// Loop, if Loops, is the index in Wanted from which on the schedule repeats for ever.
	Loop  int
	Loops bool
	// Cut ends the execution with the plan, and judges what has returned until then.
	Cut bool
}

// Want is a step of a plan. Thread is the client's thread counted from 1; a goroutine that
// an operation starts has the next free number, in order of creation.
type Want struct {
	Thread int
	// Does is "read", "write", "atomic", "sync", "channel", "select", "output", "" (any
	// access), or "return": the thread's present call returns.
	Does string
	File string // without directories
	Line int    // 0 is any: of a deferred call it is open which line it has
}

// Followed is where a plan led.
type Followed struct {
	Class   Class  // of what the execution shows; Fine if it shows no violation
	Message string // what was seen: the history, the panic's text, who waits
	Steps   []Step // as executed
	// Missed is the index of the first wanted step that could not be made, or -1, and
	// Why says what was there instead. The execution went on freely from there.
	Missed int
	Why    string
	Fault  string // as in Report
}

// Follow executes plans, one execution each, natively. Every access takes a turn.
func Follow(ctx context.Context, plans []Plan, opt Options) ([]Followed, error) {
	out := make([]Followed, len(plans))
	groups := map[string][]int{}
	for i := range plans {
		groups[plans[i].Subject.Dir] = append(groups[plans[i].Subject.Dir], i)
	}
	for _, dir := range slices.Sorted(maps.Keys(groups)) {
		if err := followGroup(ctx, dir, plans, groups[dir], opt, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// rounds is how often a schedule that repeats for ever is repeated.
const rounds = 100

type planItem struct {
	Subject      int
	Client       Client
	Wanted       []Want
	Choices      []int
	Loop, Rounds int
	Cut          bool
}

type planAnswer struct {
	History history
	Missed  int
	Why     string
	Rounds  int
	Races   []Outcome
	TooBig  string
	Fault   string
}

func followGroup(ctx context.Context, dir string, plans []Plan, members []int, opt Options, out []Followed) error {
	var subjects []*Subject
	for _, m := range members {
		sub := plans[m].Subject
		subjects = append(subjects, &sub)
	}
	s, numbers, faults, err := siteFor(ctx, dir, subjects, opt)
	if err != nil {
		return err
	}
	defer s.close()
	var items []planItem
	var whose []int
	for k, m := range members {
		if faults[k] != nil {
			out[m].Fault = faults[k].Error()
			continue
		}
		p := &plans[m]
		item := planItem{Subject: numbers[k], Client: p.Client, Wanted: p.Wanted, Choices: p.Choices, Loop: -1, Cut: p.Cut}
		if p.Loops {
			item.Loop, item.Rounds = p.Loop, rounds
		}
		items, whose = append(items, item), append(whose, m)
	}
	alone, err := s.alone(ctx, plans, items, whose, opt)
	if err != nil {
		return err
	}
	l := opt.limits()
	if opt.Steps == 0 {
		l.Steps = 100_000
	}
	return s.run(ctx, job{Limits: l, Follow: map[string]any{"Items": items}}, len(items), func(i int, text json.RawMessage) error {
		var a planAnswer
		if err := json.Unmarshal(text, &a); err != nil {
			return err
		}
		out[whose[i]] = a.judged(&plans[whose[i]], alone[i])
		return nil
	})
}

// alone makes the calls of plans whose oracle is the code itself one after another.
func (s *site) alone(ctx context.Context, plans []Plan, items []planItem, whose []int, opt Options) ([][]history, error) {
	out := make([][]history, len(items))
	var trials []trialItem
	var orders []reordered
	var owner []int
	for i, item := range items {
		p := &plans[whose[i]]
		if p.Subject.Oracle != "self" {
			continue
		}
		for _, o := range ordersOf(p.Client, p.Property) {
			trials, orders, owner = append(trials, trialItem{item.Subject, o.client, true}), append(orders, o), append(owner, i)
		}
	}
	err := s.run(ctx, job{Limits: opt.limits(), Judge: map[string]any{"Items": trials}}, len(trials), func(k int, text json.RawMessage) error {
		var a trialAnswer
		if err := json.Unmarshal(text, &a); err != nil {
			return err
		}
		for _, h := range a.Histories {
			out[owner[k]] = append(out[owner[k]], orders[k].back(h))
		}
		return nil
	})
	return out, err
}

// judged says what the execution shows.
func (a *planAnswer) judged(p *Plan, alone []history) Followed {
	f := Followed{Steps: a.History.Steps, Missed: a.Missed, Why: a.Why, Fault: a.Fault}
	if a.Fault != "" {
		return f
	}
	f.Message = a.History.text(p.Client, p.Subject.Ops)
	switch {
	case p.Loops && a.Rounds == rounds && a.Missed < 0:
		f.Class = Nontermination
		f.Message = fmt.Sprintf("the loop was made %d times: %s", rounds, f.Message)
	case a.TooBig != "":
		f.Class = Nontermination
		f.Message = "it does not end: " + a.TooBig
	case p.Subject.Oracle == "self":
		f.Class = judgeBySelf(p.Property, p.Client, &a.History, alone)
	default:
		t := &Trial{Subject: p.Subject, Property: p.Property}
		f.Class = judgeBySpecification(t, p.Client, &a.History)
	}
	if f.Class == Fine && len(a.Races) > 0 {
		f.Class, f.Message = Racing, fmt.Sprint(a.Races[0].Accesses)
	}
	return f
}

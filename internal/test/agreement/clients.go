// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pangolin"
	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/native"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
)

// answer is what the machine says of one client.
type answer struct {
	known bool
	alleged
	// results are what the calls can return, and which of them never do, if all ways were
	// looked at.
	results []string
}

// ends of histories that the machine lists as well: it has none of those that crash.
var listed = []native.Class{native.Fine, native.History, native.Stuck, native.Nontermination}

// askAboutClients verifies each client of the sample of each claim alone, and lists what its
// calls can return. Collections that cannot be compiled are left out.
func askAboutClients(ctx context.Context, p *pangolin.Prepared, claims []claim, lim Limits) error {
	jobs, err := p.Jobs(ctx)
	if err != nil && len(jobs) == 0 {
		return err
	}
	for _, j := range jobs {
		pkg, typ, _ := strings.Cut(j.Subject.About.Collection, ".")
		i := slices.IndexFunc(claims, func(c claim) bool { return c.Name == pkg })
		if i < 0 || typ != "T" && !strings.HasPrefix(typ, "T[") || claims[i].left {
			continue
		}
		for _, k := range claims[i].sample {
			a, err := claims[i].ask(ctx, j, k, lim)
			if declines(err) {
				a, err = answer{}, nil
			}
			if err != nil {
				return fmt.Errorf("%s: %s: %w", pkg, describe(k, claims[i].ops), err)
			}
			claims[i].answers = append(claims[i].answers, a)
		}
	}
	return nil
}

// ask asks about one client.
func (c *claim) ask(ctx context.Context, j *engine.Job, k native.Client, lim Limits) (a answer, err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("the tool panics: %v", e)
		}
	}()
	only, err := c.translate(j, k)
	if err != nil {
		return a, err
	}
	opt := bounded.Options{Job: *j, Only: &only}
	opt.OneByOne, opt.Workers, opt.MaxStates = true, 1, lim.States
	opt.Reduce, opt.Scope.Clients.GenericValues = vm.AllReductions, false // the values are those that the client has
	r, err := bounded.Run(ctx, opt)
	if setup := new(subject.SetupError); errors.As(err, &setup) {
		return a, nil // the call before does not return
	}
	if err != nil || r.Incomplete != "" {
		return a, err
	}
	a.known = true
	if v := r.Violation; v != nil {
		if a.class = native.Class(v.Class); v.Class == bounded.Livelock {
			a.class = native.Nontermination
		}
		a.races = linesOf(v)
		a.executed(v.Events)
	}
	if !slices.Contains(listed, a.class) || c.kind != "object" || strings.Contains(c.Source, ") *item {") {
		return a, nil // the sides write pointers in their own ways; of other kinds, the machine notes what the kind's oracle looks at, not what comes with a failure
	}
	list, incomplete, err := bounded.Histories(ctx, opt)
	if incomplete != "" || err != nil {
		return a, err
	}
	results := map[string]bool{}
	for _, o := range list {
		if o.Ends {
			results[returned(o.History, j.Subject)] = true
		}
	}
	delete(results, "")
	a.results = slices.AppendSeq([]string{}, maps.Keys(results))
	slices.Sort(a.results)
	return a, nil
}

func linesOf(v *bounded.Violation) (lines [][2]int) {
	if len(v.Race) == 2 {
		lines = append(lines, [2]int{v.Race[0].Line, v.Race[1].Line})
	}
	return lines
}

// translate gives a client in the machine's terms.
func (c *claim) translate(j *engine.Job, k native.Client) (client.Client, error) {
	missing := false
	steps := func(calls []native.Call) (list []client.Step) {
		for _, call := range calls {
			at := slices.IndexFunc(j.Subject.Operations, func(o subject.Operation) bool { return o.Client.Name == c.ops[call.Op].Name })
			missing = missing || at < 0
			list = append(list, client.Step{Op: at, Args: history.Ints(call.Args...)})
		}
		return list
	}
	out := client.Client{Pre: steps(k.Pre)}
	for _, calls := range k.Threads {
		out.Threads = append(out.Threads, steps(calls))
	}
	if missing {
		return out, errors.New("an operation of the type is unknown to the machine")
	}
	return out, nil
}

// returned is what the calls of a history have returned, thread by thread; "" if one panics:
// natively, that is the end of all others.
func returned(h history.History, s *subject.Subject) string {
	var made []string
	for _, o := range h.Operations() {
		result := "…"
		if o.Returned {
			if o.Result.IsPanic() {
				return ""
			}
			result = fmt.Sprint(o.Notation.Returned(o.Result))
		}
		made = append(made, fmt.Sprintf("%d: %s%v=%s", o.Thread+1, o.Name, s.Operations[o.Method].Given(o.Args).Strings(), result))
	}
	slices.SortStableFunc(made, func(a, b string) int { return strings.Compare(a[:2], b[:2]) })
	return strings.Join(made, "; ")
}

// differentResults says what the calls of a client return on one side only.
func (c *claim) differentResults(made native.Client, machine []string, j native.Judgement) string {
	if slices.ContainsFunc(j.Histories, misusesLock) {
		return "" // others go on between the misuse of a lock and the fatal error, see known
	}
	var b strings.Builder
	client, inVain := describe(made, c.ops), c.triesInVain(made)
	second := map[string]bool{}
	for _, h := range j.Histories {
		second[returnedNatively(h)] = true
	}
	delete(second, "")
	for _, r := range slices.Sorted(maps.Keys(second)) {
		if !slices.Contains(machine, r) && !inVain {
			fmt.Fprintf(&b, "  %s can return only natively: %s\n", client, r)
		}
	}
	for _, r := range machine {
		if j.TooBig == "" && !second[r] && !isOpen(c.Source) {
			fmt.Fprintf(&b, "  %s can return only in the machine: %s\n", client, r)
		}
	}
	return b.String()
}

// returnedNatively is returned of a history that the second opinion has written. A panic behind all calls, of what they have
// started, takes nothing back that they have returned.
func returnedNatively(text string) string {
	if strings.Contains(text, "; panic ") && len(openCalls(text)) > 0 {
		return ""
	}
	var made []string
	for _, m := range written.FindAllStringSubmatch(text, -1) {
		made = append(made, m[1]+": "+m[4]+"="+m[5])
	}
	slices.SortStableFunc(made, func(a, b string) int { return strings.Compare(a[:2], b[:2]) })
	return strings.Join(made, "; ")
}

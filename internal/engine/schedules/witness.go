// SPDX-License-Identifier: BSD-3-Clause

package schedules

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/facts"
	"pangolin/internal/native"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// violated shrinks a violation, repeats it in a process of its own, and describes it.
func (s *search) violated(ctx context.Context, f *finding) (verdict.Verdict, error) {
	small := f
	if s.job.Small || s.job.Shortest {
		var err error
		if small, err = s.shrink(ctx, f); err != nil {
			return verdict.Verdict{}, err
		}
	}
	if self, ok := s.spec.(*self); ok && self.drawn { // more of what the oracle allows
		self.sample, self.known = manyAlone, map[string]*answers{}
	}
	shown, err := s.afresh(context.WithoutCancel(ctx), small)
	if err == nil && shown == nil && small != f { // what was left out has mattered
		shown, err = s.afresh(context.WithoutCancel(ctx), f)
	}
	if err != nil {
		return verdict.Verdict{}, err
	}
	if shown == nil {
		s.sampled.Unrepeated++
		return s.unable("an execution that looked wrong does not show that again in another process, or with more of what the code does when one thread uses it"), nil
	}
	shown.seed, shown.drawn.Number, shown.drawn.Way = small.seed, small.drawn.Number, small.drawn.Way
	v := s.verdict()
	v.Status, v.Cause, v.Reason = verdict.Violated, "", shown.message
	w := s.witness(shown)
	w.Scope = v.Scope
	at := w.Where()
	v.Violation = &verdict.Violation{Class: w.Class, Client: w.Client, Summary: w.Message, Function: at.Function, File: at.File, Line: at.Line,
		Steps: w.Steps, Execution: w}
	return v, nil
}

// mostFollowed is how many times a schedule that has shown a violation is followed, at most, until it shows that again: what no schedule decides, as the
// moment at which the system says that a connection is ready, may differ once.
const mostFollowed = 5

// afresh is follow in a new process, and in others if that does not show it.
func (s *search) afresh(ctx context.Context, f *finding) (*finding, error) {
	for n := 1; n <= mostFollowed; n++ {
		s.sampler.Restart()
		shown, err := s.follow(ctx, f.client, &f.drawn, f.class)
		if shown != nil {
			s.followed = max(s.followed, n)
		}
		if shown != nil || err != nil {
			return shown, err
		}
	}
	return nil, nil
}

// replay executes a witness again.
func replay(sub *subject.Subject, w *verdict.Witness) (*verdict.Witness, error) {
	c := w.Schedule.Compiled
	if c == nil || sub.Compiled == nil {
		return nil, errors.New("the witness is not one of compiled code")
	}
	ctx := context.Background()
	j := &engine.Job{Subject: sub, Property: verdict.Property(w.Subject.Property), Search: engine.Search{NoRaces: !c.Races}}
	j.Scope.Clients.Threads = client.Range{From: 1, To: max(1, w.Threads)}
	j.Scope.Clients.Steps = client.Range{From: 1, To: 1}
	j.Scope.Clients.Values = 1
	j.Scope.Preempt = -1
	s, why, err := open(ctx, j)
	if err != nil || why != "" {
		return nil, errors.Join(err, errors.New(why))
	}
	defer s.sampler.Close()
	now, err := s.again(ctx, read(w), w, w.Class)
	if err != nil {
		return nil, err
	}
	now.Source, now.Subject, now.Scope, now.Schedule.Compiled.Way = w.Source, w.Subject, w.Scope, c.Way
	return now, nil
}

// again executes a client under the schedule of a witness, up to mostFollowed times, and describes what it shows, which is of the class that is given. The
// error says why it is not that of the witness.
func (s *search) again(ctx context.Context, cl client.Client, w *verdict.Witness, class string) (now *verdict.Witness, err error) {
	for range mostFollowed {
		if now, err = s.once(ctx, cl, w, class); err == nil {
			return now, nil
		}
	}
	return nil, fmt.Errorf("the witness does not replay (tried %d times): %w", mostFollowed, err)
}

// once is again, once.
func (s *search) once(ctx context.Context, cl client.Client, w *verdict.Witness, class string) (*verdict.Witness, error) {
	c := w.Schedule.Compiled
	q := native.Sampling{Follow: c.Decisions, Sites: sitesOf(c.Sites), Client: clientOf(cl), Steps: mostSteps, Races: c.Races}
	a, err := s.sampler.Draw(ctx, q)
	switch {
	case err != nil:
		return nil, err
	case a.Fault != "":
		return nil, errors.New(a.Fault)
	case a.Failed != "":
		return nil, fmt.Errorf("the code has changed since, or depends on what no schedule decides: %s", a.Failed)
	}
	f, err := s.attempt(ctx, cl, q, class)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, errors.New("the execution does not show this violation")
	}
	f.seed, f.drawn.Number = c.Seed, c.Number
	if s.test {
		return s.testWitness(f), nil
	}
	now := s.witness(f)
	if !slices.EqualFunc(now.History, w.History, func(x, y verdict.Event) bool { return slices.Equal(x.Results, y.Results) }) {
		return nil, errors.New("under the same schedule the calls return something else, so the code has changed since, or depends on what no schedule decides")
	}
	return now, nil
}

func sitesOf(list []verdict.Site) (sites []native.Site) {
	for _, at := range list {
		sites = append(sites, native.Site(at))
	}
	return sites
}

// compiled is the schedule of an execution, without the calls of its threads.
func (s *search) compiled(f *finding) *verdict.Compiled {
	d := &f.drawn
	c := &verdict.Compiled{Threads: [][]verdict.Call{}, Seed: f.seed, Number: d.Number, Way: nameOf(d.Way), Decisions: d.Decisions, Preemptions: d.Preemptions,
		Sites: []verdict.Site{}, Races: !s.job.NoRaces}
	for _, at := range d.Sites {
		c.Sites = append(c.Sites, verdict.Site(at))
	}
	return c
}

// witness describes an execution that is wrong.
func (s *search) witness(f *finding) *verdict.Witness {
	w := &verdict.Witness{Type: "witness", Version: verdict.Version, Source: s.job.Subject.Source, Subject: s.job.About(), Class: f.class, Message: f.message,
		Client: s.space.Format(f.client), Threads: max(1, len(f.client.Threads))}
	d, c := &f.drawn, s.compiled(f)
	for _, calls := range f.client.Threads {
		c.Threads = append(c.Threads, written(calls))
	}
	w.Schedule = verdict.Schedule{PreAdds: written(f.client.Pre), Turns: []verdict.Turn{}, Compiled: c}
	w.Frames = []verdict.Frame{}
	p := &painter{search: s, finding: f, witness: w, open: map[int]int{}, place: map[int]int{}}
	p.paint()
	switch f.class {
	case classRace:
		w.Race = s.conflicts(d.Races[0])
		w.Message = raceText(w.Race)
	case classPanic:
		last := 1
		if n := len(d.Steps); n > 0 { // who panics has the last turn
			last = p.thread(d.Steps[n-1].Thread)
		}
		w.Crash = &verdict.Crash{Thread: last, Text: w.Message}
	case classDeadlock, classLivelock:
		w.Waiting = p.waiting()
	}
	if f.why != nil {
		if h, _, err := s.history(f.client, d); err == nil {
			w.Explanation = facts.Explain(f.why, h)
		}
	}
	facts.Quote(w, s.job.Subject.Lines)
	return w
}

// painter writes the steps of an execution, and its calls.
type painter struct {
	*search
	*finding
	witness *verdict.Witness
	open    map[int]int // by thread: number of the call in progress
	place   map[int]int // by thread: how many calls have begun
}

func (p *painter) paint() {
	d, at := &p.drawn, 0
	for i, step := range d.Steps {
		for ; at < len(d.Events) && (d.Events[at].Return && d.Events[at].At <= i || !d.Events[at].Return && d.Events[at].At <= i+1); at++ {
			p.event(d.Events[at])
		}
		if a := accessOf(step); a != nil && step.Thread > 0 { // goroutine 0 makes the collection
			p.add(verdict.Step{Thread: p.thread(step.Thread), Operation: p.operation(p.thread(step.Thread)), Access: a,
				Place: p.at(step.File, step.Line, step.Func)})
		}
	}
	for ; at < len(d.Events); at++ {
		p.event(d.Events[at])
	}
	if p.class == classPanic { // what is printed behind it is no part of it
		for n := len(p.witness.Steps); n > 0 && isOutput(p.witness.Steps[n-1].Access); n-- {
			p.witness.Steps = p.witness.Steps[:n-1]
		}
	}
}

func isOutput(a *verdict.Access) bool { return a != nil && a.Function == "output" }

func (p *painter) add(s verdict.Step) { p.witness.Steps = append(p.witness.Steps, s) }

// at is a place, with the file's name as positions have it: compiled code has the import path in front.
func (s *search) at(file string, line int, function string) verdict.Place {
	dir, base := path.Split(file)
	pkg := strings.TrimSuffix(dir, "/")
	if s.test && (pkg == "" || path.Base(pkg) == native.ExternalDir) { // files of tests are compiled under other names
		pkg = s.job.Subject.Compiled.Package
	}
	if pkg != "" {
		file = s.job.Subject.Lines.Named(pkg, base)
	}
	if under, external := strings.CutSuffix(pkg, "_test"); s.test && external && file == base {
		file = s.job.Subject.Lines.Named(under, base)
	}
	return verdict.Place{Function: s.named(function), File: file, Line: line}
}

// named is the name of a function with that of its package, which tests that stand outside of the package under test have not while they are compiled.
func (s *search) named(function string) string {
	if rest, ok := strings.CutPrefix(function, native.ExternalDir+"."); ok {
		return s.job.Subject.Compiled.Name + "." + rest
	}
	return function
}

// thread is the number of a goroutine in the witness: a client's thread, or one behind these.
func (p *painter) thread(goroutine int) int {
	if goroutine < len(p.drawn.Threads) {
		if t := p.drawn.Threads[goroutine]; t > 0 {
			return t
		}
	}
	n := p.witness.Threads
	for g := 1; g <= goroutine; g++ {
		if g >= len(p.drawn.Threads) || p.drawn.Threads[g] == 0 {
			n++
		}
	}
	return n
}

func (p *painter) operation(thread int) string {
	if n := p.open[thread]; n > 0 {
		return p.witness.History[n-1].Operation
	}
	return ""
}

// event writes the beginning or the end of a call.
func (p *painter) event(e native.CallEvent) {
	w, t := p.witness, e.Thread
	if !e.Return {
		step := p.client.Threads[t-1][p.place[t]]
		p.place[t]++
		op := &p.job.Subject.Operations[step.Op]
		w.History = append(w.History, verdict.Event{Thread: t, Operation: op.Name, Args: op.Client.Notation.Arguments(step.Args), Results: []string{}, Invoked: len(w.Steps) + 1})
		p.open[t] = len(w.History)
		p.add(verdict.Step{Thread: t, Operation: op.Name, Call: len(w.History), Phase: verdict.Invoke})
		return
	}
	n := p.open[t]
	step := p.client.Threads[t-1][p.place[t]-1]
	op := &p.job.Subject.Operations[step.Op]
	if words, err := wordsOf(p.drawn.Results[t][p.place[t]-1]); err == nil {
		w.History[n-1].Results, w.History[n-1].Words = op.Client.Notation.Returned(op.Tuple(words)), words
	}
	w.History[n-1].Responded = len(w.Steps) + 1
	p.add(verdict.Step{Thread: t, Operation: op.Name, Call: n, Phase: verdict.Respond})
	delete(p.open, t)
}

// waiting describes the threads that do not return.
func (p *painter) waiting() (list []verdict.Situation) {
	for _, b := range p.drawn.Blocked {
		t := p.thread(b.Goroutine - 1)
		list = append(list, verdict.Situation{Thread: t, Operation: p.operation(t), Waits: b.Reason != "", For: b.Reason,
			Place: p.at(b.File, b.Line, b.Func)})
	}
	return list
}

// accessOf is what a step does, as verdicts have it; nil for what nobody can see.
func accessOf(s native.Step) *verdict.Access {
	switch s.Does {
	case "start", "mark", "wakes", "go":
		return nil
	case "read", "write":
		return &verdict.Access{Kind: verdict.LibraryCall, Function: s.Does}
	case "select":
		return &verdict.Access{Kind: verdict.Select}
	case "system call":
		return &verdict.Access{Kind: verdict.LibraryCall, Function: "system"}
	case "atomic read":
		return &verdict.Access{Kind: verdict.LibraryCall, Function: "load"}
	}
	return &verdict.Access{Kind: verdict.LibraryCall, Function: s.Does}
}

var side = regexp.MustCompile(`^(.+) at (\S*):(\d+) in (.*)$`)

// conflicts are the two sides of a race.
func (s *search) conflicts(o native.Outcome) (list []verdict.Conflict) {
	for _, text := range o.Accesses {
		c := verdict.Conflict{Write: strings.HasPrefix(text, "write") || strings.HasPrefix(text, "atomic at")}
		if m := side.FindStringSubmatch(text); m != nil {
			line, _ := strconv.Atoi(m[3]) // digits
			c.Place = s.at(s.job.Subject.Compiled.Package+"/"+m[2], line, m[4])
		}
		list = append(list, c)
	}
	return list
}

func raceText(list []verdict.Conflict) string {
	var sides []string
	for _, c := range list {
		does := "a read"
		if c.Write {
			does = "a write"
		}
		sides = append(sides, fmt.Sprintf("%s at %s:%d", does, c.File, c.Line))
	}
	slices.Sort(sides)
	return "data race: " + strings.Join(sides, ", ") + ", and nothing orders them"
}

// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"pangolin/history"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/oracle"
	"pangolin/verdict"
)

// search fills a table until it is closed under two things: the steps of the thread that a view shows, and what steps
// of other threads, any number of them, do to what a view shows.
type search struct {
	model   *model
	points  points // where calls take effect
	assumed *interleave.Assumptions
	m       *vm.Machine
	base    int // number of base objects (package variables and constants)
	t       *table
	limits  limits

	effects []*effect
	pre     image    // the state before the step that is being made
	saved   []uint64 // buffers, used again
	ids     []uint32
	check   bool // check says that the table is complete: instead of being added, what is missing is an error

	returned map[outcome]bool // results that calls have returned in the table
	fired    map[string]int   // steps that others can see, by the place of their instruction
	others   others           // says what threads do that are not shown; nil: what the table says they do
	tally
	words   words       // that belong to threads
	ranked  *ranked     // steps of a closed table, where a property of progress is to be proved
	telling atomic.Bool // an operation has told of other threads without an order, see vm.Machine.TellIn
}

// tally counts what a search has come to.
type tally struct {
	cuts   int    // steps that would lead beyond the bound
	merged uint64 // views that came of effects, with repetitions
	most   int    // the most objects of one view
}

// outcome is a call that has returned a result.
type outcome struct {
	call   int
	result oracle.ResultID
}

// limits bound a search; 0 is no limit.
type limits struct {
	views    int                      // views in the table
	lost     int                      // objects to which a thread leads and the collection does not
	noRaces  bool                     // data races are not looked for
	plain    bool                     // no word belongs to who has written it
	alone    bool                     // there is no other thread
	progress verdict.Property         // the property of progress that is to be proved; "": none
	tell     func(views, effects int) // reports progress
}

// alarm is why a table is no proof. The code need not be wrong: the table may hold more than real threads see.
type alarm struct {
	text string
	at   string // "file.go:12 in F"
	view int32  // where the alarm is; -1: in no view
	last string // the step that leads from the view to what is wrong; "" if the view itself is wrong
}

func (a *alarm) Error() string { return a.text }

// limitError says which limit was reached.
type limitError struct{ text string }

func (e *limitError) Error() string { return e.text }

func tooManyViews(most int) error {
	return &limitError{fmt.Sprintf("a thread may see more than %d different things", most)}
}

// withdrawn says that an assumption of the reductions turned out to be wrong, and that the search has to begin again.
type withdrawn struct{}

func (withdrawn) Error() string { return "an assumption was wrong" }

// newMachine makes a machine that executes under the assumptions.
func newMachine(m *model, assumed *interleave.Assumptions, h vm.Hash) *vm.Machine {
	return m.img.NewMachine(vm.Options{NoSymmetry: true, OneOfMany: true, Numbers: true, Chronicle: true, Hash: h, Frozen: assumed.Frozen, Guards: assumed.Guards,
		NoFusing: false, HeapBytes: 64 << 20, Frames: 10_000, LocalSteps: 100_000, Threads: 255})
}

// newSearch makes a search that has no view yet.
func newSearch(m *model, p points, assumed *interleave.Assumptions, l limits) *search {
	s := &search{model: m, points: p, assumed: assumed, limits: l, t: newTable(), returned: map[outcome]bool{}, fired: map[string]int{}, words: words{wrote: owned{}}}
	s.m = newMachine(m, assumed, vm.Hash{})
	s.m.TellIn(&s.telling)
	s.base = len(m.img.Base) - 1
	return s
}

// others says what threads do that are not shown, where the table's own answer is not wanted. A search asks it about
// each step of the thread of a view.
type others interface {
	// before is called when thread 0 of the loaded state is about to make its step from a site. Its result becomes
	// step.before.
	before(site string, content oracle.StateID) any
	// restricts is called for a step that others can see. It says whether threads that are not shown do the same.
	restricts(x *step) (does bool, err error)
	// behind is called when the effect of the step has been done to all views. It may load another state.
	behind(x *step)
	// more is called when the table is closed, and says whether it has added views.
	more(ctx context.Context) (bool, error)
}

// run fills the table. The error is an *alarm, an *outsideError, a *limitError, a withdrawn, or that of the context.
func (s *search) run(ctx context.Context) error {
	if err := s.begin(); err != nil {
		return err
	}
	for v := int32(0); ; v++ {
		if int(v) == len(s.t.views) {
			more := false
			if s.others != nil {
				var err error
				if more, err = s.others.more(ctx); err != nil {
					return err
				}
			}
			if !more {
				return s.ordered()
			}
		}
		if v&0xff == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if s.limits.tell != nil {
				s.limits.tell(len(s.t.views), len(s.effects))
			}
		}
		s.t.views[v].done = true
		for _, e := range s.t.common[s.t.views[v].common].effects {
			if err := s.apply(e, v); err != nil {
				return err
			}
		}
		if err := s.expand(v); err != nil {
			return err
		}
		if s.limits.views > 0 && len(s.t.views) > s.limits.views {
			return tooManyViews(s.limits.views)
		}
	}
}

// ordered is an error if a closed table does not show that there are no data races. Races are looked for between
// threads that are about to access one word. That finds all of them only if no thread learns of another without being
// ordered behind it, as by len of a channel. If the search has others nothing is said: what they do need not be
// executions, for they may give back locks that they do not hold.
func (s *search) ordered() error {
	if s.telling.Load() && !s.limits.noRaces && s.others == nil {
		return outside("an operation that tells of other threads without ordering what they do (len of a channel, TryLock that fails, ...): data races are not all seen")
	}
	return nil
}

// begin adds the view of a new collection.
func (s *search) begin() error {
	m := s.m
	m.Reset()
	m.Spawn()
	if err := construct(m, s.model.subject); err != nil {
		return err
	}
	if s.assumed.Tell(m) {
		return withdrawn{}
	}
	return s.add(s.model.initial, -1, s.t.cause("the collection is made"))
}

// construct calls the constructor on thread 0 and makes its result the root of the memory.
func construct(m *vm.Machine, sub *subject.Subject) error {
	m.Asked = false
	m.Call(0, sub.New, nil)
	var ch explore.Choices
	m.RunAlone(0, &ch)
	switch {
	case ch.Next():
		return outside("the constructor makes choices that Go leaves open")
	case m.Fault() != nil:
		return nil
	case m.Panicked(0) != "":
		return outside("the constructor panics: %s", m.Panicked(0))
	case m.Threads() > 1 || m.Ended().Kind != vm.Running:
		return outside("the constructor starts goroutines or ends the program")
	case !m.Idle(0):
		return outside("the constructor does not return")
	case m.Asked:
		return outside("the constructor asks for the number of its thread, which is one of those to come, or of none")
	case len(m.Thread[0].Held) > 0: // by the thread that made the collection, which is any of those to come, or none
		return outside("the constructor leaves a lock taken")
	}
	m.SetRoots(m.Results(0)[0])
	return separate(m, "the constructor")
}

// separate is an error if what the machine has just executed has written to package variables, or to what they led to before the first
// collection was made: several collections share these, and the table has one.
func separate(m *vm.Machine, who string) error {
	if len(m.Dirty()) == 0 {
		return nil
	}
	l := m.Location(state.Pointer(int(m.Dirty()[0]), 0))
	name := "the package variable " + l.Anonymous()
	if l.Global == "" {
		name = "memory to which package variables lead"
	}
	return &outsideError{text: fmt.Sprintf("%s writes %s, which all collections share; a proof has only one collection", who, name), suspicious: true}
}

// load makes view v the machine's state, takes its image, and gives its content.
func (s *search) load(v int32) (content oracle.StateID) {
	words, p := s.t.state(v)
	c := s.t.common[s.t.views[v].common]
	s.m.Load(words)
	s.look(words, p, c.count)
	return c.content
}

// expand makes every step of the thread that view v shows; if it is idle, every call.
func (s *search) expand(v int32) error {
	content := s.load(v)
	if !s.limits.noRaces {
		if err := s.races(v); err != nil {
			return err
		}
	}
	if s.m.Idle(0) {
		for i := range s.model.calls {
			if i > 0 {
				s.load(v)
			}
			if err := s.invoke(v, i, content); err != nil {
				return err
			}
		}
		return nil
	}
	if !s.m.Enabled(0) {
		return nil
	}
	var ch explore.Choices
	site, at, does, swaps, woken := s.site(), s.m.At(0), s.m.Doing(0), s.swaps(), waits(s.m, 0)
	var before any
	if s.others != nil && !s.check {
		before = s.others.before(site, content)
	}
	for first, more := true, true; more; first, more = false, ch.Next() {
		if !first {
			s.load(v)
		}
		s.m.Step(0, &ch)
		if err := s.behind(&step{view: v, content: content, site: site, at: at, does: does, swaps: swaps, woken: woken, before: before}); err != nil {
			return err
		}
	}
	return nil
}

// invoke begins call i in view v, with every decision that Go leaves open.
func (s *search) invoke(v int32, i int, content oracle.StateID) error {
	var ch explore.Choices
	for first, more := true, true; more; first, more = false, ch.Next() {
		if !first {
			s.load(v)
		}
		if err := s.enter(v, i, content, &ch); err != nil {
			return err
		}
	}
	return nil
}

// enter executes call i up to its first access that others can see.
func (s *search) enter(v int32, i int, content oracle.StateID, ch *explore.Choices) error {
	c := &s.model.calls[i]
	s.m.SetTag(0, uint64(newGhost(i, s.model.justified(content, i))))
	s.m.Call(0, s.model.subject.Operations[c.step.Op].Func, subject.ArgumentWords(nil, s.m.Root(0), c.step.Args))
	s.m.Settle(0, ch)
	return s.behind(&step{view: v, content: content, does: "call of " + c.text})
}

// step is a step that the machine has just made.
type step struct {
	view     int32          // the view that it was made in
	content  oracle.StateID // before
	site     string         // where it began, see siteOf
	at, does string         // at is "file.go:12 in F", does is the access, or the call, as text
	woken    bool           // it began within the wait for a condition
	swaps    bool           // it read a word and changed it, in one
	before   any            // what others.before gave
}

// text says what the step does, for traces.
func (s *step) text() string { return s.does }

// behind adds the view that a step has led to, judges the result if its call has returned, and does its effect to the
// views of other threads.
func (s *search) behind(x *step) error {
	m := s.m
	if s.assumed.Tell(m) {
		return withdrawn{}
	}
	switch {
	case m.Threads() > 1:
		return outside("goroutines are started at %s", x.at)
	case m.Peered:
		return outside("a step looks at other threads, or gives back a lock that another one has taken, at %s", x.at)
	}
	if err := misused(m, cmp.Or(x.at, x.does)); err != nil {
		return err
	}
	wrong := func(format string, a ...any) error {
		return &alarm{text: fmt.Sprintf(format, a...), at: x.at, view: x.view, last: x.text()}
	}
	if m.Ended().Kind != vm.Running {
		return wrong("the program ends: %s", m.Text(m.Ended().Text))
	}
	if err := separate(m, cmp.Or(x.at, x.does)); err != nil {
		return err
	}
	did := s.changed()
	g, content := ghost(m.Tag(0)), x.content
	if _, done := g.result(); did.any && !done && s.points.at(x.site, did.kind, s.operation(g), x.woken) != "" {
		if e, some := s.model.changes(content, g.call()); some {
			g, content = g.effected(e.Result), e.Next
		}
	}
	s.t.views[x.view].acts = s.t.views[x.view].acts || content != x.content
	if !s.model.within(content) {
		s.cuts++
		return nil
	}
	if err := s.own(x.swaps); err != nil {
		return err
	}
	if m.Idle(0) {
		if err := returnsNumber(m, 0, s.model.calls[g.call()].text); err != nil {
			return err
		}
		r := s.model.auto.ResultID(s.result(g.call()))
		if err := s.model.auto.Err(); err != nil {
			return &limitError{err.Error()}
		}
		if !s.model.allows(g, r) {
			return wrong("%s returns %s, but %s", s.model.calls[g.call()].text, s.model.shown(g.call(), r), s.model.expected(g))
		}
		s.returned[outcome{g.call(), r}] = true
		g = 0
	}
	m.SetTag(0, uint64(g))
	if err := s.add(content, x.view, s.t.cause(x.text()+at(x.at))); err != nil {
		return err
	}
	if !did.any && content == x.content {
		return nil
	}
	s.fired[x.at]++
	if s.others == nil || s.check {
		return s.interfere(x, did.own, content)
	}
	if does, err := s.others.restricts(x); err != nil || !does {
		return err
	}
	if err := s.interfere(x, did.own, content); err != nil {
		return err
	}
	s.others.behind(x)
	return nil
}

// operation is the name of the operation that a thread's call is of.
func (s *search) operation(g ghost) string {
	if !g.busy() {
		return ""
	}
	return s.model.subject.Operations[s.model.calls[g.call()].step.Op].Name
}

// at makes the second part of a cause (table.cause) of a place.
func at(place string) string {
	if place == "" {
		return ""
	}
	return "\x00" + place
}

// result is what call c of thread 0 has returned.
func (s *search) result(c int) history.Tuple {
	return resultOf(s.m, 0, &s.model.subject.Operations[s.model.calls[c].step.Op])
}

// resultOf is what an operation has returned on a thread; a panic counts as a result.
func resultOf(m *vm.Machine, thread int, op *subject.Operation) history.Tuple {
	if m.Panicked(thread) != "" {
		return history.PanicTuple()
	}
	return op.Tuple(m.Results(thread))
}

// interfere adds the effect of step x, and does it to every view with the same common part that has been expanded so
// far. changed are the own cells that the step has changed.
func (s *search) interfere(x *step, changed []int, content oracle.StateID) error {
	ends := s.m.Idle(0)
	e, key := s.effectOf(s.taking(s.t.views[x.view].held), changed, content)
	e.lasts = !ends
	return s.interfereWith(s.t.common[s.t.views[x.view].common], e, key, x)
}

// interfereWith adds effect e, with its key, to common part c and does it to every view there that has been expanded
// so far. If there is such an effect already nothing happens.
func (s *search) interfereWith(c *common, e *effect, key string, x *step) error {
	if same := c.effectIndex[key]; same != nil || s.limits.alone {
		if same != nil {
			same.lasts = same.lasts || e.lasts
		}
		return nil
	}
	if s.check {
		return fmt.Errorf("an effect is missing: %s at %s", x.does, x.at)
	}
	e.number, e.by, e.at, e.does = int32(len(s.effects)), x.view, x.at, x.does
	s.effects = append(s.effects, e)
	c.effectIndex[key] = e
	c.effects = append(c.effects, e)
	for i := 0; i < len(c.list); i++ { // it may grow
		if v := c.list[i]; s.t.views[v].done {
			if err := s.apply(e, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds the machine's state as a view, found from view parent by cause (see view.cause). In a check it is an error
// if the view is not in the table.
func (s *search) add(content oracle.StateID, parent, cause int32) error {
	s.saved = s.m.Save(s.saved[:0])
	p := s.m.Parts()
	known := len(s.t.common)
	ci := s.t.place(s.m, s.saved, p, content)
	c := s.t.common[ci]
	key := s.t.local(s.saved, p)
	if v, ok := c.views[string(key)]; ok {
		if s.check && s.ranked != nil && parent >= 0 {
			var of *effect
			if cause >= 0 {
				of = s.effects[cause]
			}
			s.follows(parent, v, of, content)
		}
		return nil
	}
	if s.check {
		return fmt.Errorf("a view is missing from the table (of %d memories): %s", known, s.m.At(0))
	}
	if err := s.treatable(); err != nil {
		return err
	}
	lost := s.m.Count(s.saved[p.Own:])
	s.most = max(s.most, c.count+lost)
	if len(s.saved) > mostSeen {
		return &limitError{fmt.Sprintf("a thread may see more than %d words of memory", mostSeen) + s.where()}
	}
	if c.count > mostCommon {
		return &limitError{fmt.Sprintf("the collection may lead to more than %d objects", mostCommon) + s.where()}
	}
	if s.limits.lost > 0 && lost > s.limits.lost {
		return &limitError{fmt.Sprintf("a thread may reach more than %d objects to which the collection does not lead", s.limits.lost) + s.where()}
	}
	v := int32(len(s.t.views))
	s.t.views = append(s.t.views, view{common: ci, parent: parent, cause: cause, local: string(key), held: s.held()})
	c.views[s.t.views[v].local] = v
	c.list = append(c.list, v)
	return nil
}

// where says at which place thread 0 stands, as the end of a message; nothing if it is in no call.
func (s *search) where() string {
	if s.m.Idle(0) {
		return ""
	}
	return ", at " + s.m.At(0)
}

// mostReaders is how many threads may hold one lock for reading, where they are counted (vm.Machine.CountsReaders): readers that come one after the
// other would make ever new memories. One thread may hold it so many times.
const mostReaders = 4

// treatable is an error if thread 0 stands at an operation that needs a second thread, such as a channel's, or if too
// many threads read one lock.
func (s *search) treatable() error {
	if what := s.m.Meets(0); what != "" {
		return outside("%s, at %s", what, s.m.At(0))
	}
	times := map[uint64]int{}
	for _, p := range s.m.Thread[0].Held {
		if p&state.ReadHold == 0 {
			continue
		}
		if times[p]++; times[p] > mostReaders {
			return &limitError{fmt.Sprintf("a thread may hold a lock for reading more than %d times", mostReaders) + s.where()}
		}
		if readers(s.m, p&^state.ReadHold) > mostReaders {
			return &limitError{"ever more threads may hold a lock for reading" + s.where()}
		}
	}
	return nil
}

// site is the site of thread 0.
func (s *search) site() string { return siteOf(s.m, 0) }

// siteOf is where a thread stands, as a key: the calls in progress, each with the number of its function and of its
// next instruction.
func siteOf(m *vm.Machine, thread int) string {
	var b []uint64
	for i := range m.Thread[thread].Frames {
		f := &m.Thread[thread].Frames[i]
		b = append(b, uint64(f.Code.Func.ID)<<32|uint64(f.PC))
	}
	return string(appendWords(nil, b))
}

// pending is an access that a thread is about to make, with its locks as a key. Two threads with one pending race
// with the same others.
type pending struct {
	access vm.Access
	held   string
}

// accessing is an access that the thread of a view is about to make.
type accessing struct {
	access vm.Access
	view   int32
}

// races is an alarm if the thread of view v, and that of another view with the same common part, may be about to
// access one word so that there is a data race.
func (s *search) races(v int32) error {
	x := &s.t.views[v]
	c := s.t.common[x.common]
	for _, a := range s.m.Accesses(0) {
		if !s.mayBeKnown(a.P) {
			continue
		}
		p := pending{a, string(appendWords(nil, wordsOfLocks(x.held)))}
		if a.P>>32 > uint64(s.base+c.count) {
			p.held += fmt.Sprint(v) // each of its own: another thread's number means another object
		}
		if c.pending[p] {
			continue
		}
		c.pending[p] = true
		c.accesses = append(c.accesses, accessing{a, v})
		for _, q := range c.accesses {
			if err := s.race(v, a, q.view, q.access); err != nil {
				return err
			}
		}
	}
	return nil
}

// mayBeKnown says that other threads may know the object to which p points in the state that is loaded.
func (s *search) mayBeKnown(p uint64) bool {
	return s.m.Objs[state.ObjectID(p)].Flags&state.IsKnown != 0 || state.ObjectID(p) <= s.base
}

// race is an alarm if access a of the thread of view v and access b of the thread of view w are a data race. Accesses
// to two own cells are taken to be to one cell if the two can be the same.
func (s *search) race(v int32, a vm.Access, w int32, b vm.Access) error {
	first := s.base + 1 + s.t.common[s.t.views[v].common].count
	i, j := int(a.P>>32)-first, int(b.P>>32)-first
	if i < 0 != (j < 0) {
		return nil
	}
	if i >= 0 {
		b.P = a.P>>32<<32 | b.P&0xffffffff
	}
	if !a.Conflicts(b) || !s.meet(v, i, w, j) {
		return nil
	}
	s.load(w)
	other, lock := s.m.At(0), s.m.Thread[0].Top().Code.Func.Harness
	s.load(v)
	if lock { // the harness counts between the two operations of a lock
		return &alarm{text: "it is not known that only one thread at a time has the lock", view: v}
	}
	return &alarm{text: fmt.Sprintf("it is not known that there is no data race with %s", other), at: s.m.At(0), view: v}
}

// meet says that the threads of views v and w may be in one state, in which own cell i of v is own cell j of w; -1:
// no cell has to be the same.
func (s *search) meet(v int32, i int, w int32, j int) bool {
	x, y := &s.t.views[v], &s.t.views[w]
	first := s.base + 1 + s.t.common[x.common].count
	if excludes(relocated(y.held, nil, first), x.held) {
		return false
	}
	words, p := s.t.state(v)
	mine := s.m.Cells(slices.Clone(words[p.Own:]))
	words, p = s.t.state(w)
	theirs := s.m.Cells(slices.Clone(words[p.Own:]))
	u := &unifier{theirs: theirs, mine: mine, first: first}
	found := false
	_ = u.all(func(to []int) error {
		found = found || (i < 0 || to[j] == i) && !excludes(relocated(y.held, to, first), x.held)
		return nil
	})
	return found
}

package cmp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/explore"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/oracle"
)

// Other by lemmas. The table's own choice of what Other may do is the strongest: what the thread
// does in some view of the same common part. The CMP method's is weaker: whatever a thread might
// do that stands at a line, with any objects of the right types in its variables, if the lemma of
// the line holds. So a thread that has done something at a line, in any view, is put into every
// common part, with all ways of directing what it refers to at the objects there, and where the lemma holds, it makes its step.
//
// That is sound as long as the lemmas hold of the concrete thread: what that does in a view is
// then among what Other may do there. So each is checked where the thread acts, and one that
// fails is dropped, and the search begins again (Houdini). That the proof still goes through shows that the
// lemmas say all that it needs; and a fact without which it does not is needed.

// other is Other as lemmas have it; without claims it is the table's own.
type other struct {
	claims    lemmas // nil: none
	unchecked bool   // the lemmas are taken for true: for tests
	keeps     bool   // what Other does is the table's own, and claims are checked
	single    bool   // there is no other thread
	own       bool   // Other does what the table has, and the claims are only checked
	language  language
	templates []template
	known     map[string]bool
	done      map[[2]int]bool   // pairs of a common part and a template
	met       map[string][]deed // where the concrete thread has done something, and what
}

// deed is what a thread has done at a place.
type deed struct{ at, does string }

// template is a thread that has done something.
type template struct {
	site  string
	words []uint64
	parts state.Parts
	refs  []uint32 // common objects that it refers to, by number
	heads []uint64 // of these
	at    step
}

// dropped says that a claim was false and is no longer made.
type dropped struct{}

func (dropped) Error() string { return "a claim was wrong" }

// mostWays is in how many ways a thread is put into one common part, at most.
const mostWays = 1 << 14

// restrained checks the claims where the concrete thread has done something, and keeps it as a
// template. It says whether its effect is one of Other's.
func (s *search) restrained(x *step) (bool, error) {
	if s.claims == nil || s.check {
		return true, nil
	}
	before := 0
	if l := s.claims[x.site]; l != nil {
		before = len(l.holds)
		if s.unchecked {
			return l.allows(x.holds), nil
		}
	}
	if s.met == nil {
		s.met = map[string][]deed{}
	}
	did := deed{x.at, anyElement(x.does)}
	if !slices.Contains(s.met[x.site], did) {
		s.met[x.site] = append(s.met[x.site], did)
	}
	s.claims.note(x.site, did.at, did.does, x.holds)
	if before > len(s.claims[x.site].holds) && !s.single && !s.own {
		return false, dropped{}
	}
	return true, nil
}

// anyElement is what is done to some element of an array, whichever that is.
func anyElement(does string) string { return indexes.ReplaceAllString(does, "[]") }

// asks says that the facts about a thread at a place matter: where something is claimed, or claims are mined.
// A place to which no thread of the proof has come has no lemma.
func (s *search) asks(site string) bool {
	switch {
	case s.claims == nil || s.check:
		return false
	case s.single || s.own:
		return true
	}
	l := s.claims[site]
	return l != nil && len(l.holds) > 0
}

// factsAt are the facts of a thread that stands at a place, with how it came there if nothing is known of the place.
func (s *search) factsAt(site string, known lemmas, common int, content oracle.StateID) *facter {
	c := s.factsHere(common, content)
	if known[site] == nil {
		c.calls = callers(s.m)
	}
	return c
}

// factsHere are the facts of the state that is loaded, of which so many objects are common.
func (s *search) factsHere(common int, content oracle.StateID) *facter {
	return s.model.factsOf(s.m, s.base+common, content, s.language)
}

// keep makes a template of a view, unless there is one like it.
func (s *search) keep(x *step) {
	if s.claims == nil || s.check || s.single || s.unchecked || s.own || s.keeps {
		return
	}
	words, p := s.t.state(x.view)
	c := s.t.common[s.t.views[x.view].common]
	t := template{site: x.site, words: slices.Clone(words), parts: p, at: *x}
	key := s.signature(&t, c.count)
	if s.known[key] {
		return
	}
	if s.known == nil {
		s.known, s.done = map[string]bool{}, map[[2]int]bool{}
	}
	s.known[key] = true
	s.templates = append(s.templates, t)
}

// signature describes a template up to which common objects it refers to, and lists these.
func (s *search) signature(t *template, count int) string {
	m := s.m
	m.Load(t.words)
	all := m.Cells(t.words[t.parts.Objects:])
	var b strings.Builder
	name := func(id uint32) string {
		i := int(id) - s.base - 1
		switch {
		case id == 0 || i < 0:
			return fmt.Sprint("=", id)
		case i >= count:
			return fmt.Sprint("own", i-count)
		}
		at := slices.Index(t.refs, id)
		if at < 0 {
			at = len(t.refs)
			t.refs, t.heads = append(t.refs, id), append(t.heads, all[i].Head)
		}
		return fmt.Sprint("ref", at, ":", all[i].Head)
	}
	thread := m.Thread[0]
	fmt.Fprint(&b, t.site, thread.Tag, thread.Phase)
	for k := range thread.Frames {
		f := &thread.Frames[k]
		regs := thread.Regs[f.Base:]
		for _, l := range m.LiveIn(f, k == len(thread.Frames)-1) {
			w := regs[l.Reg]
			if ref := m.Reference(regs, int(l.Reg), l.Kind); ref != 0 {
				fmt.Fprint(&b, " ", name(uint32(ref)), "+", uint32(w))
			} else {
				fmt.Fprint(&b, " ", w)
			}
		}
	}
	for _, h := range thread.Held {
		fmt.Fprint(&b, " held ", name(uint32(h>>32)), "+", uint32(h))
	}
	for _, cell := range all[count:] {
		fmt.Fprint(&b, " cell ", cell.Head)
		for i, w := range cell.Words {
			if cell.To[i] != 0 {
				fmt.Fprint(&b, " ", name(cell.To[i]), "+", uint32(w))
			} else {
				fmt.Fprint(&b, " ", w)
			}
		}
	}
	return b.String()
}

// retarget puts every template into every common part that it was not put into. It says whether
// anything is new.
func (s *search) retarget(ctx context.Context) (more bool, err error) {
	if s.claims == nil || s.single || s.check || s.unchecked || s.own || s.keeps {
		return false, nil
	}
	before := len(s.t.views)
	for c := range s.t.common {
		for t := range s.templates {
			if s.done[[2]int{c, t}] {
				continue
			}
			s.done[[2]int{c, t}] = true
			if err := ctx.Err(); err != nil {
				return false, err
			}
			if err := s.place(c, &s.templates[t]); err != nil {
				return false, err
			}
		}
	}
	return len(s.t.views) > before, nil
}

// place puts a template into a common part in every way.
func (s *search) place(ci int, t *template) error {
	c := s.t.common[ci]
	objects := s.m.Cells(c.objects)
	choices, ways := make([][]uint32, len(t.refs)), 1
	for i, head := range t.heads {
		for k := range objects {
			if objects[k].Head == head {
				choices[i] = append(choices[i], uint32(s.base+1+k))
			}
		}
		if ways *= len(choices[i]); ways > mostWays {
			return &limitError{"there are too many ways in which another thread could stand at " + t.at.at}
		}
	}
	ids := make([]uint32, s.m.Count(t.words[t.parts.Objects:t.parts.Own]))
	for way := range ways {
		for i, n := range t.refs {
			ids[int(n)-s.base-1] = choices[i][way%len(choices[i])]
			way /= len(choices[i])
		}
		if err := s.act(ci, t, ids); err != nil {
			return err
		}
	}
	return nil
}

// act lets a template, directed at some objects, make its step, if the lemma holds.
func (s *search) act(ci int, t *template, ids []uint32) error {
	c := s.t.common[ci]
	words, _ := s.t.state(c.list[0])
	s.m.Load(words)
	s.m.RetireThreads(0)
	s.m.Graft(t.words, t.parts, ids)
	words = s.m.Save(nil)
	p := s.m.Parts()
	held := s.held()
	if !slices.Equal(words[p.Objects:p.Own], c.objects) {
		return errors.New("a thread that was put into a memory has changed it")
	}
	s.m.Load(words)
	s.look(words, p, c.count)
	if !s.locked() || !s.m.Enabled(0) || s.asks(t.site) && !s.claims[t.site].allows(s.factsHere(c.count, c.content)) {
		return nil
	}
	var ch explore.Choices
	for first, more := true, true; more; first, more = false, ch.Next() {
		if !first {
			s.m.Load(words)
		}
		s.m.Step(0, &ch)
		if err := s.acted(c, t, held); err != nil {
			return err
		}
	}
	return nil
}

// acted adds the effect of Other's step.
func (s *search) acted(c *common, t *template, held []hold) error {
	m := s.m
	if m.Fault() != nil || m.Breached() >= 0 || s.assumed.Unguarded() {
		return &alarm{text: "another thread, restrained by the lemmas alone, may do what was assumed never to be done", at: t.at.at, view: -1}
	}
	if m.Threads() > 1 || m.Ended().Kind != vm.Running {
		return nil // the concrete thread does not do that, or its view says so
	}
	did := s.changed()
	g, content := ghost(m.Tag(0)), c.content
	if _, done := g.result(); did.any && !done && s.points[t.site+did.kind] != "" {
		if e, some := s.model.changes(content, g.call()); some {
			content = e.Next
		}
	}
	if !did.any || !s.model.within(content) {
		return nil
	}
	e, key := s.effectOf(held, did.own, content)
	return s.interfereWith(c, e, key, &t.at)
}

// locked says that the locks that thread 0 holds are taken.
func (s *search) locked() bool {
	for _, p := range s.m.Thread[0].Held {
		p &^= state.ReadHold
		taken := false
		o := &s.m.Objs[state.ObjectID(p)]
		leaf, _ := o.Info.Type.LeafAt(state.Offset(p) % max(1, o.Info.Type.Size))
		for _, w := range s.m.Words(p, max(1, leaf.Size)) {
			taken = taken || w != 0
		}
		if !taken {
			return false
		}
	}
	return true
}

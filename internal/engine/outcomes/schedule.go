package outcomes

import (
	"pangolin/internal/explore"
)

// schedule turns a path of the search into turns of named threads. In a saved
// state threads may have changed places; the names follow them.
func (x *exploration) schedule(p explore.Path) []Turn {
	c := x.sys.NewCursor().(*cursor)
	c.Initial(explore.Replay(p.Start))
	names := newNames(c.m.Threads())
	state := c.Save(nil)
	names.permute(c.m.Permutation())
	var turns []Turn
	for _, s := range p.Steps {
		c.Load(state)
		i := threadOf(s.Move)
		turn := Turn{Thread: names.of[i], What: c.m.At(i), Choices: s.Decisions}
		before := c.m.Created()
		c.Step(s.Move, explore.Replay(s.Decisions))
		names.update(c.m.Survivors(), c.m.Created()-before)
		turns = append(turns, turn)
		if c.m.Fault() != nil {
			break
		}
		state = c.Save(state[:0])
		names.permute(c.m.Permutation())
	}
	return turns
}

// names gives the threads of the current state their names: numbers in order of
// creation.
type names struct {
	of   []int
	next int
}

func newNames(n int) *names {
	s := &names{}
	s.create(n)
	return s
}

func (s *names) create(n int) {
	for range n {
		s.of = append(s.of, s.next)
		s.next++
	}
}

// permute follows a saved state, in which thread perm[i] stands at place i.
func (s *names) permute(perm []int) {
	old := append([]int(nil), s.of...)
	for i, p := range perm {
		s.of[i] = old[p]
	}
}

// update follows a step: so many threads were created, and those at the places in
// survivors remain.
func (s *names) update(survivors []int, created int) {
	s.create(created)
	kept := make([]int, 0, len(survivors))
	for _, i := range survivors {
		kept = append(kept, s.of[i])
	}
	s.of = kept
}

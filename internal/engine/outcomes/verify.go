package outcomes

import (
	"fmt"
	"slices"

	"pangolin/internal/interleave"
	"pangolin/internal/vm"
)

// verify executes a schedule, instruction by instruction, in a machine without any
// reduction, and checks that it leads to the outcome with the given key.
func (x *exploration) verify(s *Schedule, key string) error {
	r := &rerun{m: x.system(0).plain()}
	r.m.Start(x.main)
	if err := r.turns(s.Turns); err != nil {
		return err
	}
	if s.Cycle == nil {
		for _, o := range shown(r.m) {
			if o.key() == key {
				return nil
			}
		}
		return fmt.Errorf("it ends otherwise")
	}
	before := r.m.Save(nil)
	if err := r.turns(s.Cycle); err != nil {
		return err
	}
	if !slices.Equal(before, r.m.Save(nil)) {
		return fmt.Errorf("its cycle does not come back to the same state")
	}
	return nil
}

// plain returns a machine that assumes nothing.
func (s *system) plain() *vm.Machine {
	return s.img.NewMachine(interleave.Plain(s.opt))
}

// rerun is a machine that carries out turns.
type rerun struct{ m *vm.Machine }

func (r *rerun) turns(turns []Turn) error {
	for i := range turns {
		if err := r.turn(&turns[i]); err != nil {
			return fmt.Errorf("turn %d: %w", i, err)
		}
	}
	return nil
}

// turn lets the threads of a turn execute what they executed in the search, and then
// puts them where the search had them: a decision between waiting threads counts
// places.
func (r *rerun) turn(t *Turn) error {
	ch := &script{decisions: t.Decisions}
	for _, ran := range t.ran {
		i := slices.Index(r.m.Survivors(), ran.Thread)
		if ran.Instructions == 0 {
			continue
		}
		if i < 0 {
			return fmt.Errorf("thread %d does not exist", ran.Thread)
		}
		if n := r.m.RunExactly(i, ran.Instructions, ch); n != ran.Instructions {
			return fmt.Errorf("thread %d executes %d instructions instead of %d", ran.Thread, n, ran.Instructions)
		}
	}
	if ch.wrong || len(ch.decisions) > 0 {
		return fmt.Errorf("it asks for other decisions")
	}
	if r.m.Ended().Kind != vm.Running {
		return nil
	}
	return r.arrange(t.places)
}

func (r *rerun) arrange(places []int) error {
	r.m.Settled()
	have := r.m.Survivors()
	if len(have) != len(places) {
		return fmt.Errorf("%d threads are left instead of %d", len(have), len(places))
	}
	perm := make([]int, len(places))
	for i, n := range places {
		if perm[i] = slices.Index(have, n); perm[i] < 0 {
			return fmt.Errorf("thread %d has ended", n)
		}
	}
	r.m.Arrange(perm)
	return nil
}

// script is a Chooser that takes decisions made before.
type script struct {
	decisions []uint32
	wrong     bool // other decisions were asked for
}

func (s *script) Choose(n int) int {
	if len(s.decisions) == 0 || int(s.decisions[0]) >= n {
		s.wrong = true
		return 0
	}
	d := int(s.decisions[0])
	s.decisions = s.decisions[1:]
	return d
}

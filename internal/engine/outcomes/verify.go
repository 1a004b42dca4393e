package outcomes

import (
	"errors"
	"fmt"
	"slices"

	"pangolin/internal/interleave"
)

// verify executes a schedule, instruction by instruction, in a machine without any
// reduction, and checks that it leads to the outcome with the given key.
func (x *exploration) verify(s *Schedule, key string) error {
	m := x.img.NewMachine(interleave.Plain(x.sys.opt))
	r := interleave.NewRerun(m)
	m.Start(x.main)
	if err := execute(r, s.Turns); err != nil {
		return err
	}
	if s.Cycle == nil {
		if !slices.ContainsFunc(shown(m), func(o Outcome) bool { return o.key() == key }) {
			return errors.New("it ends otherwise")
		}
		return nil
	}
	mark := r.Mark()
	if err := execute(r, s.Cycle); err != nil {
		return err
	}
	return r.Back(mark, plain(s.Cycle))
}

func execute(r *interleave.Rerun, turns []Turn) error {
	for i := range turns {
		if err := r.Turn(&turns[i].Turn); err != nil {
			return fmt.Errorf("turn %d: %w", i, err)
		}
	}
	return nil
}

// plain are the turns without what is there for readers.
func plain(turns []Turn) []interleave.Turn {
	list := make([]interleave.Turn, len(turns))
	for i := range turns {
		list[i] = turns[i].Turn
	}
	return list
}

// SPDX-License-Identifier: BSD-3-Clause

package outcomes

import (
	"errors"
	"fmt"
	"slices"

	"pangolin/internal/facts"
	"pangolin/internal/interleave"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// verify executes a schedule instruction by instruction without reductions, checks that it leads to the outcome with the given key, and
// records the witness.
func (x *exploration) verify(s *Schedule, key string) error {
	w := &verdict.Witness{Schedule: scheduleOf(s)}
	r := newReplayer(x.img, x.main, w)
	r.isIt, r.scenes = func(o *Outcome) bool { return o.key() == key }, x.opt.Scenes
	if x.hunted[key] {
		r.clock()
	}
	if err := r.run(plain(s.Turns), plain(s.Cycle)); err != nil {
		return err
	}
	s.Witness = w
	return nil
}

// plain converts the turns to those of package interleave.
func plain(turns []Turn) []interleave.Turn {
	list := make([]interleave.Turn, len(turns))
	for i := range turns {
		list[i] = turns[i].Turn
	}
	return list
}

// replayer executes turns without reductions and fills in a witness.
type replayer struct {
	m      *vm.Machine
	rerun  *interleave.Rerun
	clocks *interleave.Clocks // to find races that show in no state; nil: not wanted
	w      *verdict.Witness
	frames facts.Frames
	names  map[int]string      // of goroutines, by number
	scenes bool                // add Scenes to the witness
	isIt   func(*Outcome) bool // reports whether an outcome is the expected one
}

func newReplayer(img *vm.Image, main *ir.Func, w *verdict.Witness) *replayer {
	opt := interleave.Plain(interleave.Program(0))
	// With fusing the machine knows which memory is shared; accesses to other memory are no steps of the witness.
	opt.Chronicle, opt.NoFusing = true, false
	m := img.NewMachine(opt)
	r := &replayer{m: m, rerun: interleave.NewRerun(m), w: w, names: map[int]string{}}
	m.Start(main)
	r.rerun.Settle()
	r.rerun.Watch = r.watch
	w.Steps, w.Loop, w.Frames, w.Race, w.Waiting, w.Crash = []verdict.Step{}, 0, nil, nil, nil, nil
	return r
}

// run executes the turns up to the outcome, or also a cycle, which must lead back to its beginning.
func (r *replayer) run(turns, cycle []interleave.Turn) error {
	defer func() { r.w.Frames = r.frames.List() }()
	if err := r.execute(turns); err != nil {
		return err
	}
	if len(cycle) == 0 {
		return r.end()
	}
	mark := r.rerun.Mark()
	r.w.Loop = len(r.w.Steps) + 1
	if err := r.execute(cycle); err != nil {
		return err
	}
	if r.w.Loop > len(r.w.Steps) { // the cycle has no visible access
		r.w.Loop = 0
	}
	if !interleave.Moves(cycle) {
		return errors.New("no goroutine executes anything in its cycle")
	}
	r.endless(cycle)
	return r.rerun.Back(mark, cycle)
}

func (r *replayer) execute(turns []interleave.Turn) error {
	for i := range turns {
		r.name()
		if err := r.rerun.Turn(&turns[i]); err != nil {
			return fmt.Errorf("turn %d: %w", i, err)
		}
	}
	r.name()
	return nil
}

// name records for each goroutine the first function of the program in which it is seen.
func (r *replayer) name() {
	for place, n := range r.rerun.Threads() {
		if _, known := r.m.Standing(place); r.names[n] == "" && known {
			r.names[n] = r.m.Goroutine(place)
		}
	}
}

// watch adds a step to the witness.
func (r *replayer) watch(thread int, e *vm.Event) {
	r.name()
	s := r.frames.Step(thread, e)
	s.Operation = r.names[thread]
	r.w.Steps = append(r.w.Steps, s)
	if r.scenes {
		scene := facts.Scene(r.m)
		standing := make([]verdict.Standing, r.m.Created())
		for i := range standing {
			standing[i].Idle = true
		}
		for place, n := range r.rerun.Threads() {
			standing[n] = scene.Threads[place]
		}
		scene.Threads = standing
		r.w.Scenes = append(r.w.Scenes, scene)
	}
}

// clock starts vector clocks, for a race.
func (r *replayer) clock() {
	r.clocks = r.rerun.Clock()
	r.clocks.Step = func() int { return len(r.w.Steps) + 1 }
}

// end finds the expected outcome among those that the state shows, and describes it in the witness.
func (r *replayer) end() error {
	list := shown(r.m, true)
	at := slices.IndexFunc(list, func(o Outcome) bool { return r.isIt(&o) })
	if at < 0 {
		return r.endUnordered()
	}
	o := &list[at]
	r.describe(o)
	numbers := r.rerun.Threads()
	switch o.Kind {
	case Panicked:
		last := 0
		if n := len(r.w.Schedule.Turns); n > 0 {
			last = r.w.Schedule.Turns[n-1].Thread
		}
		r.w.Crash = &verdict.Crash{Thread: max(1, last), Text: o.Panic, Frame: r.frames.Number(r.m.Raised())}
	case Deadlock:
		r.situations(numbers, nil)
	case Leak:
		r.situations(numbers, r.m.Leaked())
	case Race:
		for _, race := range r.m.Races() {
			if o := raceOf(r.m, race); r.isIt(&o) {
				r.sides(race, numbers)
				break
			}
		}
	}
	return nil
}

// endUnordered finds the expected outcome among the races between accesses that threads are about to make and earlier ones.
func (r *replayer) endUnordered() error {
	if r.clocks == nil {
		return errors.New("it ends otherwise")
	}
	for _, race := range r.clocks.Races() {
		var sides []verdict.Conflict
		for _, s := range race {
			sides = append(sides, verdict.Conflict{Write: s.Write, Object: r.m.MemoryName(max(race[0].P, race[1].P)), Place: verdict.Place(s.At)})
		}
		o := racing(slices.Clone(sides))
		if !r.isIt(&o) {
			continue
		}
		r.describe(&o)
		for i, s := range race {
			sides[i].Thread, sides[i].Frame, sides[i].Holds, sides[i].Step = s.Thread+1, r.frames.Number(s.Stack), s.Holds, s.Step
		}
		r.w.Race = sides
		r.w.Message += ": nothing orders the two"
		return nil
	}
	return errors.New("it ends otherwise")
}

// endless describes an execution without end in the witness.
func (r *replayer) endless(cycle []interleave.Turn) {
	o := Outcome{Kind: Endless}
	o.Stdout, o.Stderr = r.m.Printed()
	var names []string
	for _, t := range cycle {
		if name := r.names[t.Thread]; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	o.Involved = named(names)
	r.describe(&o)
	r.situations(r.rerun.Threads(), nil)
}

func (r *replayer) describe(o *Outcome) {
	ending := o.facts()
	r.w.Class, r.w.Ending, r.w.Threads = string(ending.Kind), &ending, r.m.Created()
	r.w.Goroutines = make([]string, r.w.Threads)
	for n := range r.w.Goroutines {
		r.w.Goroutines[n] = r.names[n]
	}
	r.w.Message = messageOf(&ending)
}

// messageOf describes in a line how a program ends.
func messageOf(o *verdict.Outcome) string {
	switch o.Kind {
	case verdict.Exited:
		return fmt.Sprintf("the program ends with status %d", *o.Exit)
	case verdict.Endless:
		return "the program never ends"
	case verdict.Leaked:
		return fmt.Sprintf("goroutine leak: %s, and nobody who may still move can reach what it waits for", o.Involved[0])
	case verdict.Raced:
		return fmt.Sprintf("data race: %s and %s", o.Race[0], o.Race[1])
	}
	return o.Panic
}

// situations describes the goroutines that have not ended; for a leak, only the leaked ones.
func (r *replayer) situations(numbers, leaked []int) {
	for place := range numbers {
		if r.m.Thread[place].Idle() || leaked != nil && !slices.Contains(leaked, place) {
			continue
		}
		s := r.frames.Situation(r.m, place, func(place int) int { return numbers[place] })
		s.Goroutine = r.names[numbers[place]]
		r.w.Waiting = append(r.w.Waiting, s)
	}
}

// sides describes the two accesses of a race.
func (r *replayer) sides(race vm.Race, numbers []int) {
	for side, place := range race.Threads {
		r.w.Race = append(r.w.Race, verdict.Conflict{Thread: numbers[place] + 1, Write: race.Write[side], Object: race.What,
			Place: verdict.Place(race.At[side]), Frame: r.frames.Number(r.m.Stack(place)), Holds: r.m.HeldBy(place)})
	}
}

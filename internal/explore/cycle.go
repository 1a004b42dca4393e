// SPDX-License-Identifier: BSD-3-Clause

package explore

// Cycle returns a closed walk of at least one step from the component's root inside the
// component: the shortest one or, with fair, one on which every agent moves or is not
// enabled somewhere. Where the component is not Fair, the latter holds for as many agents
// as possible. The fair walk is short, not shortest: it goes to the nearest place that
// satisfies another agent until all are satisfied, and back.
//
// The walk is searched breadth first with a cursor of its own; contents of the
// states that are passed are kept meanwhile. It must be called during OnComponent.
func (c *Component) Cycle(fair bool) []Taken {
	k := newWalker(c)
	var steps []Taken
	if fair {
		steps = k.satisfy(c.Unfair())
	}
	if len(steps) == 0 || k.at != c.root() {
		steps = append(steps, k.goTo(func(e *edge) bool { return e.to == c.root() })...)
	}
	return steps
}

// Each calls visit in each state of the component, nearest to the root first, with a
// cursor that has just loaded it, until visit returns false. visit may move the cursor.
// It must be called during OnComponent.
func (c *Component) Each(visit func(at Cursor, state []uint64) bool) {
	k := newWalker(c)
	k.begin()
	for i := 0; i < len(k.places); i++ {
		if !visit(k.load(i), k.state(i)) {
			return
		}
		k.expand(i, func(*edge) bool { return false })
	}
}

// walker walks inside a component.
type walker struct {
	c       *Component
	cursor  Cursor
	choices Choices
	here    []uint64 // the state where the walk stands
	at      uint32   // its number

	// The breadth-first search for the next leg.
	places []place
	words  []uint64 // the contents of the places
	seen   map[uint32]bool
	moves  []Move
}

// place is a state that the search for a leg has reached.
type place struct {
	edge
	words, end int
}

// edge is a transition inside the component.
type edge struct {
	from    int // the place where it begins
	taken   Taken
	to      uint32 // the number of the state it leads to
	enabled Agents // in that state
}

func newWalker(c *Component) *walker {
	t := c.tarjan
	if t.cursor == nil {
		t.cursor = t.search.sys.NewCursor()
	}
	return &walker{c: c, cursor: t.cursor, here: c.Root, at: c.root()}
}

// satisfy walks until all agents but those of hopeless have moved or have not been
// enabled in a state on the way.
func (k *walker) satisfy(hopeless Agents) []Taken {
	k.begin()
	k.load(0)
	open := k.enabled().Minus(hopeless)
	var steps []Taken
	for !open.Empty() {
		steps = append(steps, k.goTo(func(e *edge) bool {
			return open.Has(e.taken.Move.Agent()) || !open.Minus(e.enabled).Empty()
		})...)
		for i := len(k.places) - 1; i > 0; i = k.places[i].from {
			e := &k.places[i].edge
			open = open.Minus(agent(e.taken.Move.Agent()))
			open = open.Minus(open.Minus(e.enabled))
		}
	}
	return steps
}

func agent(a int) Agents {
	var s Agents
	s.Add(a)
	return s
}

// goTo walks along a shortest nonempty way whose last edge satisfies goal, and returns
// it. Afterwards the way is what leads to the last place.
func (k *walker) goTo(goal func(*edge) bool) []Taken {
	k.begin()
	for i := 0; i < len(k.places); i++ {
		if k.expand(i, goal) {
			return k.arrive()
		}
	}
	panic("explore: a walk inside a component does not reach its goal")
}

// arrive makes the last place the one where the walk stands.
func (k *walker) arrive() []Taken {
	last := len(k.places) - 1
	k.here = append([]uint64(nil), k.state(last)...)
	k.at = k.places[last].to
	var back []Taken
	for i := last; i > 0; i = k.places[i].from {
		back = append(back, k.places[i].taken)
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}

// begin starts a search from where the walk stands.
func (k *walker) begin() {
	k.words = append(k.words[:0], k.here...)
	k.places = append(k.places[:0], place{edge: edge{to: k.at}, end: len(k.words)})
	k.seen = map[uint32]bool{k.at: true}
}

func (k *walker) state(i int) []uint64 { return k.words[k.places[i].words:k.places[i].end] }

func (k *walker) load(i int) Cursor {
	k.cursor.Load(k.state(i))
	return k.cursor
}

func (k *walker) enabled() Agents {
	var s Agents
	k.moves = k.cursor.Moves(k.moves[:0])
	for _, m := range k.moves {
		s.Add(m.Agent())
	}
	return s
}

// expand follows the edges of place i. It stops, with the edge's target as the last
// place, at an edge that satisfies goal.
func (k *walker) expand(i int, goal func(*edge) bool) (reached bool) {
	k.load(i)
	for _, m := range k.cursor.Moves(nil) {
		for more := true; more; more = k.choices.Next() {
			k.load(i)
			k.cursor.Step(m, &k.choices)
			if k.arriveAt(i, m, goal) {
				k.choices = Choices{}
				return true
			}
		}
	}
	return false
}

// arriveAt handles the cursor's state, reached from place i by move m.
func (k *walker) arriveAt(i int, m Move, goal func(*edge) bool) (reached bool) {
	words := len(k.words)
	k.words = k.cursor.Save(k.words)
	e := edge{from: i, taken: Taken{m, k.choices.Taken()}}
	var inside bool
	if e.to, inside = k.c.has(k.words[words:]); !inside {
		k.words = k.words[:words]
		return false
	}
	k.cursor.Load(k.words[words:])
	e.enabled = k.enabled()
	reached = goal(&e)
	if !reached && k.seen[e.to] {
		k.words = k.words[:words]
		return false
	}
	k.seen[e.to] = true
	k.places = append(k.places, place{e, words, len(k.words)})
	return reached
}

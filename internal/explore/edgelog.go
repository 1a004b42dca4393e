package explore

import (
	"context"

	"pangolin/internal/store"
)

// runLogged searches with several workers and looks for cycles.
//
// A depth-first search by several workers has no order from which components could be
// told on the fly. So the workers log every edge as a pair of state numbers, and
// afterwards it is checked whether the logged graph, which is the state graph without its
// pruned states' edges, has a topological order. If it has, no component has a cycle and
// there is nothing to report: the usual case, as operations are used up. Otherwise the
// search is done again by one worker, which reports the components exactly. Visit is not
// called again: what it pruned the first time is remembered.
//
// If the first search ended early, components are not looked for: those of a part of the
// graph are not those of the graph.
func runLogged(ctx context.Context, sys System, opt Options) Result {
	s := newSearch(sys, &opt)
	logs := make([]*edgeLog, len(s.workers))
	for i, w := range s.workers {
		logs[i] = &edgeLog{}
		w.graph = logs[i]
	}
	pruned := store.New(store.Config{Kind: opt.Store, Shared: true})
	if opt.Visit != nil {
		s.visit = func(c Cursor, t Trail, depth int) Action {
			action := opt.Visit(c, t, depth)
			if action == Prune {
				pruned.Add(t.State())
			}
			return action
		}
	}
	s.observe()
	s.run(ctx)
	r := s.result()
	if !r.Complete {
		return r
	}
	g := newStateGraph(logs, s.states.Bound())
	r.PeakBytes = max(r.PeakBytes, s.states.Bytes()+g.bytes)
	if g.acyclic() {
		return r
	}
	again := rerun(ctx, sys, opt, pruned)
	again.PeakBytes = max(again.PeakBytes, r.PeakBytes)
	return again
}

// rerun searches again with one worker.
func rerun(ctx context.Context, sys System, opt Options, pruned *store.Set) Result {
	opt.Workers = 1
	again := newSearch(sys, &opt)
	again.visit = func(_ Cursor, t Trail, _ int) Action {
		if _, found := pruned.Find(t.State()); found {
			return Prune
		}
		return Continue
	}
	again.workers[0].graph = newTarjan(again)
	again.run(ctx)
	r := again.result()
	r.Repeated = true
	return r
}

// source marks a word of an edgeLog as the source of the edges after it.
const source = 1 << 31

// edgeLog is the graph of a worker that searches together with others: a list of targets,
// with a word for the source wherever it changes.
type edgeLog struct {
	pages [][]uint32
	from  uint32
	begun bool
}

const logPage = 1 << 14 // words

func (l *edgeLog) opened(*worker)      {}
func (l *edgeLog) closed(*worker) bool { return true }

func (l *edgeLog) found(w *worker, to uint32, _ bool) { l.seen(w, to) }

func (l *edgeLog) seen(w *worker, to uint32) {
	if w.frames[len(w.frames)-1].root {
		return
	}
	from := w.frames[len(w.frames)-1].index
	if from != l.from || !l.begun {
		l.from, l.begun = from, true
		l.add(from | source)
	}
	l.add(to)
}

func (l *edgeLog) add(word uint32) {
	last := len(l.pages) - 1
	if last < 0 || len(l.pages[last]) == logPage {
		l.pages = append(l.pages, make([]uint32, 0, logPage))
		last++
	}
	l.pages[last] = append(l.pages[last], word)
}

func (l *edgeLog) bytes() int64 { return 4 * logPage * int64(len(l.pages)) }

// each calls visit for each edge of the log.
func (l *edgeLog) each(visit func(from, to uint32)) {
	from := uint32(0)
	for _, page := range l.pages {
		for _, word := range page {
			if word&source != 0 {
				from = word &^ source
			} else {
				visit(from, word)
			}
		}
	}
}

// stateGraph is the logged graph as adjacency lists.
type stateGraph struct {
	first   []uint64 // where the targets of each state begin in targets
	targets []uint32
	degree  []uint32 // edges into each state
	bytes   int64    // of the graph and the logs it was made from
}

func newStateGraph(logs []*edgeLog, states uint32) *stateGraph {
	g := &stateGraph{first: make([]uint64, states+2), degree: make([]uint32, states)}
	for _, l := range logs {
		g.bytes += l.bytes()
		l.each(func(from, to uint32) {
			g.first[from+2]++
			g.degree[to]++
		})
	}
	for i := range g.first[1:] {
		g.first[i+1] += g.first[i]
	}
	g.targets = make([]uint32, g.first[states+1])
	for _, l := range logs {
		l.each(func(from, to uint32) {
			g.targets[g.first[from+1]] = to
			g.first[from+1]++
		})
	}
	g.bytes += 8*int64(len(g.first)) + 4*int64(len(g.targets)+2*len(g.degree))
	return g
}

// acyclic reports whether the states can be put in an order that all edges follow, by
// taking away states without edges into them (A. Kahn, Topological sorting of large
// networks, CACM 5(11), 1962). It uses the graph up.
func (g *stateGraph) acyclic() bool {
	free := make([]uint32, 0, len(g.degree))
	for n, d := range g.degree {
		if d == 0 {
			free = append(free, uint32(n))
		}
	}
	for i := 0; i < len(free); i++ {
		n := free[i]
		for _, to := range g.targets[g.first[n]:g.first[n+1]] {
			if g.degree[to]--; g.degree[to] == 0 {
				free = append(free, to)
			}
		}
	}
	return len(free) == len(g.degree)
}

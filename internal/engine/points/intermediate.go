// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"context"
	"fmt"
	"slices"

	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/engine"
	"pangolin/oracle"
	"pangolin/verdict"
)

// The intermediate system consists of invocations, effects and returns of the threads of the scope's most general client, in any order,
// without code. A thread may take effect whenever the specification permits it, as often as it likes while that changes nothing, and
// returns what one of these steps gave. Its states are those of the monitor that follows the code's announcements. It is linearizable
// if a monitor that sees only calls and returns rejects nothing.

// junction is a state of the intermediate system together with that of the monitor of linearizability.
type junction struct {
	policy, history consist.ID
	all             uint64 // the plan's count of all calls
	own             [consist.MaxThreads]uint64
}

// mostJunctions is the limit on the number of states.
const mostJunctions = 2_000_000

// intermediates explores the intermediate system of a job.
type intermediates struct {
	threads int
	space   *client.Space
	plan    client.Plan
	auto    *oracle.Automaton
	policy  *consist.PolicyMonitor
	history consist.Monitor
	seen    map[junction]bool
	rest    []junction
	perms   []consist.Perm
	calls   []int
}

// intermediate decides whether the intermediate system is linearizable in the scope of a job. excused: outcomes with a key may take effect
// at every moment.
func intermediate(ctx context.Context, j *engine.Job, excused bool) (*verdict.Intermediate, error) {
	m, err := newIntermediates(j, excused)
	if err != nil {
		return nil, err
	}
	for variant := range m.plan.Variants() {
		if err := m.begin(variant); err != nil {
			return nil, err
		}
	}
	for len(m.rest) > 0 {
		at := m.rest[len(m.rest)-1]
		m.rest = m.rest[:len(m.rest)-1]
		if !m.follow(at) {
			return &verdict.Intermediate{Status: verdict.Violated, States: uint64(len(m.seen))}, nil
		}
		if len(m.seen) > mostJunctions || ctx.Err() != nil {
			return &verdict.Intermediate{Status: verdict.Unknown, States: uint64(len(m.seen))}, nil
		}
	}
	if err := m.policy.Err(); err != nil {
		return nil, err
	}
	return &verdict.Intermediate{Status: verdict.Verified, States: uint64(len(m.seen))}, nil
}

func newIntermediates(j *engine.Job, excused bool) (*intermediates, error) {
	scope := j.Scope.Clients
	space, err := client.NewSpace(scope, j.Subject.ClientOps())
	if err != nil {
		return nil, err
	}
	no := func() bool { return false }
	m := &intermediates{threads: scope.Threads.To, space: space, plan: client.NewGeneral(space, no, no), auto: oracle.NewAutomaton(j.Subject.Spec), seen: map[junction]bool{}}
	s := *j.Subject
	s.Unexcused = !excused
	if m.policy, err = consist.NewPolicyMonitor(m.auto, s.Keyed(), m.threads); err != nil {
		return nil, err
	}
	if m.history, err = consist.NewMonitor(m.auto, verdict.Linear, m.threads); err != nil {
		return nil, err
	}
	m.perms = []consist.Perm{consist.NewPerm(nil)}
	if !slices.ContainsFunc(space.Ops, func(o client.Op) bool { return slices.Contains(o.Params, oracle.ParamThread) }) {
		m.perms = permutations(m.threads)
	}
	return m, nil
}

// begin adds an initial state.
func (m *intermediates) begin(variant int) error {
	pre, all, own := m.plan.Start(variant)
	state := m.auto.StateID(m.auto.Spec().Initial())
	for _, s := range pre {
		edges := m.auto.Edges(state, m.auto.CallID(oracle.Call{Op: s.Op, Args: s.Args}))
		if len(edges) == 0 {
			return fmt.Errorf("the specification does not allow the pre-add of operation %d", s.Op)
		}
		state = edges[0].Next
	}
	start := m.auto.State(state)
	at := junction{policy: m.policy.InitialAt(start), history: m.history.InitialAt(start), all: all}
	copy(at.own[:], own)
	m.add(at)
	return nil
}

// add adds a state, one for all orders of the threads.
func (m *intermediates) add(at junction) {
	least := at
	for _, p := range m.perms[1:] {
		to := junction{policy: m.policy.Rename(at.policy, p), history: m.history.Rename(at.history, p), all: at.all}
		for t := range m.threads {
			to.own[p.To(t)] = at.own[t]
		}
		if to.before(&least) {
			least = to
		}
	}
	if !m.seen[least] {
		m.seen[least] = true
		m.rest = append(m.rest, least)
	}
}

func (a *junction) before(b *junction) bool {
	if a.policy != b.policy {
		return a.policy < b.policy
	}
	if a.history != b.history {
		return a.history < b.history
	}
	return slices.Compare(a.own[:], b.own[:]) < 0
}

// follow adds the successors of a state, and reports whether the history is still linearizable in all of them.
func (m *intermediates) follow(at junction) bool {
	busy := m.history.Busy(at.history)
	for t := range m.threads {
		if !busy.Has(t) {
			m.calls = m.plan.Calls(m.calls[:0], at.all, at.own[t])
			position := client.Position{All: at.all, Own: at.own[:m.threads], Busy: client.ThreadSet(busy)}
			for _, k := range m.calls {
				to := at
				var step client.Step
				step, to.all, to.own[t] = m.plan.Make(k, at.all, at.own[t])
				if m.space.Ops[step.Op].Who.Last && !position.Ends(m.plan, t, k) {
					continue
				}
				call := m.auto.CallID(oracle.Call{Op: step.Op, Args: step.Args})
				to.policy, to.history = m.policy.Invoke(at.policy, t, call), m.history.Invoke(at.history, t, call)
				m.add(to)
			}
			continue
		}
		to := at
		if to.policy = m.policy.Announce(at.policy, consist.Announcement{Thread: t, Own: true, Result: consist.Given}); to.policy != consist.Rejected {
			m.add(to)
		}
		for _, r := range m.policy.MayReturn(at.policy, t) {
			to, ok := at, false
			to.policy, _ = m.policy.Respond(at.policy, t, r)
			if to.history, ok = m.history.Respond(at.history, t, r); !ok {
				return false
			}
			m.add(to)
		}
	}
	return true
}

// permutations lists the permutations of at most 4 threads; for more threads only the identity.
func permutations(threads int) []consist.Perm {
	orders := [][]int{{}}
	for t := range threads {
		if threads > 4 {
			return []consist.Perm{consist.NewPerm(nil)}
		}
		var longer [][]int
		for _, o := range orders {
			for at := t; at >= 0; at-- {
				longer = append(longer, slices.Insert(slices.Clone(o), at, t))
			}
		}
		orders = longer
	}
	var out []consist.Perm
	for _, o := range orders {
		out = append(out, consist.NewPerm(o))
	}
	return out
}

// anywhere lists the outcomes that are not announced: those of operations with a key that change nothing.
func anywhere(j *engine.Job) (list []verdict.OutcomeOf) {
	auto := oracle.NewAutomaton(j.Subject.Spec)
	space, err := client.NewSpace(j.Scope.Clients, j.Subject.ClientOps())
	if err != nil {
		return nil
	}
	keyed := j.Subject.Keyed()
	states := []oracle.StateID{auto.StateID(auto.Spec().Initial())}
	for i := 0; i < len(states) && i < 1<<space.Scope.Values; i++ {
		for _, s := range space.Steps(0) {
			for _, e := range auto.Edges(states[i], auto.CallID(oracle.Call{Op: s.Op, Args: s.Args})) {
				switch {
				case e.Next == states[i] && keyed[s.Op]:
					list = append(list, verdict.OutcomeOf{Operation: j.Subject.Operations[s.Op].Name, Outcome: text(auto.Result(e.Result))})
				case !slices.Contains(states, e.Next):
					states = append(states, e.Next)
				}
			}
		}
	}
	return sorted(list)
}

// SPDX-License-Identifier: BSD-3-Clause

package schedules

import (
	"context"
	"slices"

	"pangolin/internal/client"
	"pangolin/internal/native"
)

// follow executes a schedule again, exactly. It returns the execution with its steps if it is the same and shows a violation of the class;
// nil if it is another.
func (s *search) follow(ctx context.Context, c client.Client, d *native.Drawn, class string) (*finding, error) {
	f, err := s.attempt(ctx, c, native.Sampling{Follow: d.Decisions, Sites: d.Sites}, class)
	if f == nil || err != nil || !same(&f.drawn, d) {
		return nil, err
	}
	return f, nil
}

// same says that two executions show the same: results, the order in which calls begin and end, races, and the end.
func same(a, b *native.Drawn) bool {
	results := func(x, y [][]string) bool { return slices.EqualFunc(x, y, slices.Equal[[]string]) }
	return slices.EqualFunc(a.Results, b.Results, results) && slices.Equal(a.Events, b.Events) && a.Ending == b.Ending && a.Text == b.Text && a.Code == b.Code && a.Out == b.Out && a.Err == b.Err &&
		slices.EqualFunc(a.Races, b.Races, func(x, y native.Outcome) bool { return slices.Equal(x.Accesses, y.Accesses) })
}

// attempt executes a client as a question says, and returns an execution that shows a violation of the class; nil if none does.
func (s *search) attempt(ctx context.Context, c client.Client, q native.Sampling, class string) (*finding, error) {
	q.Client, q.Steps, q.Races, q.Trace = clientOf(c), mostSteps, !s.job.NoRaces, true
	a, err := s.sampler.Draw(ctx, q)
	if err != nil || a.Fault != "" || a.Failed != "" {
		return nil, err
	}
	for _, d := range a.Drawn {
		if d.Unmade && !s.test {
			continue
		}
		f, err := s.judge(ctx, c, &d)
		if err != nil {
			return nil, err
		}
		if f != nil && f.class == class {
			return &finding{c, q.Seed, d, *f}, nil
		}
	}
	return nil, nil
}

// redrawn is how many schedules are drawn of a client with a call less.
const redrawn = 900

// mostShrinking is how many shorter schedules are tried.
const mostShrinking = 400

// shrink drops calls, then preemptions and other switches, while the execution shows a violation of the same class.
func (s *search) shrink(ctx context.Context, f *finding) (*finding, error) {
	for again := true; again; {
		again = false
		for _, c := range shorter(f.client) {
			found, err := s.without(ctx, c, f)
			if err != nil || ctx.Err() != nil {
				return f, nil
			}
			if found != nil {
				f, again = found, true
				break
			}
		}
	}
	for tried := 0; tried < mostShrinking; {
		better, n, err := s.fewerSwitches(ctx, f)
		if err != nil || better == nil {
			return f, nil
		}
		f, tried = better, tried+n
	}
	return f, nil
}

// without looks for a violation of a smaller client: with the same schedule as far as it goes, then with others.
func (s *search) without(ctx context.Context, c client.Client, f *finding) (*finding, error) {
	found, err := s.attempt(ctx, c, native.Sampling{Follow: f.drawn.Decisions, Loose: true, Sites: f.drawn.Sites}, f.class)
	if found != nil || err != nil {
		if found != nil {
			found.seed, found.drawn.Number, found.drawn.Way = f.seed, f.drawn.Number, f.drawn.Way
		}
		return found, err
	}
	return s.attempt(ctx, c, native.Sampling{Ways: s.ways, Seed: f.seed, Count: redrawn, Sites: s.sites}, f.class)
}

// shorter lists the clients with a call less.
func shorter(c client.Client) (list []client.Client) {
	for i := range c.Pre {
		list = append(list, client.Client{Pre: slices.Delete(slices.Clone(c.Pre), i, i+1), Threads: c.Threads})
	}
	for t, calls := range c.Threads {
		for i := range calls {
			threads := slices.Clone(c.Threads)
			threads[t] = slices.Delete(slices.Clone(calls), i, i+1)
			if len(threads[t]) == 0 {
				threads = slices.Delete(threads, t, t+1)
			}
			if len(threads) > 0 {
				list = append(list, client.Client{Pre: c.Pre, Threads: threads})
			}
		}
	}
	return list
}

// fewerSwitches looks for a schedule in which a goroutine goes on at once where it went on later.
func (s *search) fewerSwitches(ctx context.Context, f *finding) (better *finding, tried int, err error) {
	runs := f.drawn.Decisions
	for i := range runs {
		later := slices.IndexFunc(runs[i+1:], func(r [2]int) bool { return r[0] == runs[i][0] })
		if runs[i][0] < 0 || later < 0 {
			continue
		}
		later += i + 1
		moved := slices.Clone(runs)
		moved[i][1] += moved[later][1]
		moved = slices.Delete(moved, later, later+1)
		tried++
		found, err := s.attempt(ctx, f.client, native.Sampling{Follow: moved, Loose: true, Sites: f.drawn.Sites}, f.class)
		if err != nil {
			return nil, tried, err
		}
		if found != nil && less(found, f) {
			found.seed, found.drawn.Number, found.drawn.Way = f.seed, f.drawn.Number, f.drawn.Way
			return found, tried, nil
		}
	}
	return nil, tried, nil
}

// less says that an execution has fewer preemptions, or as many and fewer switches, or as many and fewer turns.
func less(a, b *finding) bool {
	if a.drawn.Preemptions != b.drawn.Preemptions {
		return a.drawn.Preemptions < b.drawn.Preemptions
	}
	if n, m := len(a.drawn.Decisions), len(b.drawn.Decisions); n != m {
		return n < m
	}
	return len(a.drawn.Steps) < len(b.drawn.Steps)
}

// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"slices"
	"strings"

	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// target is a collection that was found, with the task of judging it. It is not changed; what is found out on the way to its verdicts is
// in the task's inquiry.
type target struct {
	*find.Target
	request  *Request // with the type's directives applied
	task     *task.Task
	position int // among all that the request names, those of other shards included
}

// query converts the request for package find.
func (r *Request) query() *find.Query {
	return &find.Query{Dir: r.Dir, Packages: r.Packages, Type: r.Type, Tests: r.Tests, New: r.New+r.Prefix != "", NoContracts: r.Scope.NoContracts, Note: r.Events.note,
		Overrides: func(directives []string) (find.Wishes, error) {
			d, err := r.directed(directives)
			if err != nil {
				return find.Wishes{}, err
			}
			return d.wishes()
		}}
}

// named are the packages as package task names them.
func (r *Request) named() *task.Named {
	return &task.Named{Dir: r.Dir, Packages: r.Packages, Tests: r.Tests}
}

// wishes converts what the request asks of a type.
func (r *Request) wishes() (find.Wishes, error) {
	protocol, err := find.ParseProtocol(r.Protocol)
	if err != nil {
		return find.Wishes{}, err
	}
	b, err := r.bounds()
	if err != nil {
		return find.Wishes{}, err
	}
	threads, err := b.MostThreads()
	given, failed := parseGiven(r.Give)
	if failed != nil {
		return find.Wishes{}, failed
	}
	invariants, failed := find.ParseInvariants(r.Invariants)
	if failed != nil {
		return find.Wishes{}, failed
	}
	by := r.Oracle.read()
	if (r.Prefix != "" || given != nil) && by.IsAuto() {
		by = Oracle("self").read() // other oracles start with an empty collection, and do not know what functions do
	}
	return find.Wishes{Threads: threads, New: r.New, Prefix: r.Prefix, Ops: slices.Clone(r.Ops), Kind: find.Kind(r.Kind),
		Protocol: protocol, Oracle: by, Given: given, Invariants: invariants, Anonymous: r.Engine != "" && r.Engine != "bounded",
		Clock: r.clock()}, err
}

// clock is what lets the clock go on.
func (r *Request) clock() find.Clock {
	if subject.Time(r.Search.Time) == subject.VirtualTime {
		return find.VirtualClock
	}
	return ""
}

// find finds the collections of the request, and fits the scope to each; missed contains those that have errors. The error is a
// *find.NoTarget if no collection is left.
func (r *Request) find(ctx context.Context) (list []*target, missed []find.Missed, err error) {
	return r.findBy(ctx, func(ctx context.Context, q *find.Query) ([]*find.Target, []find.Missed, error) { return q.Find(ctx) })
}

// findBy is find by a function that is given the request's query.
func (r *Request) findBy(ctx context.Context, by func(context.Context, *find.Query) ([]*find.Target, []find.Missed, error)) (list []*target, missed []find.Missed, err error) {
	found, missed, err := by(ctx, r.query())
	if err != nil {
		return nil, nil, err
	}
	for _, f := range found {
		t, failed := r.target(ctx, f)
		if failed != nil {
			missed = append(missed, find.Missed{Name: f.Name(), Package: f.Listed.Path, Err: f.Wrong(failed, func(f *find.Target) error {
				_, err := r.target(ctx, f)
				return err
			})})
			continue
		}
		list = append(list, t)
	}
	if len(list) == 0 {
		return nil, nil, &find.NoTarget{List: missed}
	}
	return list, missed, nil
}

// target makes the target of a collection, with its directives applied.
func (r *Request) target(ctx context.Context, found *find.Target) (*target, error) {
	d, err := r.directed(found.Directives)
	if err != nil {
		return nil, err
	}
	if d.namesMore(found) {
		if found, err = found.Whole(ctx); err != nil {
			return nil, err
		}
	}
	terms, asked, err := d.asks()
	if err != nil {
		return nil, err
	}
	one, err := task.New(found, terms, asked, func(why string) { r.Events.note("%s: %s", found.Name(), why) })
	return &target{found, d, one, 0}, err
}

// under is the target under another request; how the type is understood stays.
func (t *target) under(r *Request) (*target, error) {
	d, err := r.directed(t.Directives)
	if err != nil {
		return nil, err
	}
	terms, asked, err := d.asks()
	if err != nil {
		return nil, err
	}
	one, err := t.task.Under(terms, asked)
	return &target{t.Target, d, one, t.position}, err
}

// meant is the target as its type is verified, though it is violated as it is read first; nil: it is not verified at all.
func (t *target) meant(ctx context.Context) (*target, error) {
	found, roles, because, err := t.task.Inquiry().Meant(ctx, t.task.Properties[0], t.engines())
	if err != nil || found == nil {
		return nil, err
	}
	if why := slices.Concat(because, found.Found.Assumptions); len(why) > 0 {
		t.request.Events.note("%s is verified, and judged here, where %s", t.Name(), strings.Join(why, "; "))
	}
	terms := *t.task.Terms
	terms.Bounds.Roles = roles
	one, err := task.New(found, &terms, t.task.Asked, func(why string) { t.request.Events.note("%s: %s", found.Name(), why) })
	return &target{found, t.request, one, t.position}, err
}

// job is the engine's job for the collection, in the first of its scopes.
func (t *target) job(ctx context.Context) (*engine.Job, error) {
	q, err := t.task.Inquiry().Alone(ctx, t.engines())
	if err != nil {
		return nil, err
	}
	return q.Job(ctx)
}

// promises are what operations promise instead of linearizability; asks reports errors in them.
func (r *Request) promises() []verdict.Promise {
	list, _ := parseOverlaps(r.Overlaps)
	if asked, err := r.Property.read(); err == nil {
		for _, p := range asked.Properties {
			list = append(list, p.Promises()...)
		}
	}
	return list
}

// namesMore reports whether the roles or the property name an operation that the kind's oracle does not know: then all operations are judged by the same
// code.
func (r *Request) namesMore(found *find.Target) bool {
	promises := r.promises()
	named := slices.ContainsFunc(found.Found.More, func(name string) bool {
		return slices.ContainsFunc(strings.Split(r.Roles, ","), func(role string) bool { return strings.HasPrefix(strings.TrimSpace(role), name+":") }) ||
			slices.ContainsFunc(promises, func(p verdict.Promise) bool { return p.Operation == name })
	})
	by := r.Oracle.read()
	return named && len(r.Ops) == 0 && (by.IsAuto() || by.IsSelf())
}

// asks converts what the request asks beside the type.
func (r *Request) asks() (*task.Terms, task.Asked, error) {
	asked, err := r.Property.read()
	if err != nil {
		return nil, asked, err
	}
	promises, err := parseOverlaps(r.Overlaps)
	if err != nil {
		return nil, asked, err
	}
	asked = asked.Overlapping(promises)
	if _, err := r.engine(false); err != nil {
		return nil, asked, err
	}
	b, err := r.bounds()
	if err != nil {
		return nil, asked, err
	}
	search, err := r.search()
	prove := r.Scope.Prove
	if r.Search.Swarm > 0 {
		prove = "off"
	}
	t := &task.Terms{Dir: r.Dir, Engine: r.Engine, Bounds: *b, Search: search, Small: !r.Search.AsFound, Strict: r.Scope.NoContracts, Prove: prove,
		Property: r.Property != "", Strongest: asked.Strongest, Protocol: r.Protocol != "", Scope: r.Scope.asked(), Expected: r.expected()}
	return t, asked, err
}

// engines answers the target's questions.
func (t *target) engines() task.Engines { return task.Engines{Events: t.request.events} }

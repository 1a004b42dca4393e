package native

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// newSite opens a place to build subjects that are in packages of the module that is
// current in a directory; "" is the workshop itself.
func newSite(ctx context.Context, dir string, opt Options) (*site, error) {
	w, err := newWorkshop(opt)
	if err != nil {
		return nil, err
	}
	s := &site{workshop: w, root: w.dir, module: module, overlay: map[string]string{}}
	if dir == "" {
		return s, nil
	}
	s.root = dir
	out, err := w.goIn(ctx, dir, "list", "-m", "-f", "{{.Path}}\t{{.Dir}}")
	if err != nil {
		return nil, err
	}
	s.module, s.root, err = moduleOf(string(out), dir)
	return s, err
}

// moduleOf is the path and the directory of the module that a directory belongs to, of those that
// the go command lists: in a workspace there are several.
func moduleOf(listed, dir string) (path, root string, err error) {
	here, err := filepath.Abs(dir)
	if err != nil {
		return "", "", err
	}
	if real, err := filepath.EvalSymlinks(here); err == nil {
		here = real
	}
	lines := strings.Split(strings.TrimSpace(listed), "\n")
	for _, line := range lines {
		p, d, _ := strings.Cut(line, "\t")
		inside := here == d || strings.HasPrefix(here, d+string(filepath.Separator))
		if (inside || len(lines) == 1) && len(d) > len(root) {
			path, root = p, d
		}
	}
	if root == "" {
		return "", "", fmt.Errorf("no module of the workspace holds the directory %s", here)
	}
	return path, root, nil
}

// prepare lists the packages and builds a runner for the subjects; numbers are those of
// the subjects in it, faults say why one is not.
func (s *site) prepare(ctx context.Context, subjects []*Subject) (numbers []int, faults []error, err error) {
	var paths []string
	for i, sub := range subjects {
		if sub.Files != nil {
			sub.Package = fmt.Sprintf("%s/zs/s%05d", module, i)
			below := map[string]string{}
			for name, text := range sub.Files {
				below[fmt.Sprintf("zs/s%05d/%s", i, name)] = text
			}
			if err := s.write(below); err != nil {
				return nil, nil, err
			}
		}
		paths = append(paths, sub.Package)
	}
	slices.Sort(paths)
	// What the harnesses and the runner import must be listed as well.
	if err := s.list(ctx, append(slices.Compact(paths), "fmt")); err != nil {
		return nil, nil, err
	}
	numbers, faults = make([]int, len(subjects)), make([]error, len(subjects))
	for i, sub := range subjects {
		numbers[i], faults[i] = s.add(sub)
	}
	return numbers, faults, s.compile(ctx)
}

func (s *site) compile(ctx context.Context) error {
	sources, err := runnerSources(s.runnerPath())
	if err != nil {
		return err
	}
	sources["table.go"] = "package main\n\nimport (\n\t" + strings.Join(s.imports, "\n\t") + "\n)\n\nvar programs []program\n\nvar subjects = []subject{\n" + s.table.String() + "}\n" + s.more
	files := map[string]string{}
	for name, text := range sources {
		files["runner_src/"+name+".txt"] = text
		s.overlay[filepath.Join(s.root, filepath.FromSlash(s.below), runnerDir, name)] = filepath.Join(s.dir, "runner_src", name+".txt")
	}
	if err := s.write(files); err != nil {
		return err
	}
	if p := s.known[markPath]; p != nil && p.Dir != "" && s.root != s.dir {
		for _, name := range p.GoFiles {
			s.overlay[filepath.Join(p.Dir, name)] = ""
		}
		s.overlay[filepath.Join(p.Dir, "mark.go")] = filepath.Join(s.dir, "mark", "mark.go")
	}
	s.repeated = append(s.userPackages(), s.apart...)
	return s.build(ctx, s.root, s.runnerPath(), s.overlay, append(slices.Clone(s.repeated), libraryWithTurns...))
}

// userPackages are all packages that are not the library's.
func (s *site) userPackages() []string {
	var list []string
	for _, path := range slices.Sorted(maps.Keys(s.known)) {
		if !s.known[path].Standard && path != markPath {
			list = append(list, path)
		}
	}
	return list
}

// trialItem is an item of the runner's job.
type trialItem struct {
	Subject int
	Client  Client
	Alone   bool
}

type trialAnswer struct {
	Histories []history
	Races     []Outcome
	TooBig    string
	Fault     string
	Schedules int
}

// asked says for whom an item is: a client of a trial, or the calls of that client one
// after another.
type asked struct{ trial, client int }

func judge(ctx context.Context, trials []Trial, opt Options) ([][]Judgement, error) {
	out := make([][]Judgement, len(trials))
	groups := map[string][]int{}
	for i := range trials {
		t := &trials[i]
		out[i] = make([]Judgement, len(t.Clients))
		if t.Subject.Oracle != "self" && specifications[t.Subject.Oracle] == nil {
			return nil, fmt.Errorf("%s: there is no oracle %q", t.Subject.Name, t.Subject.Oracle)
		}
		for _, op := range t.Subject.Ops {
			if t.Subject.Oracle != "self" && !slices.Contains(Specifications()[t.Subject.Oracle], strings.TrimSuffix(op.Role, "!")) {
				return nil, fmt.Errorf("%s: the oracle %q has no role %q for %s", t.Subject.Name, t.Subject.Oracle, op.Role, op.Name)
			}
		}
		if t.Subject.Files == nil && t.Subject.Package == "" {
			return nil, fmt.Errorf("%s: neither source text nor a package", t.Subject.Name)
		}
		groups[t.Subject.Dir] = append(groups[t.Subject.Dir], i)
	}
	for _, dir := range slices.Sorted(maps.Keys(groups)) {
		if err := judgeGroup(ctx, dir, trials, groups[dir], opt, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// siteFor is a site with subjects that are prepared; faults has what keeps one from it.
func siteFor(ctx context.Context, dir string, subjects []*Subject, opt Options) (s *site, numbers []int, faults []error, err error) {
	if s, err = newSite(ctx, dir, opt); err != nil {
		return nil, nil, nil, err
	}
	if numbers, faults, err = s.prepare(ctx, subjects); err != nil {
		s.close()
		return nil, nil, nil, err
	}
	return s, numbers, faults, nil
}

func judgeGroup(ctx context.Context, dir string, trials []Trial, members []int, opt Options, out [][]Judgement) error {
	var subjects []*Subject
	for _, m := range members {
		sub := trials[m].Subject
		subjects = append(subjects, &sub)
	}
	s, numbers, faults, err := siteFor(ctx, dir, subjects, opt)
	if err != nil {
		return err
	}
	defer s.close()
	var items []trialItem
	var whose []asked
	for k, m := range members {
		for c, client := range trials[m].Clients {
			if faults[k] != nil {
				out[m][c].Fault = faults[k].Error()
				continue
			}
			items, whose = append(items, trialItem{numbers[k], client, false}), append(whose, asked{m, c})
			if trials[m].Subject.Oracle != "self" {
				continue
			}
			for _, order := range ordersOf(client, trials[m].Property) {
				items, whose = append(items, trialItem{numbers[k], order.client, true}), append(whose, asked{m, c})
			}
		}
	}
	answers := make([]trialAnswer, len(items))
	err = s.run(ctx, job{Limits: opt.limits(), Judge: map[string]any{"Items": items}}, len(items), func(i int, text json.RawMessage) error {
		return json.Unmarshal(text, &answers[i])
	})
	if err != nil {
		return err
	}
	for i := 0; i < len(items); {
		j := i + 1
		for j < len(items) && items[j].Alone {
			j++
		}
		w := whose[i]
		out[w.trial][w.client] = weigh(&trials[w.trial], trials[w.trial].Clients[w.client], answers[i:j])
		i = j
	}
	return nil
}

// weigh judges what a client has shown: the first answer, by the others if the oracle is
// the code itself.
func weigh(t *Trial, c Client, answers []trialAnswer) Judgement {
	j := Judgement{Schedules: answers[0].Schedules}
	var alone []history
	orders := ordersOf(c, t.Property)
	for i, a := range answers {
		if a.TooBig != "" {
			j.TooBig = a.TooBig
		}
		if a.Fault != "" {
			j.Fault = a.Fault
		}
		for _, h := range a.Histories {
			if i > 0 {
				alone = append(alone, orders[i-1].back(h))
			}
		}
	}
	// What is left out of the executions of one call after another may be what excuses a history.
	judged := t.Subject.Oracle != "self" || !slices.ContainsFunc(answers[1:], func(a trialAnswer) bool { return a.TooBig != "" })
	examples := map[Class][]Step{}
	note := func(class Class, steps []Step) {
		if _, ok := examples[class]; !ok && class != Fine {
			examples[class] = steps
		}
	}
	for i := range answers[0].Histories {
		h := &answers[0].Histories[i]
		class := Fine
		switch {
		case !judged:
		case t.Subject.Oracle == "self":
			class = judgeBySelf(t.Property, c, h, alone)
		default:
			class = judgeBySpecification(t, c, h)
		}
		note(class, h.Steps)
		text := h.text(c, t.Subject.Ops)
		if class != Fine {
			text = "!" + string(class) + " " + text
		}
		j.Histories = append(j.Histories, text)
	}
	if len(answers[0].Races) > 0 {
		note(Racing, nil)
	}
	slices.Sort(j.Histories)
	for _, class := range slices.Sorted(maps.Keys(examples)) {
		j.Classes = append(j.Classes, class)
		j.Examples = append(j.Examples, examples[class])
	}
	return j
}

// reordered is a client whose threads make their calls in another order.
type reordered struct {
	client Client
	index  [][]int // by thread and place, the call's place in the original
}

// ordersOf are the clients to be run one call after another. Only quiescent consistency
// lets the calls of a thread change places.
func ordersOf(c Client, p Property) []reordered {
	list := []reordered{{client: Client{Pre: c.Pre}}}
	for _, calls := range c.Threads {
		var longer []reordered
		for _, perm := range permutations(len(calls), p == Quiescent) {
			var moved []Call
			for _, i := range perm {
				moved = append(moved, calls[i])
			}
			for _, r := range list {
				longer = append(longer, reordered{
					client: Client{Pre: c.Pre, Threads: append(slices.Clone(r.client.Threads), moved)},
					index:  append(slices.Clone(r.index), perm),
				})
			}
		}
		list = longer
	}
	return list
}

// permutations of 0 to n-1, or only the identity.
func permutations(n int, all bool) [][]int {
	identity := make([]int, n)
	for i := range identity {
		identity[i] = i
	}
	if !all || n < 2 {
		return [][]int{identity}
	}
	var out [][]int
	for _, p := range permutations(n-1, true) {
		for at := range n {
			out = append(out, slices.Insert(slices.Clone(p), at, n-1))
		}
	}
	return out
}

// back numbers the calls of a history as the original client does. It is only used for
// histories in which one call follows another, so events keep their places.
func (r reordered) back(h history) history {
	for t, index := range r.index {
		if slices.IsSorted(index) || t+1 >= len(h.Results) {
			continue
		}
		h.moved = append(h.moved, movedCalls{t + 1, index})
	}
	return h
}

// SPDX-License-Identifier: BSD-3-Clause

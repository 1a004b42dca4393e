// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pangolin"
	"pangolin/verdict"
)

// The study of progress decides for each operation of our collections the strongest property of progress that it has, with two threads
// that make four calls together, or fewer if a limit is reached. Its lines are verdicts about wait-freedom, which contain the class of
// each operation.

// progressLine is the line of one collection.
type progressLine struct{ verdict.Verdict }

func (l *progressLine) Told() string {
	return fmt.Sprintf("%s: %.2f s%s", l.Collection, l.Seconds, hit(l.Cached))
}

func (l *progressLine) Judgement() verdict.Status { return verdict.Verified }

// ourCollections lists all collections of the repository.
func ourCollections(ctx context.Context, dir string) ([]verdict.Collection, error) {
	found, err := pangolin.Prepare(ctx, pangolin.Request{Dir: dir, Packages: []string{"pangolin/collections/..."}})
	if err != nil {
		return nil, err
	}
	return found.Collections(), nil
}

func progressRows(ctx context.Context, o *Options) (rows []Row, err error) {
	list, err := ourCollections(ctx, o.Dir)
	for _, c := range list {
		pkg, typ := packageAndType(c.Name)
		rows = append(rows, Row{Names: []string{c.Name, typ}, Package: c.Package, Ask: func(ctx context.Context) (Line, error) {
			v := &progressLine{}
			for calls := 4; calls >= 2 && len(v.Progress) != len(c.Operations); calls-- {
				r := o.request(pkg, typ)
				r.Property, r.Search.Workers = pangolin.Properties(verdict.WaitFree), 0
				r.Scope = pangolin.Scope{Threads: "2..2", Steps: pangolin.Range(strconv.Itoa(calls)), PreAdds: "0..0", Values: 2}
				list, err := pangolin.Verify(ctx, r)
				if err != nil {
					return nil, err
				}
				v.Verdict = list[0]
			}
			return v, nil
		}})
	}
	return rows, err
}

// progressPage writes a table with the operations of each class.
func progressPage(p *Page, lines []Line, _ float64) {
	classes := []verdict.Property{verdict.WaitFree, verdict.LockFree, verdict.ObstructionFree, verdict.Blocking}
	p.text("| collection | wait-free | lock-free | obstruction-free | blocking | calls | states |\n|---|---|---|---|---|---:|---:|\n")
	for _, r := range of[progressLine](lines) {
		cells := []any{r.Collection}
		for _, class := range classes {
			var list []string
			for _, o := range r.Progress {
				if o.Class == class {
					list = append(list, o.Operation)
				}
			}
			cells = append(cells, strings.Join(list, ", "))
		}
		calls, states := "", fmt.Sprint(r.States)
		if r.Scope.Bounds != nil {
			calls = fmt.Sprint(r.Scope.Steps[1])
		}
		if r.Status == verdict.Unknown {
			states = "?: " + r.Reason
		}
		p.row(slices.Concat(cells, []any{calls, states})...)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"context"
	"slices"

	"pangolin/internal/explore"
	"pangolin/oracle"
)

// All executions of a few real threads: what a walk does at random is done in every way. Lemmas are mined from the
// states that are reached, and tests look up each of them in the table.

// node is a state of several threads.
type node struct {
	words   []uint64
	content oracle.StateID
	ghosts  []ghost // by thread
}

// everything enumerates the states that moves lead to, breadth first, and stops after so many. It gives the number of
// states.
func (w *walker) everything(ctx context.Context, most int) (int, error) {
	seen := map[string]bool{}
	var work []node
	put := func() {
		for i, g := range w.ghosts {
			w.m.SetTag(i, uint64(g))
		}
		words := w.m.Save(nil)
		key := string(appendWords(nil, append(slices.Clone(words), uint64(w.content))))
		if !seen[key] {
			seen[key] = true
			work = append(work, node{words, w.content, slices.Clone(w.ghosts)})
		}
	}
	put()
	for ; len(work) > 0 && len(seen) < most; work = work[1:] {
		if err := ctx.Err(); err != nil {
			return len(seen), err
		}
		if err := w.successors(&work[0], put); err != nil {
			return len(seen), err
		}
	}
	return len(seen), nil
}

// successors makes every move from a state, with every decision that Go leaves open, and calls put behind each.
func (w *walker) successors(n *node, put func()) error {
	for i := range n.ghosts {
		calls := len(w.s.model.calls)
		if n.ghosts[i].busy() {
			calls = 1
		}
		for c := range calls {
			var ch explore.Choices
			w.chooser = &ch
			for more := true; more; more = ch.Next() {
				w.m.Load(n.words)
				w.content, w.ghosts = n.content, slices.Clone(n.ghosts)
				on, err := w.move(i, c)
				if err != nil {
					return err
				}
				if on {
					put()
				}
			}
		}
	}
	return nil
}

// stand puts thread i alone into the search's machine, where facts about it can be read, and gives the function that
// takes note of them. It is called if the step turns out to do something that others see.
func (w *walker) stand(i int, site string) (note func()) {
	if w.noting == nil {
		return func() {}
	}
	for k, g := range w.ghosts {
		w.m.SetTag(k, uint64(g))
	}
	m := w.s.m
	m.Load(slices.Clone(w.m.Save(nil)))
	m.Thread[0], m.Thread[i] = m.Thread[i], m.Thread[0]
	m.RetireThreads(1)
	m.Load(slices.Clone(m.Save(nil)))
	_ = m.Save(nil)
	return w.noting(site)
}

// SPDX-License-Identifier: BSD-3-Clause

package fixpoint

import (
	"context"
	"errors"
	"fmt"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/interference"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/engine/unbounded/transfer"
)

// Check computes all successors of the table once more, without anything that was remembered while it grew, and
// reports the first that the table does not contain. It shares with Compute the steps and the merging, but not the
// order of work, the queues and the memo.
func (v *Invariant) Check(ctx context.Context) error {
	d := v.Domain
	prop := content.New(d, v.Property.Map, v.Program.Kind, v.Program.Operations)
	c := &computation{ctx: ctx, inv: v, machine: transfer.New(d, prop, transfer.Coverage{}), canon: shape.NewCanonizer(d), memo: interference.NewMemo(d, prop)}
	if err := c.checkInitial(prop); err != nil {
		return err
	}
	for i, e := range v.Entries {
		if i%16 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if err := c.checkEntry(e); err != nil {
			if errors.Is(err, errGrew) {
				return fmt.Errorf("the invariant is not inductive: a word that counts as never written while shared is written")
			}
			return err
		}
	}
	return nil
}

// checkInitial reports if the view of a new collection is not in the table.
func (c *computation) checkInitial(prop *content.Property) error {
	maker := transfer.New(c.inv.Domain, nil, transfer.Coverage{})
	r := maker.Make(c.inv.Program.New)
	if r.Alarm != nil || maker.Grew || len(r.Views) != 1 || prop.Initial(&r.Views[0].Heap) != nil {
		return errors.New("the invariant is not inductive: the constructor does not lead into it")
	}
	heaps, err := prop.Starts(&r.Views[0].Heap)
	if err != nil {
		return fmt.Errorf("the invariant is not inductive: %w", err)
	}
	for i := range heaps {
		if err := c.contained(&shape.View{Heap: c.canon.Run(&heaps[i], nil, nil)}, Cause{Text: "a new collection"}); err != nil {
			return err
		}
	}
	return nil
}

// contained reports a view that the table does not hold; by says how it came about.
func (c *computation) contained(v *shape.View, by Cause) error {
	c.key = v.Key(c.key[:0])
	e := c.inv.entries[string(c.key)]
	if e == nil || !e.View.Covers(&v.Heap) {
		return fmt.Errorf("the invariant is not inductive: %s leads out of it", c.inv.Text(by))
	}
	return nil
}

// checkEntry reports if the table lacks a successor of a view, or what an effect makes of it.
func (c *computation) checkEntry(e *Entry) error {
	if err := c.successors(e, c.checkResult); err != nil {
		return err
	}
	s := c.memo.Of(e.View)
	for _, f := range c.inv.Effects {
		if err := c.checkEffect(e, s, f); err != nil {
			return err
		}
	}
	return nil
}

// checkResult reports if the table lacks a view or an effect that a step has led to.
func (c *computation) checkResult(r *transfer.Result, by Cause) error {
	if r.Alarm != nil {
		return fmt.Errorf("the invariant is not inductive: %s: %s", c.inv.Text(by), r.Alarm.Message)
	}
	for _, v := range r.Views {
		if err := c.contained(v, by); err != nil {
			return err
		}
	}
	for i := range r.Writes {
		f := interference.NewEffect(c.inv.Domain, c.canon, &r.Writes[i])
		old := c.inv.effects[string(f.Key(nil))]
		if old == nil || !old.Covers(&f.Heap) {
			return fmt.Errorf("the invariant is not inductive: %s has an effect that it does not hold", c.inv.Text(by))
		}
	}
	return nil
}

// checkEffect reports if the table lacks what effect f makes of view e, whose heap is s.
func (c *computation) checkEffect(e *Entry, s *interference.Shape, f *Effect) error {
	by := f.Sites[0]
	by.Text = "write of another thread"
	sp, err := c.memo.Spread(s, f.ID, f.version, &f.Effect)
	if err != nil {
		return fmt.Errorf("the invariant is not inductive: %s: %w", c.inv.Text(by), err)
	}
	if a := c.race(e, f, sp.Hits); a != nil {
		return fmt.Errorf("the invariant is not inductive: %s", a.Message)
	}
	var minds shape.Flags
	prop := c.inv.Property
	if !e.View.Idle() {
		minds = prop.Minds(int(e.View.Op), e.View.Param)
	}
	for i := range sp.Outs {
		v := s.View(e.View, &sp.Outs[i], minds, c.regs)
		if !v.Idle() {
			prop.Observe(&v, f.Lock == transfer.NoLock && prop.Written(f.Regs[0], f.Words))
		}
		c.regs = v.Regs
		if c.machine.Settled(&v) {
			r := c.machine.GoOn(&v)
			if c.machine.Grew {
				return errGrew
			}
			if err := c.checkResult(r, by); err != nil {
				return err
			}
		} else if err := c.contained(&v, by); err != nil {
			return err
		}
	}
	return nil
}

// Find gives the entry of the table that holds a view, which need not be made by this package; nil if there is none.
func (v *Invariant) Find(view *shape.View) *Entry {
	e := v.entries[string(view.Key(nil))]
	if e == nil || !e.View.Covers(&view.Heap) {
		return nil
	}
	return e
}

// Text writes a cause for people: "step at file.go:12".
func (v *Invariant) Text(by Cause) string {
	if by.Func == nil {
		return by.Text
	}
	return fmt.Sprintf("%s at %s", by.Text, v.Program.Prog.Position(by.Func.Pos[by.PC]))
}

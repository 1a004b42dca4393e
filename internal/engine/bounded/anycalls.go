// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Any number of calls (client.Scope.Endless). Nothing in a state counts calls, so an execution that makes them for ever comes back to
// states that were met: the search ends if the code, the monitor and the names of items have finitely many states. It is breadth first, so
// that a witness has few steps however long executions are.
//
// Items get the names that nobody uses (play.Names): neither the code, nor the monitor, nor a call in progress. So few names serve any
// number of calls, if few items are in use at a time: a call that takes one does not begin while as many are in use as the scope lets.

// full reports whether as many items are in use as the scope lets: an item is in use while the monitor remembers it, from the call that puts
// it until no call may return it any more.
func (c *cursor) full() bool {
	most := c.sys.mostItems()
	if most == 0 || c.makes() {
		return false
	}
	inUse := c.monitor.Names(c.id)[oracle.Items] >> 1 // 0 is no item
	return bits.OnesCount32(inUse) >= most
}

// mostItems is how many items can be in use at a time; 0: nothing bounds them, because calls are counted or items are chosen among values.
func (s *system) mostItems() int {
	if s.space == nil || !s.space.Scope.Endless || !s.opt.Items {
		return 0
	}
	return s.space.Scope.Items
}

// takesItem reports whether a call, by the plan's number, takes an item.
func (c *cursor) takesItem(k int) bool {
	step, _, _ := c.sys.plan.Make(k, c.all, c.own[0])
	return slices.Contains(c.sys.ops[step.Op].Params, oracle.ParamItem)
}

// endlessVisit makes the visit function of a search with any number of calls. All states lead to each other there, so that components say
// nothing: whether an execution can stay where no call begins or returns is looked for in each state in which a call is in progress.
func (v *verification) endlessVisit(ctx context.Context, sys *system) func(explore.Cursor, explore.Trail, int) explore.Action {
	if v.closed == nil {
		v.closes(sys)
	}
	at, met := v.closed.newCursor(), 0
	return func(cur explore.Cursor, t explore.Trail, depth int) explore.Action {
		if action := v.visit(cur, t, depth); action != explore.Continue {
			return action
		}
		c := cur.(*cursor)
		crowded := v.crowded(sys, t.State())
		if v.grows == "" && (crowded || met&(met-1) == 0 || met%pumpFrom == 0) {
			v.grows = v.growing(sys, t.State())
		}
		if met++; crowded || v.grows != "" && (met >= grownStates || v.held() > grownBytes) {
			v.ended = true
			return explore.Stop
		}
		if !c.makes() && c.monitor.Busy(c.id) == 0 {
			return explore.Continue
		}
		at.Load(t.State())
		at.place.Stand()
		if _, known := v.settled.Find(at.Save(nil)); known {
			return explore.Continue
		}
		return v.staysFrom(ctx, sys, &stem{slices.Clone(t.State()), t.Path, 0})
	}
}

// crowded reports whether a state holds so many items that another one would have no name.
func (v *verification) crowded(sys *system, state []uint64) bool {
	return sys.mostItems() > 0 && int(state[1]>>client.ItemsShift&0xff) >= vm.MaxItems
}

// incomplete says why a search has not ended, given the limit that it reached. A search with any number of calls may have been ended without one.
func (v *verification) incomplete(limit string) string {
	switch {
	case !v.space.Scope.Endless:
		return limit
	case v.grows != "" && v.ended:
		return fmt.Sprintf("with any number of calls there are states without end: %s (%d states have been searched)", v.grows, v.result.States)
	case v.ended:
		return fmt.Sprintf("the code holds %d items, and there are no names for more: at most %d of them are in use", vm.MaxItems, v.space.Scope.Items)
	case v.grows != "":
		return limit + "; with any number of calls there are states without end: " + v.grows
	}
	return limit + "; whether there are finitely many states with any number of calls is not known"
}

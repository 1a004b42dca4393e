// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"go/types"
	"slices"
)

// CanCallBack reports whether the functions that an operation is given can call another operation of the same object, see Call.Back.
//
// A function does not know which thread executes it, so what a thread keeps is out of its reach, and it has handles of its own. It calls an operation that gives
// some, On(f) (off func()), and ends what that has begun at once, by calling off; nothing else could give back a lock that the operation has taken. And it uses
// the handle that the operation gives to which it was given, so that a handler calls its own off. Such a handle is the function's, and not kept by the thread.
func (c *Collection) CanCallBack(of, back *Operation) bool {
	u := back.Call.Use
	switch {
	case !back.KeepsHandles():
		return true
	case back.Call.Leave != nil || slices.ContainsFunc(back.Call.Params, isHandle):
		return false
	case u != nil:
		return of.Call.Called && of.Call.Use == nil && of.Call.Leave == nil && !slices.ContainsFunc(of.Call.Params, isHandle) &&
			slices.Contains(of.Gives(), u.Slot) && !c.isChannel(u.Slot) && len(back.Gives()) == 0
	}
	return !slices.ContainsFunc(back.Gives(), func(slot int) bool { return !c.isChannel(slot) && c.Ending(slot) < 0 })
}

// KeepsHandles reports whether an operation gives or takes what a thread keeps, so that it has to know the thread.
func (o *Operation) KeepsHandles() bool {
	return slices.ContainsFunc(o.Params, func(p Param) bool { return p.Codec != nil && p.Codec.Shape == AsThread })
}

// Gives lists the sorts of handles that the operation returns, as indices into Collection.Handles.
func (o *Operation) Gives() (slots []int) {
	for i := range o.Results {
		if c := o.Results[i].Codec; c != nil && c.Shape == AsHandle && !slices.Contains(slots, c.Slot) {
			slots = append(slots, c.Slot)
		}
	}
	return slots
}

// Ending is the index of the operation that ends the use of a sort of handles, off() or sub.Close(); -1: there is none.
func (c *Collection) Ending(slot int) int {
	return slices.IndexFunc(c.Operations, func(o Operation) bool { return o.Call.Use != nil && o.Call.Use.Slot == slot && o.Call.Use.Ends })
}

func (c *Collection) isChannel(slot int) bool {
	_, is := c.Handles[slot].Type.Underlying().(*types.Chan)
	return is
}

func isHandle(c *Codec) bool { return c.Shape == AsHandle }

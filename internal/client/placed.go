// SPDX-License-Identifier: BSD-3-Clause

package client

import (
	"slices"
	"strings"
)

// Begun returns the count of all threads behind the beginning of a call: a bit of it says that something has been called that need not
// come first.
func Begun(all uint64, ops []Op, called int) uint64 {
	if !ops[called].Who.First && slices.ContainsFunc(ops, func(o Op) bool { return o.Who.First }) {
		all |= 1 << allBegun
	}
	return all
}

// Placed reports whether a call may begin in this position as far as the roles first, alone and not-OPERATION of the operations say. InProgress lists
// the operations of the calls that are in progress.
func (at *Position) Placed(ops []Op, called int, inProgress []int) bool {
	who := ops[called].Who
	if who.First && at.All>>allBegun&1 != 0 || (who.First || who.Alone) && len(inProgress) > 0 {
		return false
	}
	return !slices.ContainsFunc(inProgress, func(op int) bool {
		return ops[op].Who.First || ops[op].Who.Alone || apart(&ops[op], &ops[called])
	})
}

// apart reports whether no call of one operation is to be in progress while one of the other is.
func apart(a, b *Op) bool { return a.Who.apartFrom(b.Name) || b.Who.apartFrom(a.Name) }

// apartFrom reports whether Not names an operation.
func (r *Roles) apartFrom(name string) bool { return slices.Contains(r.Others(), name) }

// Others are the operations that Not names; none if it is "".
func (r *Roles) Others() []string {
	if r.Not == "" {
		return nil
	}
	return strings.Split(r.Not, "+")
}

// SPDX-License-Identifier: BSD-3-Clause

package client

// Position is how far a client has come: the plan's counts, and who is busy.
type Position struct {
	All  uint64
	Own  []uint64 // of each thread
	Busy ThreadSet
}

// Ends says that a thread's call, one of those that the plan offers, may be a client's last one, made when
// every other call has returned and none is left to make (Roles). Which calls have to be that, the operations say.
func (at *Position) Ends(p Plan, thread, call int) bool {
	if at.Busy != 0 {
		return false
	}
	before := at.Own[thread]
	_, all, own := p.Make(call, at.All, before)
	at.Own[thread] = own
	ends := p.Done(all, at.Own, 0)
	at.Own[thread] = before
	return ends
}

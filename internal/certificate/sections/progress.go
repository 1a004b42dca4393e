// SPDX-License-Identifier: BSD-3-Clause

package sections

import "pangolin/verdict"

// What is claimed of whether calls return (doc/proofs.md, "Calls return, if they do alone").
//
// All that a call waits for is the lock (one that may wait at a channel has no such property here), and who has it executes its own code until it gives it back, as when nobody else calls. So some call always goes on: any such type is
// deadlock-free. One whose calls take no lock, and call no method of a sync.Map or an atomic.Value, which may wait within, is wait-free.

// waiting is where calls may wait for others, if anywhere.
type waiting struct {
	waits     *spot // for as long as another call takes
	atChannel *spot // for what another one does with a channel
}

// mayWait notes that a call may wait for another one at an instruction.
func (c *checker) mayWait(at spot, s *state) {
	if c.waits == nil && s.phase != making {
		c.waits = &at
	}
}

// progress is an error unless the calls have the property that the certificate claims.
func (c *checker) progress() error {
	switch p := c.x.Head.Progress; {
	case p == "":
		return nil
	case p.IsProgress() && c.atChannel != nil:
		return c.reject(*c.atChannel, "%s may wait at a channel for another call, so that it is not %s", c.calls[c.atChannel.call].fn.Short, p)
	case p == verdict.DeadlockFree:
		return nil
	case !p.IsProgress():
		return reject("%q is no property of progress", p)
	case c.waits != nil:
		return c.reject(*c.waits, "%s may wait for another call, so that it is not %s", c.calls[c.waits.call].fn.Short, p)
	}
	return nil
}

// SPDX-License-Identifier: BSD-3-Clause

package verdict

import "fmt"

// Swarm says by how many searches a verdict was reached, which differ in the order of moves and in the bound on preemptions.
type Swarm struct {
	Searches int    `json:"searches"`
	States   uint64 `json:"states"` // at most, of each
	// Found is the number of the search that has found the violation, counted from 1: none with a lesser number has found one. 0: none has.
	Found int `json:"found,omitempty"`
	// Early is how many of those up to Found were ended by a limit on time or memory, so that another run may come to another answer.
	Early int `json:"early,omitempty"`
}

// String tells what came of it in words.
func (s *Swarm) String() string {
	text := fmt.Sprintf("none of %d searches of at most %d states found a violation, and a swarm verifies nothing", s.Searches, s.States)
	if s.Found > 0 {
		text = fmt.Sprintf("search %d of %d, of at most %d states", s.Found, s.Searches, s.States)
	}
	if s.Early > 0 {
		text += fmt.Sprintf("; %d were ended by a limit on time or memory before, so that another run may come to another answer", s.Early)
	}
	return text
}

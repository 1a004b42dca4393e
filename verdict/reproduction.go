// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Reproduction says what came of a witness's schedule outside of the machine that found it.
type Reproduction struct {
	Type       string           `json:"type"` // "reproduction"
	Collection string           `json:"collection"`
	Class      string           `json:"class"`
	Result     ReproducedStatus `json:"result"`
	By         string           `json:"by"`     // "go test"
	Why        string           `json:"why"`    // what was seen, or why nothing could be
	Schema     int              `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// ReproducedStatus says whether a violation was reproduced.
type ReproducedStatus string

const (
	Reproduced    ReproducedStatus = "reproduced"
	NotReproduced ReproducedStatus = "not reproduced"
	CannotTry     ReproducedStatus = "cannot" // the schedule could not be tried
)

// ExitCode is that of the command which tries.
func (s ReproducedStatus) ExitCode() int {
	switch s {
	case Reproduced:
		return ExitVerified
	case CannotTry:
		return ExitUnknown
	}
	return ExitViolated
}

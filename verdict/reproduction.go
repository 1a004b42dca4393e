// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Reproduction is the result of executing a witness's schedule on real Go.
type Reproduction struct {
	Type       string           `json:"type"` // "reproduction"
	Collection string           `json:"collection"`
	Class      string           `json:"class"`
	Result     ReproducedStatus `json:"result"`
	By         string           `json:"by"`     // "go test"
	Why        string           `json:"why"`    // what was observed, or why the schedule could not be tried
	Schema     int              `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// ReproducedStatus tells whether a violation was reproduced.
type ReproducedStatus string

const (
	Reproduced    ReproducedStatus = "reproduced"
	NotReproduced ReproducedStatus = "not reproduced"
	CannotTry     ReproducedStatus = "cannot" // the schedule could not be tried
)

// ExitCode is the exit code of the command that tries it.
func (s ReproducedStatus) ExitCode() int {
	switch s {
	case Reproduced:
		return ExitVerified
	case CannotTry:
		return ExitUnknown
	}
	return ExitViolated
}

package verdict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Proof is what an engine has found that looks for an invariant: the invariant of a proved
// verdict, or what stood in its way.
type Proof struct {
	Content string `json:"content"` // what the collection holds: a function of its memory
	Views   int    `json:"views"`   // what a thread may see, in so many ways
	Effects int    `json:"effects"` // what a thread may do to what others see
	// Unreached are instructions, outcomes and effects that no execution has according to the
	// invariant. It is not nil. What stands there has not been looked at.
	Unreached []string `json:"unreached"`
	Alarm     *Alarm   `json:"alarm,omitempty"` // why there is no proof; nil if there is one
	// Text is the certificate, if one was asked for and there is a proof.
	Text []byte `json:"-"`
}

// Checked is what a check of a certificate came to.
type Checked struct {
	Type       string  `json:"type"` // "check"
	Collection string  `json:"collection"`
	Holds      bool    `json:"holds"`
	Reason     string  `json:"reason"` // why it does not hold, or ""
	Views      int     `json:"views"`
	Effects    int     `json:"effects"`
	Seconds    float64 `json:"seconds"` // without loading
	Schema     int     `json:"schema"`
}

// Alarm is what stood in the way of a proof. It need not be a fault of the code.
type Alarm struct {
	// Outside says that the code is not in the fragment of which there are proofs; otherwise
	// the invariant allows something that is wrong.
	Outside bool   `json:"outside"`
	Message string `json:"message"`
	At      string `json:"at"` // "file.go:12", or ""
	// Callers are the calls that lead there, innermost first: "f at file.go:12".
	Callers []string `json:"callers"`
	// Trace are the steps that lead there, the first one first, as the invariant has them.
	Trace []AbstractStep `json:"trace"`
}

// AbstractStep is a step of an abstract execution: what a thread does, or what others do to
// what it sees, and what it sees then.
type AbstractStep struct {
	Text string `json:"text"` // "call of Push(=k)", "step", "write of another thread"
	At   string `json:"at"`   // "file.go:12", or ""
	Sees string `json:"sees"` // the memory, drawn in one line
}

// CertificateSource says how the collection of a certificate is loaded, which stands in the
// first line of its file.
func CertificateSource(text []byte) (*Source, error) {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	var l struct {
		Type string
		Head *struct{ Source Source }
	}
	if err := json.Unmarshal(first, &l); err != nil {
		return nil, fmt.Errorf("this is no certificate: %w", err)
	}
	if l.Type != "certificate" || l.Head == nil || len(l.Head.Source.Patterns) == 0 {
		return nil, errors.New("this is no certificate: its first line does not say what it is about")
	}
	return &l.Head.Source, nil
}

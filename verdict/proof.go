package verdict

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

package native

import "context"

// Plan is a schedule to be followed: Wanted names accesses in order. Thread is the
// client's thread counted from 1 (0 is the goroutine that makes the collection and the
// pre-adds); a goroutine that an operation starts has the next free number, in order of
// creation.
type Plan struct {
	Subject  Subject
	Property Property
	Client   Client
	Wanted   []Step
}

// Followed is where a plan led.
type Followed struct {
	Class   Class  // of what the execution shows; Fine if it shows no violation
	Message string // what was seen: the history, the panic's text, who waits
	Steps   []Step // as executed
	// Missed is the index of the first wanted step that could not be made, or -1, and
	// Why says what was there instead.
	Missed int
	Why    string
	Fault  string // as in Report
}

// Follow executes plans, one execution each, natively.
func Follow(ctx context.Context, plans []Plan, opt Options) ([]Followed, error) {
	return follow(ctx, plans, opt)
}

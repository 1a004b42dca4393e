package collection

// A Call is what an operation's harness function does: call the method that has
// the operation's name, or go through a critical section.
type Call struct {
	Params  []*Codec // of all the method's parameters
	Args    []int    // indices of the parameters that clients choose
	Watched bool     // it takes a func(), which is made to count its calls
	Section *Section // a lock's; then there is nothing else
}

// A Section is a whole critical section: take the lock, use the guarded counter,
// give the lock back. With the halves as operations of their own, clients
// would unlock what is not locked.
type Section struct {
	Enter, Leave string // methods
	Shared       bool   // for reading only
	Try          bool   // Enter says whether it got the lock
	Token        int    // place among Enter's results of what Leave wants back; -1 if there is none
	OKAt         int    // place among Enter's results of whether it got the lock
}

// Name is both halves.
func (s *Section) Name() string { return s.Enter + "+" + s.Leave }

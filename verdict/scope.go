package verdict

// Scope is what a verdict covers. Engines that bound clients have Bounds, and if they have
// several, all of which are covered, the others in And; what else an engine bounds stands in
// Limits, so that a new engine needs no field here. A scope without either is everything
// that the subject can do.
type Scope struct {
	*Bounds
	And    []Bounds `json:"and,omitempty"`
	Limits []Limit  `json:"limits,omitempty"`
}

// Limit is a bound of one engine's own: "items", "2".
type Limit struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Bounds are the clients that a verdict covers.
type Bounds struct {
	Preset    string `json:"preset,omitempty"` // the letter if the bounds are those of a configuration
	Threads   [2]int `json:"threads"`          // from, to
	Steps     [2]int `json:"steps"`            // total over all threads
	PreAdds   [2]int `json:"preadds"`
	Values    int    `json:"values"`
	PerThread int    `json:"per_thread,omitempty"` // if not 0: calls of each thread; Steps is then the total
	Hash      string `json:"hash"`
	Preempt   *int   `json:"preempt"` // nil: unbounded
	Fair      bool   `json:"fair"`
	Roles     string `json:"roles,omitempty"`
	Options
}

// Options are the choices that make a scope smaller.
type Options struct {
	ThreadSymmetry     bool `json:"thread_symmetry"`
	GenericValues      bool `json:"generic_values"`
	AddsDominant       bool `json:"adds_dominant"`
	DistinctPriorities bool `json:"distinct_priorities"`
}

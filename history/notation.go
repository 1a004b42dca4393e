package history

// Notation says how the values of a method are written, where the integers of a Tuple stand for
// something else: strings, pointers. A nil Notation writes them as they are.
type Notation struct {
	Args, Result func(Tuple) string
}

// Call writes a call, such as Add(0).
func (n *Notation) Call(name string, args Tuple) string {
	text := args.String()
	if n != nil {
		text = n.Args(args)
	}
	return name + "(" + text + ")"
}

// Results writes what a call returned, or "panic".
func (n *Notation) Results(result Tuple) string {
	if n == nil || result.IsPanic() {
		return result.String()
	}
	return n.Result(result)
}

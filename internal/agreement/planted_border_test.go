package agreement

// borderFault is a fault where the machine decides what Go, its memory model or its runtime says: the grown grammar is for these.
type borderFault struct {
	fault
	about string // the construct whose texts are tried first
}

var borderFaults = []borderFault{}

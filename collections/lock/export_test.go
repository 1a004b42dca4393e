package lock

// LastTurn identifies the thread that asked last.
func LastTurn(l *FairReentrant) any { return l.last.Load() }

package lock

// Waiting counts the queued threads.
func Waiting(l *FairReentrant) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for w := l.first; w != nil; w = w.next {
		n++
	}
	return n
}

// construct: sync.Once calling itself, deadlock
// outcomes: exact
// outcome: deadlock
// why: the inner Do waits for the outer one to return (on the mutex inside Once).

package main

import "sync"

func main() {
	var once sync.Once
	once.Do(func() {
		once.Do(func() {})
	})
}

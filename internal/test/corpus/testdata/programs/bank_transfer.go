// construct: sync.Mutex, struct with lock, method
// outcomes: exact
// outcome: "7 13\n"
// why: locks are taken in the order of the account numbers, so there is no deadlock; -5 +2 on the
//	first and +5 -2 on the second commute.

package main

import (
	"fmt"
	"sync"
)

type account struct {
	sync.Mutex
	id, balance int
}

func transfer(from, to *account, amount int) {
	first, second := from, to
	if second.id < first.id {
		first, second = second, first
	}
	first.Lock()
	defer first.Unlock()
	second.Lock()
	defer second.Unlock()
	from.balance -= amount
	to.balance += amount
}

func main() {
	a := &account{id: 1, balance: 10}
	b := &account{id: 2, balance: 10}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { transfer(a, b, 5); wg.Done() }()
	go func() { transfer(b, a, 2); wg.Done() }()
	wg.Wait()
	fmt.Println(a.balance, b.balance)
}

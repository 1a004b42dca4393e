// construct: unsafe.Pointer to uintptr, order of addresses
// outcomes: exact
// open: addresses
// outcome: "10 true\n"
// outcome: "10 false\n"
// why: accounts are locked in the order of their addresses, so two transfers in opposite directions do not deadlock. Which is the lower one is open,
//	but it stays so: both transfers see the same order, and the sum is kept.

package main

import (
	"fmt"
	"sync"
	"unsafe"
)

type account struct {
	mu  sync.Mutex
	sum int
}

func below(a, b *account) bool { return uintptr(unsafe.Pointer(a)) < uintptr(unsafe.Pointer(b)) }

func transfer(from, to *account, n int) {
	first, second := from, to
	if below(to, from) {
		first, second = to, from
	}
	first.mu.Lock()
	second.mu.Lock()
	from.sum -= n
	to.sum += n
	second.mu.Unlock()
	first.mu.Unlock()
}

func main() {
	a, b := &account{sum: 5}, &account{sum: 5}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); transfer(a, b, 1) }()
	go func() { defer wg.Done(); transfer(b, a, 2) }()
	wg.Wait()
	fmt.Println(a.sum+b.sum, below(a, b))
}

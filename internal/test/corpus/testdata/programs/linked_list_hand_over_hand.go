// construct: hand-over-hand locking in a linked list
// outcomes: exact
// outcome: "1 2 3\n"
// why: both insertions keep the order of the list, whichever is first.

package main

import (
	"fmt"
	"sync"
)

type node struct {
	mu   sync.Mutex
	key  int
	next *node
}

func insert(head *node, key int) {
	pred := head
	pred.mu.Lock()
	curr := pred.next
	curr.mu.Lock()
	for curr.key < key {
		pred.mu.Unlock()
		pred, curr = curr, curr.next
		curr.mu.Lock()
	}
	pred.next = &node{key: key, next: curr}
	curr.mu.Unlock()
	pred.mu.Unlock()
}

func main() {
	tail := &node{key: 100}
	head := &node{next: &node{key: 2, next: tail}}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { insert(head, 1); wg.Done() }()
	go func() { insert(head, 3); wg.Done() }()
	wg.Wait()
	n := head.next
	fmt.Println(n.key, n.next.key, n.next.next.key)
}

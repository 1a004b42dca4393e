// construct: unsafe.Pointer to uintptr, hashed
// outcomes: exact
// open: addresses
// outcome: "same shard\n"
// outcome: "two shards\n"
// why: whether two objects have the same hash is open, and does not change: what was put into a shard is found there.

package main

import (
	"fmt"
	"unsafe"
)

type object struct{ a, b int }

func shard(p *object) int { return int(uintptr(unsafe.Pointer(p)) >> 4 % 2) }

func main() {
	var shards [2]map[*object]bool
	a, b := new(object), new(object)
	for _, p := range []*object{a, b} {
		if shards[shard(p)] == nil {
			shards[shard(p)] = map[*object]bool{}
		}
		shards[shard(p)][p] = true
	}
	if !shards[shard(a)][a] || !shards[shard(b)][b] {
		fmt.Println("lost")
	}
	if shard(a) == shard(b) {
		fmt.Println("same shard")
	} else {
		fmt.Println("two shards")
	}
}

// construct: array of padded structs, anonymous fields
// outcomes: exact
// outcome: "3\n"
// why: each goroutine adds to its shard; the sum is taken after both.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type shard struct {
	n atomic.Int64
	_ [56]byte
}

func main() {
	var shards [2]shard
	var wg sync.WaitGroup
	for i := range shards {
		wg.Add(1)
		go func() {
			shards[i].n.Add(int64(i) + 1)
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(shards[0].n.Load() + shards[1].n.Load())
}

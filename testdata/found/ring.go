// SPDX-License-Identifier: BSD-3-Clause

//go:build ignore

// A ring buffer with one place that takes two items.
package main

import (
	"fmt"

	"github.com/Workiva/go-datastructures/queue"
)

func main() {
	r := queue.NewRingBuffer(1)
	for item := 1; item <= 2; item++ {
		ok, err := r.Offer(item)
		fmt.Println(item, ok, err)
	}
	fmt.Println(r.Get())
}

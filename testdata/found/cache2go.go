// SPDX-License-Identifier: BSD-3-Clause

//go:build ignore

// An Add beside a Delete of the same key.
package main

import (
	"fmt"
	"sync"

	"github.com/muesli/cache2go"
)

func main() {
	t := cache2go.Cache("table")
	t.Add("key", 0, "old")
	var all sync.WaitGroup
	all.Add(2)
	var deleted interface{}
	go func() {
		defer all.Done()
		if item, err := t.Delete("key"); err == nil {
			deleted = item.Data()
		}
	}()
	go func() {
		defer all.Done()
		t.Add("key", 0, "new")
	}()
	all.Wait()
	fmt.Println("deleted:", deleted, "there:", t.Exists("key"))
}

// SPDX-License-Identifier: BSD-3-Clause

//go:build ignore

// Two Then of one Future that is not resolved yet.
package main

import (
	"fmt"

	"github.com/samber/mo"
)

func main() {
	begin := make(chan struct{})
	f := mo.NewFuture(func(resolve func(int), reject func(error)) {
		<-begin
		resolve(1)
	})
	same := func(n int) (int, error) { return n, nil }
	first, second := f.Then(same), f.Then(same)
	close(begin)
	fmt.Println(second.Collect())
	fmt.Println(first.Collect())
}

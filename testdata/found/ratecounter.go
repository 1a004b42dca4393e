// SPDX-License-Identifier: BSD-3-Clause

//go:build ignore

// A count of ratecounter that is still there three intervals later.
package main

import (
	"fmt"
	"time"

	"github.com/paulbellamy/ratecounter"
)

func main() {
	r := ratecounter.NewRateCounter(time.Second).WithResolution(1)
	r.Incr(1)
	time.Sleep(time.Second) // the first count expires, and the goroutine that expires counts ends
	r.Incr(1)
	time.Sleep(3 * time.Second)
	fmt.Println(r.Rate())
}

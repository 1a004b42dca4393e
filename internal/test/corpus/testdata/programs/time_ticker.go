// construct: time.NewTicker, Stop, Reset
// outcomes: exact
// outcome: "3 ticks\n"
// why: each receive waits for one tick; a stopped ticker is never waited for.

package main

import (
	"fmt"
	"time"
)

func main() {
	t := time.NewTicker(50 * time.Microsecond)
	n := 0
	for range t.C {
		n++
		if n == 3 {
			t.Stop()
			break
		}
	}
	fmt.Println(n, "ticks")
}

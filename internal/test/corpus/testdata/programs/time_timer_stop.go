// construct: time.NewTimer, Stop, drained channel
// outcomes: exact
// outcome: "stopped\n"
// why: Stop reports whether it stopped the timer. Since Go 1.23 the channel of a timer holds no
//	value that could go stale: unless the value was received, Stop takes it back and returns true,
//	even after the time has passed, and nothing can be received afterwards.

package main

import (
	"fmt"
	"time"
)

func main() {
	t := time.NewTimer(30 * time.Microsecond)
	time.Sleep(20 * time.Microsecond)
	stopped := t.Stop()
	select {
	case <-t.C:
		fmt.Println("stale value")
	default:
	}
	if stopped {
		fmt.Println("stopped")
	} else {
		fmt.Println("fired")
	}
}

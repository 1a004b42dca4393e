// construct: context.WithTimeout
// outcomes: exact
// outcome: "context canceled\n"
// outcome: "context deadline exceeded\n"
// why: either the deadline passes first or the cancellation comes first; the first reason stays.

package main

import (
	"context"
	"fmt"
	"time"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Microsecond)
	time.Sleep(20 * time.Microsecond)
	go cancel()
	<-ctx.Done()
	fmt.Println(ctx.Err())
}

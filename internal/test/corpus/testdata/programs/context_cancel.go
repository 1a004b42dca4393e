// construct: context.WithCancel, Done, Err
// outcomes: exact
// outcome: "<nil> context canceled\n"
// outcome: "context canceled context canceled\n"
// why: Err is asked once at any time and once after Done was closed.

package main

import (
	"context"
	"fmt"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	before := ctx.Err()
	<-ctx.Done()
	fmt.Println(before, ctx.Err())
}

// Time, context and random numbers are choices.
package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	randv2 "math/rand/v2"
	"time"
)

type key struct{}

func main() {
	ctx, cancel := context.WithTimeoutCause(context.Background(), time.Second, errors.New("late"))
	defer cancel()
	ctx = context.WithValue(ctx, key{}, 1)
	stop := context.AfterFunc(ctx, func() { println("after") })
	defer stop()
	timer := time.NewTimer(time.Minute)
	ticker := time.NewTicker(time.Hour)
	select {
	case <-ctx.Done():
		fmt.Println(ctx.Err(), context.Cause(ctx), ctx.Value(key{}))
	case <-time.After(3 * time.Second):
	case <-timer.C:
	case t := <-ticker.C:
		fmt.Println(t.IsZero())
	}
	ticker.Stop()
	println(timer.Stop(), timer.Reset(1))
	time.Sleep(time.Millisecond)
	start := time.Now()
	fmt.Println(time.Since(start), 90*time.Second)
	println(rand.Intn(3), randv2.IntN(4), randv2.N(5), len(rand.Perm(3)))
	rand.Shuffle(2, func(i, j int) {})
	r := rand.New(rand.NewSource(1))
	println(r.Intn(10))
}

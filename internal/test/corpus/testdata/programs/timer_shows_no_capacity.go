// construct: time.Timer, time.Ticker, cap, len
// outcomes: exact
// outcome: "0 0 0 0 0\n1\nnon-positive interval for Ticker.Reset string\ntime: Stop called on uninitialized Timer string\ntime: Reset called on uninitialized Timer string\ntime: Reset called on uninitialized Ticker string\n<nil> <nil>\n1\n"
// why: one goroutine; a timer's channel shows no room (Go 1.23), and zero timers and intervals panic.

package main

import (
	"fmt"
	"runtime"
	"time"
)

func try(f func()) {
	defer func() {
		r := recover()
		fmt.Printf("%v %T\n", r, r)
	}()
	f()
}

func main() {
	timer, ticker := time.NewTimer(time.Hour), time.NewTicker(time.Hour)
	fmt.Println(cap(timer.C), len(timer.C), cap(ticker.C), len(ticker.C), cap(time.After(time.Hour)))
	time.AfterFunc(time.Hour, func() {})
	fmt.Println(runtime.NumGoroutine())
	var none time.Timer
	var never time.Ticker
	try(func() { ticker.Reset(0) })
	try(func() { none.Stop() })
	try(func() { none.Reset(1) })
	try(func() { never.Reset(1) })
	try(func() { never.Stop() })
	fmt.Println(runtime.NumGoroutine())
}

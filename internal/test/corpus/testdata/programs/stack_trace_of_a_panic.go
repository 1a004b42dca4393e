// construct: runtime.Callers and debug.Stack in a deferred call
// outcomes: exact
// outcome: "boom true true\nboom true true\n"
// why: below a deferred call that runs for a panic stand the calls that the panic began in, in main and in a goroutine.

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

func boom() { panic("boom") }

func calls() bool {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, ".boom") {
			return true
		}
		if !more {
			return false
		}
	}
}

func try() {
	defer func() {
		found, text := calls(), strings.Contains(string(debug.Stack()), ".boom(")
		fmt.Println(recover(), found, text)
	}()
	boom()
}

func main() {
	var mu sync.Mutex
	done := make(chan bool)
	go func() {
		mu.Lock()
		try()
		mu.Unlock()
		close(done)
	}()
	mu.Lock()
	try()
	mu.Unlock()
	<-done
}

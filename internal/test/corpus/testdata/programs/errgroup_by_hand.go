// construct: first error wins, sync.Once, errors.Is
// outcomes: exact
// outcome: "a true\n"
// outcome: "b true\n"
// why: both goroutines fail, the first to report is kept.

package main

import (
	"errors"
	"fmt"
	"sync"
)

var errBase = errors.New("base")

type failure struct{ who string }

func (f *failure) Error() string { return f.who }
func (f *failure) Unwrap() error { return errBase }

func main() {
	var once sync.Once
	var first error
	var wg sync.WaitGroup
	wg.Add(2)
	for _, who := range []string{"a", "b"} {
		go func() {
			defer wg.Done()
			var err error = &failure{who}
			once.Do(func() { first = err })
		}()
	}
	wg.Wait()
	var f *failure
	fmt.Println(first, errors.Is(first, errBase) && errors.As(first, &f))
}

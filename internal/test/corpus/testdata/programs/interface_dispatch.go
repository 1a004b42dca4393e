// construct: interfaces, type switch, assertion
// outcomes: exact
// outcome: "int 4, string 3, other\n"
// why: the results are kept by index, so their order does not depend on the schedule.

package main

import (
	"fmt"
	"sync"
)

type sized interface{ size() int }
type word string
type number int

func (w word) size() int   { return len(w) }
func (n number) size() int { return int(n) }

func describe(v any) string {
	switch v := v.(type) {
	case number:
		return fmt.Sprint("int ", v.size())
	case sized:
		return fmt.Sprint("string ", v.size())
	default:
		return "other"
	}
}

func main() {
	var out [3]string
	var wg sync.WaitGroup
	for i, v := range []any{number(4), word("abc"), 1.5} {
		wg.Add(1)
		go func() {
			out[i] = describe(v)
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Printf("%s, %s, %s\n", out[0], out[1], out[2])
}

// construct: panic with an error that is not recovered
// outcomes: exact
// outcome: panic "wrapped: inner"
// why: one goroutine only; an error is reported by its text.

package main

import (
	"errors"
	"fmt"
)

func main() {
	panic(fmt.Errorf("wrapped: %w", errors.New("inner")))
}

// construct: context tree, WithValue, WithCancelCause, Cause
// outcomes: exact
// outcome: "v context canceled context canceled enough <nil>\n"
// why: cancelling the parent cancels the child before cancel returns, not the sibling; the cause is
//	handed down.

package main

import (
	"context"
	"errors"
	"fmt"
)

type key struct{}

func main() {
	root := context.WithValue(context.Background(), key{}, "v")
	parent, stop := context.WithCancelCause(root)
	child, cancelChild := context.WithCancel(parent)
	sibling, cancelSibling := context.WithCancel(root)
	done := make(chan bool)
	go func() {
		stop(errors.New("enough"))
		done <- true
	}()
	<-child.Done()
	<-done
	fmt.Println(child.Value(key{}), child.Err(), parent.Err(), context.Cause(child), sibling.Err())
	cancelChild()
	cancelSibling()
}

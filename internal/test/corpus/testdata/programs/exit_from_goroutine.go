// construct: os.Exit in a goroutine
// outcomes: exact
// outcome: "main\n"
// outcome: "main\n" exit 4
// outcome: exit 4
// why: the exit may come before main prints, after it, or never.

package main

import (
	"fmt"
	"os"
)

func main() {
	go os.Exit(4)
	fmt.Println("main")
}

// construct: os.Exit, exit status
// outcomes: exact
// outcome: "bye\n" exit 3
// why: os.Exit ends the program at once, without deferred functions.

package main

import (
	"fmt"
	"os"
)

func main() {
	defer fmt.Println("deferred")
	fmt.Println("bye")
	os.Exit(3)
}

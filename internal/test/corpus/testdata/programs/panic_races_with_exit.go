// construct: panic in a goroutine, end of main
// outcomes: exact
// outcome: "end\n"
// outcome: "end\n" panic "late"
// outcome: panic "late"
// why: the panic may come before main prints, between the print and the end of main, or never.

package main

import "fmt"

func main() {
	go func() { panic("late") }()
	fmt.Println("end")
}

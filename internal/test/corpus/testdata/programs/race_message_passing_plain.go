// construct: data race behind a plain flag
// outcomes: subset
// outcome: race

package main

import "fmt"

func main() {
	var data, flag int
	done := make(chan bool)
	go func() {
		data = 1
		flag = 1
		done <- true
	}()
	if flag == 1 {
		fmt.Println(data)
	}
	<-done
}

// construct: loggers
// outcomes: exact
// outcome: "l: b 0\nqx\n q p  true\nl: go\nl: pa nic\n" stderr "p a 1\np main\npa nic\n\np end 1\n" exit 1
// why: each logger writes whole lines, with its prefix, where it was told to; the two that
// run at the same time write to different files.

package main

import (
	"bytes"
	"log"
	"os"
)

var l = log.New(os.Stdout, "l: ", 0)

func main() {
	log.SetFlags(0)
	log.SetPrefix("p ")
	log.Println("a", 1)
	l.Printf("b %d", l.Flags())
	var b bytes.Buffer
	m := log.New(&b, "", log.Lmsgprefix)
	m.Print("x")
	m.SetPrefix("q")
	m.SetOutput(os.Stdout)
	m.Println(b.String(), m.Prefix(), log.Prefix(), log.Default() == log.Default())
	done := make(chan bool)
	go func() { l.Println("go"); done <- true }()
	log.Print("main")
	<-done
	defer func() { println(recover().(string)); log.Fatalf("end %d", 1) }()
	l.Panicln("pa", "nic")
}

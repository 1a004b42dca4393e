// SPDX-License-Identifier: BSD-3-Clause

package vet_test

import (
	"fmt"
	"os"

	"pangolin/report/vet"
	"pangolin/verdict"
)

// A line for what is wrong or unknown, none for what is verified.
func Example() {
	r := vet.New(os.Stdout, vet.Options{})
	subject := verdict.Subject{Collection: "queue.Queue", Property: "linear"}
	declared := &verdict.Place{File: "queue/queue.go", Line: 7}
	for _, v := range []verdict.Verdict{
		{Subject: subject, Declared: declared, Status: verdict.Verified},
		{Subject: subject, Declared: declared, Status: verdict.Unknown, Reason: "the limit on\n  states was reached"},
		{Subject: verdict.Subject{Collection: "queue.Ring"}, Status: verdict.NotJudged, Reason: "nobody can make it"},
	} {
		if err := r.Show(v); err != nil {
			fmt.Println(err)
		}
	}
	if err := r.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// queue/queue.go:7:1: queue.Queue: unknown: the limit on states was reached
	// # queue.Ring was not judged: nobody can make it
}

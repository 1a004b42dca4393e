// SPDX-License-Identifier: BSD-3-Clause

package junit_test

import (
	"fmt"
	"os"

	"pangolin/report/junit"
	"pangolin/verdict"
)

// A suite for each package, a case for each collection and property.
func Example() {
	r := junit.New(os.Stdout)
	v := verdict.Verdict{Type: "verdict", Status: verdict.Verified, Package: "example/queue",
		Subject: verdict.Subject{Collection: "queue.Queue", Kind: "queue", Property: "linear"}}
	if err := r.Show(v); err != nil {
		fmt.Println(err)
	}
	if err := r.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <testsuites>
	//  <testsuite name="example/queue" tests="1" failures="0" skipped="0" time="0.000">
	//   <testcase name="queue.Queue linear" classname="example/queue" time="0.000"></testcase>
	//  </testsuite>
	// </testsuites>
}

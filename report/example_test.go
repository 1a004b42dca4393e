// SPDX-License-Identifier: BSD-3-Clause

package report_test

import (
	"fmt"
	"os"

	"pangolin/report"
	"pangolin/verdict"
)

// Whatever the format, results are shown as they come.
func ExampleNew() {
	for _, format := range []string{"text", "json"} {
		r, err := report.New(format, os.Stdout, report.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		_ = r.Show(verdict.System{Of: "queue.aut", States: 5, Transitions: 7, Labels: 2})
		_ = r.Close()
	}
	// Output:
	// queue.aut: 5 states, 7 transitions, 2 visible labels, 0.00s
	// {"type":"system","of":"queue.aut","side":"","file":"","states":5,"transitions":7,"labels":2,"seconds":0,"schema":2}
}

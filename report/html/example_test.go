// SPDX-License-Identifier: BSD-3-Clause

package html_test

import (
	"bytes"
	"fmt"
	"strings"

	"pangolin/report/html"
	"pangolin/verdict"
)

// One page, which fetches nothing: script and style are in it.
func Example() {
	var out bytes.Buffer
	r := html.New(&out)
	v := verdict.Verdict{Type: "verdict", Status: verdict.Verified, Package: "example/queue",
		Subject: verdict.Subject{Collection: "queue.Queue", Kind: "queue", Property: "linear"}}
	if err := r.Show(v); err != nil {
		fmt.Println(err)
	}
	if err := r.Close(); err != nil {
		fmt.Println(err)
	}
	page := out.String()
	fmt.Println(strings.HasPrefix(page, "<!DOCTYPE html>"), strings.Contains(page, "src=\"http"))
	// Output: true false
}

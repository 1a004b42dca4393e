// SPDX-License-Identifier: BSD-3-Clause

package sarif_test

import (
	"bytes"
	"encoding/json"
	"fmt"

	"pangolin/report/sarif"
	"pangolin/verdict"
)

// What is verified is no result: the log says which version of the format it is, and nothing more.
func Example() {
	var out bytes.Buffer
	r := sarif.New(&out, sarif.Options{})
	v := verdict.Verdict{Type: "verdict", Status: verdict.Verified, Package: "example/queue",
		Subject: verdict.Subject{Collection: "queue.Queue", Kind: "queue", Property: "linear"}}
	if err := r.Show(v); err != nil {
		fmt.Println(err)
	}
	if err := r.Close(); err != nil {
		fmt.Println(err)
	}
	var log struct {
		Version string
		Runs    []struct{ Results []any }
	}
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		fmt.Println(err)
	}
	fmt.Println(log.Version, len(log.Runs), len(log.Runs[0].Results))
	// Output: 2.1.0 1 0
}

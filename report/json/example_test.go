// SPDX-License-Identifier: BSD-3-Clause

package json_test

import (
	"os"

	"pangolin/report/json"
	"pangolin/verdict"
)

func ExampleLines_Show() {
	_ = json.New(os.Stdout).Show(verdict.Clients{Kind: "queue", Count: "58"})
	// Output: {"type":"clients","kind":"queue","scope":{},"count":58,"schema":2}
}

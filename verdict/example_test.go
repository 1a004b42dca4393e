// SPDX-License-Identifier: BSD-3-Clause

package verdict_test

import (
	"fmt"

	"pangolin/verdict"
)

// A program that gives several verdicts has one exit code.
func ExampleExitCode() {
	list := []verdict.Verdict{{Status: verdict.Verified}, {Status: verdict.Unknown}, {Status: verdict.Violated}}
	fmt.Println(verdict.ExitCode(list[:1]), verdict.ExitCode(list[:2]), verdict.ExitCode(list))
	// Output: 0 3 1
}

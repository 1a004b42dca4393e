// SPDX-License-Identifier: BSD-3-Clause

package text_test

import (
	"os"

	"pangolin/report/text"
	"pangolin/verdict"
)

func ExamplePrinter_Show() {
	p := text.New(os.Stdout, text.Options{})
	_ = p.Show(verdict.Comparison{Left: "a.aut", Right: "b.aut", Equivalence: "branching", Holds: true})
	_ = p.Close()
	// Output: branching bisimilar
}

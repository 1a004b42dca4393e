// SPDX-License-Identifier: BSD-3-Clause

package json

// The lines about a program, for the test of the schema.
type (
	OutcomeLine = outcomeLine
	SummaryLine = summaryLine
)

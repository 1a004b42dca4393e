// Package study repeats the experiments of published papers and puts what Pangolin
// finds beside what was published.
//
// It takes the case studies of package collections with the expectations that stand
// beside them, verifies each in the paper's configurations, and gives one Cell for
// each entry of the paper's table. It asks package pangolin, as any program can; only the
// study of transition systems needs these systems themselves, and asks engine/refine and lts
// for them. It does not print progress and does not judge: a cell that differs
// from the paper says so, and why if the expectations know.
package study

import "pangolin/verdict"

// Infinite is the published verdict of a cell whose state space is infinite.
const Infinite = verdict.Infinite

// Cell is one entry of a table.
type Cell = verdict.Cell

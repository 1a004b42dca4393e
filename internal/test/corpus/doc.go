// SPDX-License-Identifier: BSD-3-Clause

// Package corpus is the yardstick for Pangolin's execution of Go: programs
// whose real outcomes are known, and the means to compare them with the
// outcomes that the virtual machine enumerates.
//
// It holds three things:
//
//   - a corpus of small concurrent programs (testdata/programs), each with its
//     outcomes and the argument for them in a header that Programs reads;
//   - a corpus of bad inputs (testdata/bad), each with the class of message that
//     it must get, read by BadInputs;
//   - RunNative, which builds programs with the go command and collects the
//     outcomes of many real runs, and Compare, which sets the native, the
//     declared and the enumerated outcomes beside one another.
//
// The package does not know the virtual machine: whoever has one passes a
// function of type Enumerate. Native runs only ever show some of the outcomes of
// a program, so they can refute an enumeration but never confirm that it is
// complete; the declared sets, argued by hand, do that.
package corpus

// Package prelude is Go source that stands for parts of the standard library
// when a program is executed by the machine. It is compiled together with the
// program and never runs natively: a build constraint keeps all files but this one from the go command.
package prelude

// SPDX-License-Identifier: BSD-3-Clause

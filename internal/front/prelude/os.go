//go:build prelude

//pangolin:for os

package prelude

import (
	_ "io/fs" // where the errors are that os has, too
	"os"
)

//pangolin:model os.Stdin
var osStdin = new(os.File)

//pangolin:model os.Stdout
var osStdout = new(os.File)

//pangolin:model os.Stderr
var osStderr = new(os.File)

//pangolin:model os.Args
var osArgs = append([]string{"main"}, arguments()...)

// arguments are those that the program was started with.
func arguments() []string

//pangolin:model (*os.File).WriteString
func fileWriteString(f *os.File, s string) (int, error) {
	switch f {
	case osStdout:
		output(1, s)
	case osStderr:
		output(2, s)
	default:
		unsupported("writing to a file other than standard output and standard error")
	}
	return len(s), nil
}

//pangolin:model (*os.File).Write
func fileWrite(f *os.File, b []byte) (int, error) { return fileWriteString(f, string(b)) }

//pangolin:model (*os.File).Sync
func fileSync(f *os.File) error { return nil }

//pangolin:model (*os.File).Close
func fileClose(f *os.File) error {
	unsupported("closing standard input or output")
	return nil
}

// The environment has a search path and nothing else.

//pangolin:model os.Getenv
func osGetenv(key string) string {
	value, _ := osLookupEnv(key)
	return value
}

//pangolin:model os.LookupEnv
func osLookupEnv(key string) (string, bool) {
	if key == "PATH" {
		return "/usr/bin", true
	}
	return "", false
}

// SPDX-License-Identifier: BSD-3-Clause

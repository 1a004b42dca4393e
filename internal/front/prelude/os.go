//go:build prelude

//pangolin:for os

package prelude

import (
	_ "io/fs" // where the errors are that os has, too
	"os"
	"syscall"
	"unsafe"
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

// The environment of a program has a search path and nothing else, until it sets something.

// environment is what the program has set; a nil string was unset.
var environment map[string]*string

//pangolin:model os.Getenv
func osGetenv(key string) string {
	value, _ := osLookupEnv(key)
	return value
}

//pangolin:model os.LookupEnv
func osLookupEnv(key string) (string, bool) {
	atomicBegin(unsafe.Pointer(&environment), false)
	value, set := environment[key]
	atomicEnd()
	switch {
	case set && value != nil:
		return *value, true
	case !set && key == "PATH":
		return "/usr/bin", true
	}
	return "", false
}

//pangolin:model os.Setenv
func osSetenv(key, value string) error {
	if key == "" {
		return os.NewSyscallError("setenv", syscall.EINVAL)
	}
	changeEnvironment(key, &value)
	return nil
}

//pangolin:model os.Unsetenv
func osUnsetenv(key string) error {
	changeEnvironment(key, nil)
	return nil
}

func changeEnvironment(key string, value *string) {
	atomicBegin(unsafe.Pointer(&environment), true)
	if environment == nil {
		environment = map[string]*string{}
	}
	environment[key] = value
	atomicEnd()
}

// SPDX-License-Identifier: BSD-3-Clause

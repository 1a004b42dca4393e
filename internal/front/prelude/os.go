//go:build prelude

//pangolin:for os

package prelude

import (
	"errors"
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

//pangolin:model os.Getpid
func osGetpid() int { return 2 }

//pangolin:model os.Getppid
func osGetppid() int { return 1 }

//pangolin:model os.Hostname
func osHostname() (string, error) { return "localhost", nil }

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

//pangolin:model os.NewSyscallError
func osNewSyscallError(syscall string, err error) error {
	if err == nil {
		return nil
	}
	return &os.SyscallError{Syscall: syscall, Err: err}
}

//pangolin:model (*os.SyscallError).Error
func syscallErrorText(e *os.SyscallError) string { return e.Syscall + ": " + e.Err.Error() }

//pangolin:model (*os.SyscallError).Unwrap
func syscallErrorUnwrap(e *os.SyscallError) error { return e.Err }

//pangolin:model (*os.SyscallError).Timeout
func syscallErrorTimeout(e *os.SyscallError) bool {
	t, ok := e.Err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}

// errnoText is the text of an error that the system of the machine has.
//
//pangolin:model (syscall.Errno).Error
func errnoText(e syscall.Errno) string {
	switch e {
	case syscall.EINVAL:
		return "invalid argument"
	case syscall.EPIPE:
		return "broken pipe"
	case syscall.EADDRINUSE:
		return "address already in use"
	case syscall.EAFNOSUPPORT:
		return "address family not supported by protocol"
	case syscall.ECONNREFUSED:
		return "connection refused"
	case syscall.ECONNRESET:
		return "connection reset by peer"
	case syscall.ENOTCONN:
		return "transport endpoint is not connected"
	}
	unsupported("the text of an error number that the machine does not have")
	return ""
}

//pangolin:model (syscall.Errno).Is
func errnoIs(e syscall.Errno, target error) bool {
	switch target {
	case os.ErrPermission:
		return e == syscall.EACCES || e == syscall.EPERM
	case os.ErrExist:
		return e == syscall.EEXIST || e == syscall.ENOTEMPTY
	case os.ErrNotExist:
		return e == syscall.ENOENT
	case errors.ErrUnsupported:
		return e == syscall.ENOSYS || e == syscall.ENOTSUP || e == syscall.EOPNOTSUPP
	}
	return false
}

//pangolin:model (syscall.Errno).Temporary
func errnoTemporary(e syscall.Errno) bool {
	return e == syscall.EINTR || e == syscall.EMFILE || e == syscall.ENFILE || errnoTimeout(e)
}

//pangolin:model (syscall.Errno).Timeout
func errnoTimeout(e syscall.Errno) bool {
	return e == syscall.EAGAIN || e == syscall.EWOULDBLOCK || e == syscall.ETIMEDOUT
}

// SPDX-License-Identifier: BSD-3-Clause

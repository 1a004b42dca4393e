// SPDX-License-Identifier: BSD-3-Clause

package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// otherThreads starts threads, and gives a function that calls another one in each of them and returns nil if that succeeded
// in one.
func otherThreads() func(func() error) error {
	const threads = 8
	calls, results := make(chan func() error), make(chan error, threads)
	var begun sync.WaitGroup
	for range threads {
		begun.Add(1)
		go func() {
			runtime.LockOSThread()
			begun.Done()
			for f := range calls {
				results <- f()
				time.Sleep(50 * time.Millisecond) // another thread gets the next call
			}
		}()
	}
	begun.Wait()
	return func(f func() error) (err error) {
		for range threads {
			calls <- f
		}
		for range threads {
			if err = <-results; err == nil {
				return nil
			}
		}
		return err
	}
}

// attack is a process under its guards that tries what a process that was taken over could try. It says what came of it on
// its standard error, and crashes.
func attack(how string, args []string, elsewhere func(func() error) error) int {
	say := func(err error) int {
		if err == nil {
			fmt.Fprintln(os.Stderr, "panic: SUCCEEDED")
		} else {
			fmt.Fprintln(os.Stderr, "panic: failed:", err)
		}
		return 1
	}
	switch strings.TrimPrefix(how, "attack ") {
	case "exec":
		pid, err := syscall.ForkExec(args[0], args, &syscall.ProcAttr{})
		if err == nil {
			_, err = syscall.Wait4(pid, nil, 0, nil)
		}
		return say(err)
	case "stay": // whatever becomes of who waits for it
		fmt.Println(`{"States":1}`)
		time.Sleep(time.Hour)
	case "exec itself":
		return say(syscall.Exec(args[0], []string{args[0], "-h"}, nil))
	case "exec by package exec":
		return say(exec.Command(args[0], "version").Run())
	case "connect":
		c, err := net.Dial("tcp", args[0])
		if err == nil {
			c.Close()
		}
		return say(err)
	case "open a socket in other threads":
		return say(elsewhere(func() error {
			_, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
			return err
		}))
	case "listen":
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err == nil {
			l.Close()
		}
		return say(err)
	case "read":
		_, err := os.ReadFile(args[0])
		return say(err)
	case "write":
		return say(os.WriteFile(args[0], []byte("x"), 0o666))
	case "remove":
		return say(os.Remove(args[0]))
	case "make a directory":
		return say(os.Mkdir(args[0], 0o777))
	case "processes":
		list, err := os.ReadDir("/proc")
		if err == nil && len(list) == 0 {
			err = errors.New("/proc is empty")
		}
		return say(err)
	case "signal":
		return say(syscall.Kill(os.Getppid(), syscall.Signal(0)))
	case "fork":
		pid, _, errno := syscall.RawSyscall(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0)
		if errno == 0 && pid == 0 {
			os.Exit(0)
		}
		if errno != 0 {
			return say(errno)
		}
		return say(nil)
	case "trace":
		return say(syscall.PtraceAttach(os.Getppid()))
	case "mount":
		return say(syscall.Mount("tmpfs", "/", "tmpfs", 0, ""))
	}
	return say(fmt.Errorf("nobody knows %s", how))
}

// Nothing that a process tries under its guards succeeds; without guards the same succeeds.
func TestGuards_WithstandAttacks(t *testing.T) {
	if len(candidates) == 1 {
		t.Skip("this system has no guards")
	}
	j, _ := job(t, sources(t, simple), "Queue")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	if err := os.WriteFile(secret, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	attacks := []struct {
		how string
		arg string
		of  func(Guards) bool // any of the guards that forbid it
	}{
		{"exec", program, func(g Guards) bool { return g.Calls || g.Spaces }},
		{"exec itself", exe(t), func(g Guards) bool { return g.Calls || g.Spaces }},
		{"exec by package exec", program, func(g Guards) bool { return g.Calls || g.Spaces }},
		{"connect", l.Addr().String(), func(g Guards) bool { return g.Calls || g.Spaces }},
		{"open a socket in other threads", "", func(g Guards) bool { return g.Calls }},
		{"listen", "", func(g Guards) bool { return g.Calls }},
		{"read", secret, func(g Guards) bool { return g.Spaces }},
		{"read", "/etc/passwd", func(g Guards) bool { return g.Spaces }},
		{"read", "/../etc/passwd", func(g Guards) bool { return g.Spaces }},
		{"read", "/proc/1/environ", func(g Guards) bool { return g.Spaces }},
		{"write", filepath.Join(outside, "new"), func(g Guards) bool { return g.Calls || g.Spaces || g.Data }},
		{"write", secret, func(g Guards) bool { return g.Calls || g.Spaces || g.Data }},
		{"write", "/new", func(g Guards) bool { return g.Calls || g.Spaces }},
		{"remove", secret, func(g Guards) bool { return g.Calls || g.Spaces }},
		{"make a directory", filepath.Join(outside, "dir"), func(g Guards) bool { return g.Calls || g.Spaces }},
		{"processes", "", func(g Guards) bool { return g.Spaces }},
		{"signal", "", func(g Guards) bool { return g.Calls }},
		{"fork", "", func(g Guards) bool { return g.Calls }},
		{"trace", "", func(g Guards) bool { return g.Calls || g.Spaces }},
		{"mount", "", func(g Guards) bool { return g.Calls }},
	}
	strongest := box(t).guards
	free := []string{"open a socket in other threads", "exec", "exec by package exec", "connect", "listen", "read", "write", "make a directory", "processes", "fork", "signal"}
	for _, guards := range []Guards{strongest, {Spaces: strongest.Spaces, User: strongest.User}, {Calls: strongest.Calls}, {}} {
		for _, a := range attacks {
			open := guards == Guards{}
			if !a.of(guards) && !(open && slices.Contains(free, a.how) && !strings.HasPrefix(a.arg, "/new") && a.arg != "/proc/1/environ") {
				continue
			}
			t.Run(fmt.Sprintf("spaces %t, calls %t, %s %s", guards.Spaces, guards.Calls, a.how, filepath.Base(a.arg)), func(t *testing.T) {
				s := box(t)
				s.config.Command = []string{exe(t), "misbehave", "attack " + a.how, a.arg}
				s.guards = guards
				_, err := s.Run(t.Context(), j, nil)
				var ended *Ended
				if !errors.As(err, &ended) || ended.How != Crashed {
					t.Fatal(err)
				}
				text := ended.Detail
				t.Log(text)
				failed := strings.Contains(text, "failed:") || strings.Contains(text, "bad system call")
				if failed == open || open && !strings.Contains(text, "SUCCEEDED") {
					t.Errorf("without guards: %t; %s", open, text)
				}
			})
		}
	}
}

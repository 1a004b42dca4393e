// SPDX-License-Identifier: BSD-3-Clause

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// candidates are sets of guards, the strongest first.
var candidates = []Guards{
	{Spaces: true, User: true, Calls: true, Data: true},
	{Spaces: true, Calls: true, Data: true}, // where only root may make namespaces
	{Calls: true, Data: true},
	{Data: true},
	{},
}

// start makes a command start in its own process group, and in the namespaces.
func (g *Guards) start(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if g.Spaces {
		cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWNS | unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
	}
	if g.User {
		cmd.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	}
}

// kill ends a process with its group. In namespaces all processes end with the first one.
func kill(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it may have ended
	_ = cmd.Process.Kill()
}

// resident is the memory of a process in bytes; 0 if it is not known.
func resident(pid int) int64 {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// enter sets up the guards of this process: it sees some directories only, is limited by the
// system, and does without most system calls.
func (g *Guards) enter(h *head) error {
	if g.Spaces {
		if err := enclose(h.Root, h.Seen); err != nil {
			return err
		}
	}
	if g.Data {
		if err := limit(&h.Limits); err != nil {
			return err
		}
	}
	if g.Calls {
		return filter()
	}
	return nil
}

// enclose makes root, an empty directory, the root of all files, and shows the given directories in
// it, at the same paths and read-only.
func enclose(root string, seen []string) error {
	step := func(what string, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		return nil
	}
	readOnly := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV | unix.MOUNT_ATTR_NOEXEC}
	if err := step("mounts of one's own", unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")); err != nil {
		return err
	}
	if err := step("mount a root", unix.Mount("tmpfs", root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "mode=755,size=1m")); err != nil {
		return err
	}
	for _, dir := range seen {
		at := filepath.Join(root, dir)
		if err := os.MkdirAll(at, 0o755); err != nil {
			return err
		}
		if err := step("mount "+dir, unix.Mount(dir, at, "", unix.MS_BIND, "")); err != nil {
			return err
		}
		if err := step("mount read-only "+dir, unix.MountSetattr(unix.AT_FDCWD, at, 0, readOnly)); err != nil {
			return err
		}
	}
	if err := os.Chdir(root); err != nil {
		return err
	}
	if err := step("change the root", unix.PivotRoot(".", ".")); err != nil {
		return err
	}
	if err := step("leave the old root", unix.Unmount(".", unix.MNT_DETACH)); err != nil {
		return err
	}
	if err := os.Chdir("/"); err != nil {
		return err
	}
	return step("make the root read-only", unix.MountSetattr(unix.AT_FDCWD, "/", 0, readOnly))
}

// limit sets the limits of the system.
func limit(l *Limits) error {
	cpu := uint64(max(l.CPU.Seconds(), 1))
	for _, r := range []struct {
		what int
		most uint64
	}{
		{unix.RLIMIT_DATA, uint64(l.Memory)},
		{unix.RLIMIT_CPU, cpu + 1},
		{unix.RLIMIT_FSIZE, 0},
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_NOFILE, 512},
	} {
		if err := unix.Setrlimit(r.what, &unix.Rlimit{Cur: r.most, Max: r.most}); err != nil {
			return fmt.Errorf("limit %d: %w", r.what, err)
		}
	}
	return nil
}

// allowed are the system calls that the Go runtime needs, and reading files. Names that a platform
// lacks are left out there.
var allowed = strings.Fields(`
	read readv pread64 write writev close lseek fstat newfstatat stat lstat statx statfs fstatfs getdents64 readlinkat readlink
	access faccessat faccessat2 getcwd dup dup3 fcntl pipe2 eventfd2 epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 poll ppoll pselect6
	mmap munmap mprotect mremap madvise brk mincore membarrier futex set_robust_list get_robust_list rseq set_tid_address arch_prctl
	sched_yield sched_getaffinity nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time getitimer setitimer
	timer_create timer_settime timer_delete timer_gettime rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack tgkill gettid getpid getppid
	getuid geteuid getgid getegid getrandom uname sysinfo getrusage prlimit64 getrlimit exit exit_group restart_syscall`)

// fatal are system calls that end the process at once: there is no reason to make them but an
// attack.
var fatal = strings.Fields(`execve execveat fork vfork ptrace socket socketpair connect bind listen accept accept4 sendto sendmsg mount umount2 pivot_root
	chroot unshare setns bpf init_module finit_module kexec_load process_vm_readv process_vm_writev io_uring_setup keyctl add_key reboot`)

// policy is the filter of system calls.
func policy() (*seccomp.Policy, error) {
	info, err := arch.GetInfo("")
	if err != nil {
		return nil, err
	}
	here := func(names []string) (list []string) {
		for _, name := range names {
			if _, ok := info.SyscallNames[name]; ok {
				list = append(list, name)
			}
		}
		return list
	}
	const writing = unix.O_WRONLY | unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC | unix.O_APPEND
	reading := []seccomp.NameWithConditions{
		{Name: "openat", Conditions: seccomp.ArgumentConditions{{Argument: 2, Operation: seccomp.BitsNotSet, Value: writing}}},
		{Name: "clone", Conditions: seccomp.ArgumentConditions{{Argument: 0, Operation: seccomp.BitsSet, Value: unix.CLONE_THREAD}}},
	}
	return &seccomp.Policy{DefaultAction: seccomp.ActionErrno, Syscalls: []seccomp.SyscallGroup{
		{Names: here(fatal), Action: seccomp.ActionKillProcess},
		{Names: here(allowed), NamesWithCondtions: reading, Action: seccomp.ActionAllow},
	}}, nil
}

// filter installs the filter for all threads of this process, which cannot gain privileges from now
// on.
func filter() error {
	p, err := policy()
	if err != nil {
		return err
	}
	code, err := p.Assemble()
	if err != nil {
		return err
	}
	// A C library asks for threads by clone3, whose flags a filter cannot see, and by clone if there
	// is no clone3.
	code = append([]bpf.Instruction{
		bpf.LoadAbsolute{Off: 0, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_CLONE3, SkipTrue: 1},
		bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)},
	}, code...)
	raw, err := bpf.Assemble(code)
	if err != nil {
		return err
	}
	var list []unix.SockFilter
	for _, r := range raw {
		list = append(list, unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K})
	}
	runtime.LockOSThread() // both calls have to be of one thread; the second one takes the others along
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	program := unix.SockFprog{Len: uint16(len(list)), Filter: &list[0]}
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return fmt.Errorf("filter of system calls: %w", errno)
	}
	if thread != 0 {
		return errors.New("filter of system calls: a thread could not be taken along")
	}
	return nil
}

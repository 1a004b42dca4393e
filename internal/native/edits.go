package native

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// edit is a change of one file of the standard library. The texts are those of one
// release of Go; a release that lacks one is reported, never patched half.
type edit struct {
	file string // below GOROOT/src
	old  string // must occur
	new  string
	all  bool // replace every occurrence; else there must be exactly one
}

// edits are where the runtime and the library ask for their turn. See runtime_turn.go.txt
// for the functions they call.
var edits = []edit{
	// Goroutines: born waiting, parked and made ready under control, gone.
	{file: "runtime/runtime2.go", old: "\tvalgrindStackID uintptr\n}", new: "\tvalgrindStackID uintptr\n\n\tturn uint32\n}"},
	{file: "runtime/proc.go", old: "func newproc(fn *funcval) {\n\tgp := getg()\n\tpc := sys.GetCallerPC()\n",
		new: "func newproc(fn *funcval) {\n\tgp := getg()\n\tpc := sys.GetCallerPC()\n\tif gp.turn != 0 {\n\t\tif fn == nil {\n\t\t\tturnYield(turnKindExit, 0, 0, pc)\n\t\t\tturnFatal(\"go of nil func value\")\n\t\t}\n\t\tuser := turnIsUser(pc)\n\t\tvar newg *g\n\t\tsystemstack(func() { newg = newproc1(fn, gp, pc, true, waitReasonZero) })\n\t\tturnAdopt(newg, gp.turn, user)\n\t\treturn\n\t}\n"},
	{file: "runtime/proc.go", old: "\tif bubble != nil {\n\t\tbubble.decActive()\n\t}\n\n\tschedule()\n}\n\nfunc goschedImpl",
		new: "\tif bubble != nil {\n\t\tbubble.decActive()\n\t}\n\n\tif gp.turn != 0 {\n\t\tturnStopped(gp, false)\n\t}\n\tschedule()\n}\n\nfunc goschedImpl"},
	{file: "runtime/proc.go", old: "\tif readgstatus(gp)&^_Gscan == _Gsyscall {\n\t\t// Don't bother",
		new: "\tif gp.turn != 0 { // a function that is preempted leaves its arguments on the stack\n\t\treturn false\n\t}\n\tif readgstatus(gp)&^_Gscan == _Gsyscall {\n\t\t// Don't bother"},
	{file: "runtime/stack.go", old: "var startingStackSize uint32 = fixedStack\n",
		new: "// A stack that grows is moved, and when it grows depends on what has been executed before.\nvar startingStackSize uint32 = 8 * fixedStack\n"},
	{file: "runtime/proc.go", old: "\t\tnewg = malg(stackMin)\n", new: "\t\tnewg = malg(int32(startingStackSize))\n"},
	{file: "runtime/stack.go", old: "\tnew := stackalloc(uint32(newsize))\n",
		new: "\tnew := stackalloc(uint32(newsize))\n\tif gp.turn != 0 { // as in turnAdopt\n\t\tmemclrNoHeapPointers(unsafe.Pointer(new.lo), new.hi-new.lo)\n\t}\n"},
	{file: "runtime/proc.go", old: "func ready(gp *g, traceskip int, next bool) {\n", new: "func ready(gp *g, traceskip int, next bool) {\n\tif gp.turn != 0 && turnSwallow(gp) {\n\t\treturn\n\t}\n"},
	{file: "runtime/proc.go", old: "\tcasgstatus(gp, _Grunning, _Gdead)\n\tgcController.addScannableStack(pp, -int64(gp.stack.hi-gp.stack.lo))\n\tif isSystemGoroutine(gp, false) {\n\t\tsched.ngsys.Add(-1)\n\t}\n\tgp.m = nil\n\tlocked",
		new: "\tif gp.turn != 0 {\n\t\tturnStopped(gp, true)\n\t}\n\tcasgstatus(gp, _Grunning, _Gdead)\n\tgcController.addScannableStack(pp, -int64(gp.stack.hi-gp.stack.lo))\n\tif isSystemGoroutine(gp, false) {\n\t\tsched.ngsys.Add(-1)\n\t}\n\tgp.m = nil\n\tlocked"},
	{file: "runtime/proc.go", old: "func Gosched() {\n\tcheckTimeouts()\n", new: "func Gosched() {\n\tcheckTimeouts()\n\tif getg().turn != 0 {\n\t\tturnGosched()\n\t\treturn\n\t}\n"},

	// Packages under test are initialised when the driver says so.
	{file: "runtime/proc.go", old: "func doInit1(t *initTask) {\n", new: "func doInit1(t *initTask) {\n\tif turnPutOff(t) {\n\t\treturn\n\t}\n"},

	// How executions end.
	{file: "runtime/panic.go", old: "func fatal(s string) {\n", new: "func fatal(s string) {\n\tturnFatal(s)\n"},
	{file: "runtime/panic.go", old: "func fatalpanic(msgs *_panic) {\n", new: "func fatalpanic(msgs *_panic) {\n\tturnPanicked(msgs)\n"},
	{file: "runtime/print.go", old: "func gwrite(b []byte) {\n\tif len(b) == 0 {\n\t\treturn\n\t}\n", new: "func gwrite(b []byte) {\n\tif len(b) == 0 {\n\t\treturn\n\t}\n\tif turnPrint(b) {\n\t\treturn\n\t}\n"},
	{file: "runtime/print.go", old: "func printlock() {\n", new: "func printlock() {\n\tturnOutput()\n"},
	{file: "os/proc.go", old: "\truntime_beforeExit(code)\n", new: "\tturnExit(code)\n\truntime_beforeExit(code)\n"},
	{file: "os/file.go", old: "func (f *File) Write(b []byte) (n int, err error) {\n", new: "func (f *File) Write(b []byte) (n int, err error) {\n\tturnOutput()\n"},
	{file: "syscall/syscall_unix.go", old: "func Write(fd int, p []byte) (n int, err error) {\n",
		new: "func Write(fd int, p []byte) (n int, err error) {\n\tif (fd == 1 || fd == 2) && turnWrite(fd, p) {\n\t\treturn len(p), nil\n\t}\n"},

	// Files and connections: who is ready is noted, as with ready above, and nothing is closed behind an execution's back.
	{file: "runtime/netpoll.go", old: "\tif rg != nil {\n\t\ttoRun.push(rg)\n\t}\n\tif wg != nil {\n\t\ttoRun.push(wg)\n\t}\n",
		new: "\tif rg != nil && !turnPolled(rg) {\n\t\ttoRun.push(rg)\n\t}\n\tif wg != nil && !turnPolled(wg) {\n\t\ttoRun.push(wg)\n\t}\n"},
	{file: "runtime/netpoll.go", old: "\treturn netpollInited.Load() != 0\n", new: "\treturn netpollInited.Load() != 0 && !turns.on\n"},
	{file: "runtime/netpoll.go", old: "func poll_runtime_pollWait(pd *pollDesc, mode int) int {\n", new: "func poll_runtime_pollWait(pd *pollDesc, mode int) int {\n\tturnGather()\n"},
	{file: "runtime/mfinal.go", old: "func SetFinalizer(obj any, finalizer any) {\n", new: "func SetFinalizer(obj any, finalizer any) {\n\tif turnActive() {\n\t\treturn\n\t}\n"},
	{file: "runtime/mcleanup.go", old: "func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) Cleanup {\n", new: "func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) Cleanup {\n\tif turnActive() {\n\t\treturn Cleanup{}\n\t}\n"},
	{file: "os/tempfile.go", old: "//go:linkname runtime_rand runtime.rand\n", new: "//go:linkname runtime_rand runtime.turnNumber\n"},
	{file: "os/file_unix.go", old: "func openFileNolog(name string, flag int, perm FileMode) (*File, error) {\n", new: "func openFileNolog(name string, flag int, perm FileMode) (*File, error) {\n\tturnSystem()\n"},
	{file: "os/file_unix.go", old: "func rename(oldname, newname string) error {\n", new: "func rename(oldname, newname string) error {\n\tturnSystem()\n"},
	{file: "os/file_unix.go", old: "func Remove(name string) error {\n", new: "func Remove(name string) error {\n\tturnSystem()\n"},
	{file: "os/file_unix.go", old: "func Truncate(name string, size int64) error {\n", new: "func Truncate(name string, size int64) error {\n\tturnSystem()\n"},
	{file: "os/file_unix.go", old: "func Link(oldname, newname string) error {\n", new: "func Link(oldname, newname string) error {\n\tturnSystem()\n"},
	{file: "os/file_unix.go", old: "func Symlink(oldname, newname string) error {\n", new: "func Symlink(oldname, newname string) error {\n\tturnSystem()\n"},
	{file: "os/stat_unix.go", old: "func statNolog(name string) (FileInfo, error) {\n", new: "func statNolog(name string) (FileInfo, error) {\n\tturnSystem()\n"},
	{file: "os/stat_unix.go", old: "func lstatNolog(name string) (FileInfo, error) {\n", new: "func lstatNolog(name string) (FileInfo, error) {\n\tturnSystem()\n"},
	{file: "os/file.go", old: "func Mkdir(name string, perm FileMode) error {\n", new: "func Mkdir(name string, perm FileMode) error {\n\tturnSystem()\n"},
	{file: "net/sock_posix.go", old: "sotype, proto int, ipv6only bool, laddr, raddr sockaddr, ctrlCtxFn func(context.Context, string, string, syscall.RawConn) error) (fd *netFD, err error) {\n\ts, err := sysSocket(",
		new: "sotype, proto int, ipv6only bool, laddr, raddr sockaddr, ctrlCtxFn func(context.Context, string, string, syscall.RawConn) error) (fd *netFD, err error) {\n\tturnSystem()\n\ts, err := sysSocket("},
	{file: "net/fd_unix.go", old: "func (fd *netFD) connect(ctx context.Context, la, ra syscall.Sockaddr) (rsa syscall.Sockaddr, ret error) {\n", new: "func (fd *netFD) connect(ctx context.Context, la, ra syscall.Sockaddr) (rsa syscall.Sockaddr, ret error) {\n\tturnSystem()\n"},

	// Channels.
	{file: "runtime/chan.go", old: "\tif raceenabled {\n\t\tracereadpc(c.raceaddr(), callerpc, abi.FuncPCABIInternal(chansend))\n\t}\n", new: "\tturnChannel(c, block, true)\n"},
	{file: "runtime/chan.go", old: "\tif c.bubble != nil && getg().bubble != c.bubble {\n\t\tfatal(\"receive on synctest channel from outside bubble\")\n\t}\n",
		new: "\tturnChannel(c, block, false)\n"},
	{file: "runtime/chan.go", old: "\tif c.bubble != nil && getg().bubble != c.bubble {\n\t\tfatal(\"close of synctest channel from outside bubble\")\n\t}\n", new: "\tturnChannel(c, true, false)\n"},
	{file: "runtime/chan.go", old: "func chanlen(c *hchan) int {\n\tif c == nil {\n\t\treturn 0\n\t}\n", new: "func chanlen(c *hchan) int {\n\tif c == nil {\n\t\treturn 0\n\t}\n\tturnBefore(turnKindChan, unsafe.Pointer(c), -1)\n"},
	{file: "runtime/select.go", old: "\t// generate permuted order\n", new: "\tif gp.turn != 0 {\n\t\tturnBefore(turnKindSelect, nil, -1)\n\t}\n\n\t// generate permuted order\n"},
	{file: "runtime/select.go", old: "\t\tj := cheaprandn(uint32(norder + 1))\n", new: "\t\tj := uint32(norder)\n\t\tif gp.turn == 0 {\n\t\t\tj = cheaprandn(uint32(norder + 1))\n\t\t}\n"},
	{file: "runtime/select.go", old: "\tlockorder = lockorder[:norder]\n", new: "\tlockorder = lockorder[:norder]\n\tif gp.turn != 0 {\n\t\tturnSelect(scases, pollorder, nsends, block)\n\t}\n"},

	{file: "runtime/chan.go", old: "if raceenabled", new: "if turnenabled", all: true},
	{file: "runtime/chan.go", old: "\tcallerpc := sys.GetCallerPC()\n\t\tracewritepc(c.raceaddr(), callerpc, abi.FuncPCABIInternal(closechan))\n", new: "\t_ = abi.FuncPCABIInternal(closechan)\n"},
	{file: "runtime/chan.go", old: "raceacquire(", new: "turnacquire(", all: true},
	{file: "runtime/chan.go", old: "raceacquireg(", new: "turnacquireg(", all: true},
	{file: "runtime/chan.go", old: "racerelease(", new: "turnrelease(", all: true},
	{file: "runtime/chan.go", old: "racereleaseg(", new: "turnreleaseg(", all: true},
	{file: "runtime/chan.go", old: "racereleaseacquire(", new: "turnreleaseacquire(", all: true},
	{file: "runtime/chan.go", old: "racereleaseacquireg(", new: "turnreleaseacquireg(", all: true},
	{file: "runtime/select.go", old: "\tif raceenabled {\n\t\traceacquire(c.raceaddr())\n", new: "\tif turnenabled {\n\t\tturnacquire(c.raceaddr())\n"},
	{file: "runtime/select.go", old: "\tif raceenabled {\n\t\tif cas.elem != nil {\n\t\t\traceWriteObjectPC(c.elemtype, cas.elem, casePC(casi), chanrecvpc)\n\t\t}\n\t\tracenotify(c, c.recvx, nil)\n", new: "\tif turnenabled {\n\t\tracenotify(c, c.recvx, nil)\n"},
	{file: "runtime/select.go", old: "\tif raceenabled {\n\t\tracenotify(c, c.sendx, nil)\n\t\traceReadObjectPC(c.elemtype, cas.elem, casePC(casi), chansendpc)\n", new: "\tif turnenabled {\n\t\tracenotify(c, c.sendx, nil)\n"},

	// Built-ins that touch memory for their callers.
	{file: "runtime/iface.go", old: "if raceenabled", new: "if turnenabled", all: true},
	{file: "runtime/iface.go", old: "raceReadObjectPC(", new: "turnReadObjectPC(", all: true},
	{file: "runtime/slice.go", old: "if raceenabled", new: "if turnenabled", all: true},
	{file: "runtime/slice.go", old: "racereadrangepc(", new: "turnreadrangepc(", all: true},
	{file: "runtime/slice.go", old: "racewriterangepc(", new: "turnwriterangepc(", all: true},
	{file: "runtime/string.go", old: "if raceenabled", new: "if turnenabled", all: true},
	{file: "runtime/string.go", old: "racereadrangepc(", new: "turnreadrangepc(", all: true},
	// Nothing is called where a string's bytes are compared, joined or copied: no string changes. Those of unsafe.String do, so they are
	// read where it is made. The compiler's flag checkptr has a call there, and others that are to do nothing.
	{file: "runtime/unsafe.go", old: "\tunsafestring64(ptr, len64)\n\n\t// Check", new: "\tunsafestring64(ptr, len64)\n\tturnFor(uintptr(ptr), uintptr(len64), sys.GetCallerPC(), 0)\n\n\t// Check"},
	{file: "runtime/checkptr.go", old: "func checkptrAlignment(p unsafe.Pointer, elem *_type, n uintptr) {\n", new: "func checkptrAlignment(p unsafe.Pointer, elem *_type, n uintptr) {\n\tif turnenabled {\n\t\treturn\n\t}\n"},
	{file: "runtime/checkptr.go", old: "func checkptrStraddles(ptr unsafe.Pointer, size uintptr) bool {\n", new: "func checkptrStraddles(ptr unsafe.Pointer, size uintptr) bool {\n\tif turnenabled {\n\t\treturn false\n\t}\n"},
	{file: "runtime/checkptr.go", old: "func checkptrArithmetic(p unsafe.Pointer, originals []unsafe.Pointer) {\n", new: "func checkptrArithmetic(p unsafe.Pointer, originals []unsafe.Pointer) {\n\tif turnenabled {\n\t\treturn\n\t}\n"},
	{file: "runtime/mbarrier.go", old: "\tif raceenabled {\n\t\tcallerpc := sys.GetCallerPC()\n\t\tpc := abi.FuncPCABIInternal(slicecopy)\n\t\tracewriterangepc(dstPtr, uintptr(n)*typ.Size_, callerpc, pc)\n\t\tracereadrangepc(srcPtr, uintptr(n)*typ.Size_, callerpc, pc)\n",
		new: "\tif turnenabled {\n\t\tcallerpc := sys.GetCallerPC()\n\t\tpc := abi.FuncPCABIInternal(slicecopy)\n\t\tturnreadrangepc(srcPtr, uintptr(n)*typ.Size_, callerpc, pc)\n\t\tturnwriterangepc(dstPtr, uintptr(n)*typ.Size_, callerpc, pc)\n"},
	{file: "runtime/map.go", old: "if raceenabled", new: "if turnenabled", all: true},
	{file: "runtime/map.go", old: "racereadpc(", new: "turnreadpc(", all: true},
	{file: "runtime/map.go", old: "racewritepc(", new: "turnwritepc(", all: true},
	{file: "runtime/map.go", old: "raceReadObjectPC(", new: "turnReadObjectPC(", all: true},

	// What would differ from one execution to the next.
	{file: "runtime/map.go", old: "\tit.Init(t, m)\n\tit.Next()\n", new: "\tif turnIterates() {\n\t\tit.TurnInit(t, m)\n\t\treturn\n\t}\n\tit.Init(t, m)\n\tit.Next()\n"},
	{file: "runtime/map.go", old: "\tit.Next()\n}\n\n// mapclear", new: "\tif it.TurnNext() {\n\t\treturn\n\t}\n\tit.Next()\n}\n\n// mapclear"},
	{file: "runtime/rand.go", old: "func rand() uint64 {\n", new: "func rand() uint64 {\n\tif getg().turn != 0 {\n\t\treturn 0\n\t}\n"},
	{file: "runtime/rand.go", old: "func maps_rand() uint64 {\n", new: "func maps_rand() uint64 {\n\tif getg().turn != 0 {\n\t\treturn 0\n\t}\n"},
	{file: "runtime/time.go", old: "func timeSleep(ns int64) {\n", new: "func timeSleep(ns int64) {\n\tif getg().turn != 0 {\n\t\tturnSleep(ns)\n\t\treturn\n\t}\n"},
	{file: "runtime/time.go", old: "func time_runtimeNano() int64 {\n", new: "func time_runtimeNano() int64 {\n\tif getg().turn != 0 {\n\t\treturn 1_000_000_000 + turns.now\n\t}\n"},
	{file: "runtime/time.go", old: "func time_runtimeNow() (sec int64, nsec int32, mono int64) {\n", new: "func time_runtimeNow() (sec int64, nsec int32, mono int64) {\n\tif getg().turn != 0 {\n\t\treturn 1_700_000_000 + turns.now/1e9, int32(turns.now % 1e9), 1_000_000_000 + turns.now\n\t}\n"},
	{file: "runtime/sema.go", old: "func notifyListNotifyOne(l *notifyList) {\n", new: "func notifyListNotifyOne(l *notifyList) {\n\tturnPickWaiter(l)\n"},

	// Locks and their kin. Within one operation there is a turn wherever another
	// goroutine could see the difference. What gives something back asks first, before it notes that what was done before is known to
	// whoever takes it: that goes for nobody who comes while the turn is waited for.
	{file: "internal/sync/mutex.go", old: "func (m *Mutex) Lock() {\n", new: "func (m *Mutex) Lock() {\n\tturnSync(unsafe.Pointer(m))\n"},
	{file: "internal/sync/mutex.go", old: "func (m *Mutex) Unlock() {\n", new: "func (m *Mutex) Unlock() {\n\tturnSync(unsafe.Pointer(m))\n"},
	{file: "internal/sync/mutex.go", old: "func (m *Mutex) TryLock() bool {\n", new: "func (m *Mutex) TryLock() bool {\n\tturnTry(unsafe.Pointer(m))\n"},
	{file: "internal/sync/mutex.go", old: "\tif !atomic.CompareAndSwapInt32(&m.state, old, old|mutexLocked) {\n\t\treturn false\n\t}\n",
		new: "\tif !atomic.CompareAndSwapInt32(&m.state, old, old|mutexLocked) {\n\t\treturn false\n\t}\n\tturnModified()\n"},
	{file: "internal/sync/mutex.go", old: "runtime_nanotime()", new: "turnNanotime()", all: true},
	{file: "sync/rwmutex.go", old: "\tif rw.readerCount.Add(1) < 0 {\n", new: "\tturnSync(unsafe.Pointer(rw))\n\tif rw.readerCount.Add(1) < 0 {\n"},
	{file: "sync/rwmutex.go", old: "func (rw *RWMutex) TryRLock() bool {\n", new: "func (rw *RWMutex) TryRLock() bool {\n\tturnTry(unsafe.Pointer(rw))\n"},
	{file: "sync/rwmutex.go", old: "\t\tif rw.readerCount.CompareAndSwap(c, c+1) {\n", new: "\t\tif rw.readerCount.CompareAndSwap(c, c+1) {\n\t\t\tturnModified()\n"},
	{file: "sync/rwmutex.go", old: "func (rw *RWMutex) RUnlock() {\n", new: "func (rw *RWMutex) RUnlock() {\n\tturnSync(unsafe.Pointer(rw))\n"},
	{file: "sync/rwmutex.go", old: "\tif rw.readerWait.Add(-1) == 0 {\n", new: "\tturnSync(unsafe.Pointer(rw))\n\tif rw.readerWait.Add(-1) == 0 {\n"},
	{file: "sync/rwmutex.go", old: "\tr := rw.readerCount.Add(-rwmutexMaxReaders) + rwmutexMaxReaders\n", new: "\tturnSync(unsafe.Pointer(rw))\n\tr := rw.readerCount.Add(-rwmutexMaxReaders) + rwmutexMaxReaders\n"},
	{file: "sync/rwmutex.go", old: "\tif r != 0 && rw.readerWait.Add(r) != 0 {\n", new: "\tif r != 0 {\n\t\tturnSync(unsafe.Pointer(rw))\n\t}\n\tif r != 0 && rw.readerWait.Add(r) != 0 {\n"},
	{file: "sync/rwmutex.go", old: "\tif !rw.readerCount.CompareAndSwap(0, -rwmutexMaxReaders) {\n", new: "\tturnSync(unsafe.Pointer(rw))\n\tif !rw.readerCount.CompareAndSwap(0, -rwmutexMaxReaders) {\n"},
	{file: "sync/rwmutex.go", old: "func (rw *RWMutex) Unlock() {\n", new: "func (rw *RWMutex) Unlock() {\n\tturnSync(unsafe.Pointer(rw))\n"},
	{file: "sync/waitgroup.go", old: "func (wg *WaitGroup) Add(delta int) {\n", new: "func (wg *WaitGroup) Add(delta int) {\n\tturnSync(unsafe.Pointer(wg))\n"},
	{file: "sync/waitgroup.go", old: "\tif wg.state.Load() != state {\n", new: "\tturnSync(unsafe.Pointer(wg))\n\tif wg.state.Load() != state {\n"},
	{file: "sync/waitgroup.go", old: "\twg.state.Store(0)\n", new: "\tturnSync(unsafe.Pointer(wg))\n\twg.state.Store(0)\n"},
	{file: "sync/waitgroup.go", old: "\t\tstate := wg.state.Load()\n", new: "\t\tturnTry(unsafe.Pointer(wg))\n\t\tstate := wg.state.Load()\n"},
	{file: "sync/waitgroup.go", old: "\t\tif wg.state.CompareAndSwap(state, state+1) {\n", new: "\t\tturnSync(unsafe.Pointer(wg))\n\t\tif wg.state.CompareAndSwap(state, state+1) {\n"},
	{file: "sync/once.go", old: "func (o *Once) Do(f func()) {\n", new: "func (o *Once) Do(f func()) {\n\tturnOnce(o)\n"},
	{file: "sync/cond.go", old: "\tt := runtime_notifyListAdd(&c.notify)\n", new: "\tturnSync(unsafe.Pointer(&c.notify))\n\tt := runtime_notifyListAdd(&c.notify)\n"},
	{file: "sync/cond.go", old: "\truntime_notifyListNotifyOne(&c.notify)\n", new: "\tturnSync(unsafe.Pointer(&c.notify))\n\tturnNote(unsafe.Pointer(&c.notify), 16)\n\truntime_notifyListNotifyOne(&c.notify)\n"},
	{file: "sync/cond.go", old: "\truntime_notifyListNotifyAll(&c.notify)\n", new: "\tturnSync(unsafe.Pointer(&c.notify))\n\tturnNote(unsafe.Pointer(&c.notify), 16)\n\truntime_notifyListNotifyAll(&c.notify)\n"},
	// The memory model has an edge from a signal to the wait that it ends; the race detector has none.
	{file: "sync/cond.go", old: "\truntime_notifyListWait(&c.notify, t)\n", new: "\truntime_notifyListWait(&c.notify, t)\n\tturnNote(unsafe.Pointer(&c.notify), 4)\n"},
	{file: "sync/pool.go", old: "func (p *Pool) Put(x any) {\n\tif x == nil {\n\t\treturn\n\t}\n", new: "func (p *Pool) Put(x any) {\n\tif x == nil {\n\t\treturn\n\t}\n\tif turnActive() {\n\t\tturnPut(p, x)\n\t\treturn\n\t}\n"},
	{file: "sync/pool.go", old: "func (p *Pool) Get() any {\n", new: "func (p *Pool) Get() any {\n\tif turnActive() {\n\t\treturn turnGet(p)\n\t}\n"},

	// Timers fire at any time, whatever their durations, or when nobody else can go on.
	{file: "time/sleep.go", old: "func NewTimer(d Duration) *Timer {\n", new: "func NewTimer(d Duration) *Timer {\n\tif turnActive() {\n\t\treturn turnNewTimer(nil, false, d)\n\t}\n"},
	{file: "time/sleep.go", old: "func AfterFunc(d Duration, f func()) *Timer {\n", new: "func AfterFunc(d Duration, f func()) *Timer {\n\tif turnActive() {\n\t\treturn turnNewTimer(f, false, d)\n\t}\n"},
	{file: "time/sleep.go", old: "\treturn stopTimer(t)\n", new: "\tif turnActive() {\n\t\treturn turnStopTimer(t)\n\t}\n\treturn stopTimer(t)\n"},
	{file: "time/sleep.go", old: "\tw := when(d)\n", new: "\tif turnActive() {\n\t\treturn turnResetTimer(t, d)\n\t}\n\tw := when(d)\n"},
	{file: "time/tick.go", old: "\tc := make(chan Time, 1)\n", new: "\tif turnActive() {\n\t\treturn (*Ticker)(unsafe.Pointer(turnNewTimer(nil, true, d)))\n\t}\n\tc := make(chan Time, 1)\n"},
	{file: "time/tick.go", old: "\tstopTimer((*Timer)(unsafe.Pointer(t)))\n", new: "\tif turnActive() {\n\t\tturnStopTimer((*Timer)(unsafe.Pointer(t)))\n\t\treturn\n\t}\n\tstopTimer((*Timer)(unsafe.Pointer(t)))\n"},
	{file: "time/tick.go", old: "\tresetTimer((*Timer)(unsafe.Pointer(t)), when(d), int64(d))\n", new: "\tif turnActive() {\n\t\tturnResetTimer((*Timer)(unsafe.Pointer(t)), d)\n\t\treturn\n\t}\n\tresetTimer((*Timer)(unsafe.Pointer(t)), when(d), int64(d))\n"},

	// TestMain calls it.
	{file: "testing/testing.go", old: "func (m *M) Run() (code int) {\n", new: "func (m *M) Run() (code int) {\n\tif turned.F != nil {\n\t\tm.exitCode = turnRun()\n\t\treturn m.exitCode\n\t}\n"},
}

// added are files that are put beside those of the library.
var added = map[string]string{
	"runtime/zz_turn.go":               "runtime_turn.go.txt",
	"internal/sync/zz_turn.go":         "internal_sync_turn.go.txt",
	"sync/zz_turn.go":                  "sync_turn.go.txt",
	"sync/atomic/zz_turn.go":           "atomic_turn.go.txt",
	"internal/runtime/maps/zz_turn.go": "maps_turn.go.txt",
	"os/zz_turn.go":                    "os_turn.go.txt",
	"syscall/zz_turn.go":               "syscall_turn.go.txt",
	"math/rand/zz_turn.go":             "rand_turn.go.txt",
	"math/rand/v2/zz_turn.go":          "rand_turn.go.txt",
	"internal/race/norace.go":          "race_turn.go.txt",
	"time/zz_turn.go":                  "time_turn.go.txt",
	"internal/poll/zz_turn.go":         "poll_turn.go.txt",
	"net/zz_turn.go":                   "net_turn.go.txt",
	"testing/zz_turn.go":               "testing_turn.go.txt",
}

// library gives the changed and added files of the standard library, by path below
// GOROOT/src; "" as a text removes the file.
func library(goroot string) (map[string]string, error) {
	src := filepath.Join(goroot, "src")
	out := map[string]string{}
	for _, e := range edits {
		if err := e.apply(src, out); err != nil {
			return nil, err
		}
	}
	for to, from := range added {
		text, err := patches.ReadFile("patch/" + from)
		if err != nil {
			return nil, err
		}
		out[to] = string(text)
	}
	if err := atomics(src, out); err != nil {
		return nil, err
	}
	if err := syncMap(src, out); err != nil {
		return nil, err
	}
	if err := draws(src, out); err != nil {
		return nil, err
	}
	if err := descriptors(src, out); err != nil {
		return nil, err
	}
	return out, mapAccesses(src, out)
}

func (e *edit) apply(src string, out map[string]string) error {
	text, ok := out[e.file]
	if !ok {
		b, err := os.ReadFile(filepath.Join(src, e.file))
		if err != nil {
			return fmt.Errorf("the second opinion needs the sources of the standard library: %w", err)
		}
		text = string(b)
	}
	if n := strings.Count(text, e.old); n == 0 || n > 1 && !e.all {
		return fmt.Errorf("the second opinion does not know this release of Go: %s has %d times %q", filepath.Join(src, e.file), n, e.old)
	}
	out[e.file] = strings.ReplaceAll(text, e.old, e.new)
	return nil
}

var atomicFunc = regexp.MustCompile(`(?m)^(?://go:noescape\n)?func (Swap|CompareAndSwap|Add|And|Or|Load|Store)(\w+)\(([^\n]*)$`)

// atomicBodies say what the functions of sync/atomic do: no more is needed while one
// goroutine runs at a time. Compiled code of the library has instructions in their place.
//
// turnNote says what the operation means for the order of accesses: 4 acquires, 8 releases,
// 16 adds a release to those before.
var atomicBodies = map[string]string{
	"Swap":           "\tturnAtomicWrite(unsafe.Pointer(addr), unsafe.Sizeof(*addr))\n\told = *addr\n\tif old != new {\n\t\t*addr = new\n\t\tturnModified()\n\t}\n\tturnNote(unsafe.Pointer(addr), 4|16)\n\treturn\n",
	"CompareAndSwap": "\tturnAtomicWrite(unsafe.Pointer(addr), unsafe.Sizeof(*addr))\n\tif *addr != old {\n\t\tturnNote(unsafe.Pointer(addr), 4)\n\t\treturn false\n\t}\n\tif old != new {\n\t\t*addr = new\n\t\tturnModified()\n\t}\n\tturnNote(unsafe.Pointer(addr), 4|16)\n\treturn true\n",
	"Add":            "\tturnAtomicWrite(unsafe.Pointer(addr), unsafe.Sizeof(*addr))\n\tif delta != 0 {\n\t\tturnModified()\n\t}\n\t*addr += delta\n\tturnNote(unsafe.Pointer(addr), 4|16)\n\treturn *addr\n",
	"And":            "\tturnAtomicWrite(unsafe.Pointer(addr), unsafe.Sizeof(*addr))\n\told = *addr\n\tif *addr &= mask; *addr != old {\n\t\tturnModified()\n\t}\n\tturnNote(unsafe.Pointer(addr), 4|16)\n\treturn\n",
	"Or":             "\tturnAtomicWrite(unsafe.Pointer(addr), unsafe.Sizeof(*addr))\n\told = *addr\n\tif *addr |= mask; *addr != old {\n\t\tturnModified()\n\t}\n\tturnNote(unsafe.Pointer(addr), 4|16)\n\treturn\n",
	"Load":           "\tturnAtomicRead(unsafe.Pointer(addr), unsafe.Sizeof(*addr))\n\tturnNote(unsafe.Pointer(addr), 4)\n\treturn *addr\n",
	"Store":          "\tturnAtomicWrite(unsafe.Pointer(addr), unsafe.Sizeof(*addr))\n\tturnNote(unsafe.Pointer(addr), 8)\n\tif *addr != val {\n\t\t*addr = val\n\t\tturnModified()\n\t}\n",
}

// atomics gives the functions of sync/atomic bodies in Go.
func atomics(src string, out map[string]string) error {
	out["sync/atomic/asm.s"] = "// Every function has a body in Go.\n"
	for _, name := range []string{"doc.go", "doc_64.go"} {
		b, err := os.ReadFile(filepath.Join(src, "sync/atomic", name))
		if err != nil {
			return err
		}
		text := atomicFunc.ReplaceAllStringFunc(string(b), func(line string) string {
			m := atomicFunc.FindStringSubmatch(line)
			// Under its own name the compiler would put an instruction in its place.
			return "//go:noinline\nfunc " + m[1] + m[2] + "(" + m[3] + " {\n" + atomicBodies[m[1]] + "}\n\n" +
				"//go:noinline\nfunc turn" + m[1] + m[2] + "(" + m[3] + " {\n" + atomicBodies[m[1]] + "}"
		})
		if strings.Contains(text, "//go:noescape") {
			return fmt.Errorf("the second opinion does not know this release of Go: sync/atomic/%s", name)
		}
		if !strings.Contains(text, `"unsafe"`) {
			text = strings.Replace(text, "package atomic\n", "package atomic\n\nimport \"unsafe\"\n", 1)
		}
		out["sync/atomic/"+name] = text
	}
	if err := atomicMethods(src, out); err != nil {
		return err
	}
	value, err := os.ReadFile(filepath.Join(src, "sync/atomic/value.go"))
	if err != nil {
		return err
	}
	text := string(value)
	for _, f := range []struct{ head, ask string }{
		{"func (v *Value) Load() (val any) {\n", "turnAtomicLook"},
		{"func (v *Value) Store(val any) {\n", "turnAtomicChange"},
		{"func (v *Value) Swap(new any) (old any) {\n", "turnAtomicChange"},
		{"func (v *Value) CompareAndSwap(old, new any) (swapped bool) {\n", "turnAtomicChange"},
	} {
		if strings.Count(text, f.head) != 1 {
			return fmt.Errorf("the second opinion does not know this release of Go: sync/atomic/value.go lacks %q", f.head)
		}
		text = strings.Replace(text, f.head, f.head+"\t"+f.ask+"(unsafe.Pointer(v))\n", 1)
	}
	// What a method does behind its turn is part of it. These two are no instructions, and would ask for turns of their own.
	text = innerExchange.ReplaceAllString(text, "inTurn$1(")
	out["sync/atomic/value.go"] = text
	b, err := os.ReadFile(filepath.Join(src, "runtime/atomic_pointer.go"))
	if err != nil {
		return err
	}
	head, _, found := strings.Cut(string(b), "// Like above, but implement in terms of sync/atomic's uintptr operations.")
	if !found {
		return fmt.Errorf("the second opinion does not know this release of Go: runtime/atomic_pointer.go")
	}
	out["runtime/atomic_pointer.go"] = head
	return nil
}

var innerExchange = regexp.MustCompile(`\b(SwapPointer)\(`)

var atomicCall = regexp.MustCompile(`\b((?:Swap|CompareAndSwap|Add|And|Or|Load|Store)(?:Int32|Int64|Uint32|Uint64|Uintptr|Pointer))\(&x\.`)

// atomicMethods lets the methods of the types of sync/atomic ask for their turn.
func atomicMethods(src string, out map[string]string) error {
	b, err := os.ReadFile(filepath.Join(src, "sync/atomic/type.go"))
	if err != nil {
		return err
	}
	if n := len(atomicCall.FindAll(b, -1)); n < 40 {
		return fmt.Errorf("the second opinion does not know this release of Go: sync/atomic/type.go has %d methods that are known", n)
	}
	out["sync/atomic/type.go"] = string(atomicCall.ReplaceAll(b, []byte("turn$1(&x.")))
	return nil
}

var mapMethod = regexp.MustCompile(`(?m)^func \(m \*Map\) (\w+)\([^\n]*\{\n`)

// syncMap gives each operation of a sync.Map one turn, and Range one for each entry.
func syncMap(src string, out map[string]string) error {
	b, err := os.ReadFile(filepath.Join(src, "sync/map.go"))
	if err != nil {
		return err
	}
	text := mapMethod.ReplaceAllStringFunc(string(b), func(head string) string {
		switch name := mapMethod.FindStringSubmatch(head)[1]; name {
		case "Load":
			return head + "\tturnLook(m)\n"
		case "Range":
			return head + "\tif turnRange(m, f) {\n\t\treturn\n\t}\n"
		}
		return head + "\tturnChange(m)\n"
	})
	if strings.Count(text, "\tturnChange(m)\n") < 7 || !strings.Contains(text, "turnRange(m, f)") {
		return fmt.Errorf("the second opinion does not know this release of Go: sync/map.go")
	}
	out["sync/map.go"] = text
	return nil
}

var drawFunc = regexp.MustCompile(`(?m)^func (Intn|Int31n|Int63n|IntN|Int32N|Int64N|UintN|Uint32N|Uint64N)\(n (\w+)\) \w+ *\{`)

const randomSource = "//go:linkname runtime_rand runtime.rand\n"

// draws lets a draw of a random number below a small bound give each of them. All other random numbers are the same in each execution.
func draws(src string, out map[string]string) error {
	for _, name := range []string{"math/rand/rand.go", "math/rand/v2/rand.go"} {
		b, err := os.ReadFile(filepath.Join(src, name))
		if err != nil {
			return err
		}
		if n := len(drawFunc.FindAll(b, -1)); n < 3 || !strings.Contains(string(b), randomSource) {
			return fmt.Errorf("the second opinion does not know this release of Go: %s", name)
		}
		b = []byte(strings.Replace(string(b), randomSource, "//go:linkname runtime_rand runtime.turnRandom\n", 1))
		out[name] = string(drawFunc.ReplaceAll(b, []byte("$0\n\tif i, ok := turnDraw(uint64(n)); ok {\n\t\treturn $2(i)\n\t}\n")))
	}
	return nil
}

var descriptorMethod = regexp.MustCompile(`(?m)^func \(fd \*FD\) (?:Read|Pread|Write|Pwrite|Accept|Close|F[sc]\w+|Wait\w+|Raw\w+)\w*\([^\n]*\{\n`)

// descriptors gives each operation on a file or a connection a turn.
func descriptors(src string, out map[string]string) error {
	const name = "internal/poll/fd_unix.go"
	b, err := os.ReadFile(filepath.Join(src, name))
	if err != nil {
		return err
	}
	if n := len(descriptorMethod.FindAll(b, -1)); n < 20 {
		return fmt.Errorf("the second opinion does not know this release of Go: %s has %d methods that are known", name, n)
	}
	out[name] = string(descriptorMethod.ReplaceAll(b, []byte("$0\tturnSystem()\n")))
	return nil
}

// mapAccesses lets the functions of maps report their accesses as those of their callers.
func mapAccesses(src string, out map[string]string) error {
	files, err := filepath.Glob(filepath.Join(src, "internal/runtime/maps/runtime*.go"))
	if err != nil {
		return err
	}
	replace := strings.NewReplacer(
		"race.Enabled", "turnEnabled",
		"race.ReadPC(", "turnRead(",
		"race.WritePC(", "turnWrite(",
		"race.ReadObjectPC(", "turnReadKey(",
		"\t\"internal/race\"\n", "")
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text := replace.Replace(string(b))
		if strings.Contains(text, "race.") && !strings.Contains(text, "//go:build") {
			return fmt.Errorf("the second opinion does not know this release of Go: %s", file)
		}
		out["internal/runtime/maps/"+filepath.Base(file)] = text
	}
	return nil
}

// SPDX-License-Identifier: BSD-3-Clause

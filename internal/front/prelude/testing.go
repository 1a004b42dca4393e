//go:build prelude

//pangolin:for testing

package prelude

import (
	"context"
	_ "fmt" // render
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// A test prints what it has logged when it has failed, and nothing otherwise; times are left
// out. Parallel tests run as package testing has it: when the function of the test around
// them has returned, all at once. A temporary directory is a name: what makes files in it is not modelled.

// testState is what the pointers that tests are given really point to. Several goroutines
// read and write it, in atomic steps, as the original does under a lock.
type testState struct {
	test     testing.T
	name     string
	level    int
	text     string // of its log, and of those of the tests inside
	failed   bool
	skipped  bool
	stopped  bool // by FailNow or SkipNow
	ended    bool
	parallel bool
	parent   *testState
	names    []string    // of the tests inside
	subs     []chan bool // of the tests inside that are parallel: each ends
	signal   chan bool   // it has ended, or is parallel and waits
	barrier  chan bool   // closed when the parallel tests inside may go on
	cleanups []func()
	ctx      context.Context // nil: nobody has asked for it
	cancel   context.CancelFunc
	over     bool // contexts have been cancelled
	dirs     int  // temporary directories that were asked for
}

func testOf(t *testing.T) *testState {
	if fuzzing != nil && unsafe.Pointer(t) == unsafe.Pointer(&fuzzing.fuzz) {
		return fuzzing.state
	}
	return (*testState)(unsafe.Pointer(t))
}

// fuzzing is the fuzz test that is executed; nil: none. It is set before any test begins.
var fuzzing *fuzzTest

// fuzzTest is what the pointer that a fuzz test is given points to.
type fuzzTest struct {
	fuzz  testing.F
	state *testState
	seeds [][]any
	files [][]any // seeds that are files of testdata, each behind its name in a [1]string
}

func (s *testState) begin(write bool) { atomicBegin(unsafe.Pointer(&s.failed), write) }

func newTest(parent *testState, name string) *testState {
	s := &testState{name: name, parent: parent, signal: make(chan bool, 1)}
	if parent != nil {
		s.level = parent.level + 1
	}
	return s
}

// run is the goroutine of a test.
func (s *testState) run(f func(t *testing.T)) {
	returned := false
	defer func() {
		if returned || s.hasStopped() {
			s.end()
		}
	}()
	f(&s.test)
	returned = true
}

// end is what happens when the function of a test has returned, or was stopped by FailNow or
// SkipNow. A panic goes on and ends the program.
func (s *testState) end() {
	s.begin(true)
	subs, barrier := s.subs, s.barrier
	atomicEnd()
	if len(subs) > 0 {
		close(barrier)
		for _, ended := range subs {
			<-ended
		}
	}
	s.begin(true)
	s.over = true
	cancel := s.cancel
	atomicEnd()
	if cancel != nil {
		cancel()
	}
	defer s.finish()
	s.clean()
}

// finish comes when everything else is done, whatever stopped that.
func (s *testState) finish() {
	s.report()
	s.signal <- true
}

// clean calls what Cleanup was given, the last first, although one may stop the test.
func (s *testState) clean() {
	if f := s.cleanup(); f != nil {
		defer s.clean()
		f()
	}
}

// cleanup takes the last of the functions that Cleanup was given; nil if there is none.
func (s *testState) cleanup() (f func()) {
	s.begin(true)
	if n := len(s.cleanups); n > 0 {
		f = s.cleanups[n-1]
		s.cleanups = s.cleanups[:n-1]
	}
	atomicEnd()
	return f
}

// report gives the log of a test that has failed to the test around it, or prints it.
func (s *testState) report() {
	s.begin(true)
	s.ended = true
	failed, text := s.failed, s.text
	atomicEnd()
	if !failed {
		return
	}
	indent := ""
	for range s.level {
		indent += "    "
	}
	text = indent + "--- FAIL: " + s.name + "\n" + text
	if s.parent == nil {
		output(1, text)
		return
	}
	s.parent.begin(true)
	s.parent.text += text
	atomicEnd()
}

// log adds a line, with the place of the call, to the log.
func (s *testState) log(line string) {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	if s.add(callerPlace() + ": " + line + "\n") {
		panic("Log in goroutine after " + s.name + " has completed: " + line)
	}
}

// add adds a text to the log, and says whether the test has ended.
func (s *testState) add(text string) (ended bool) {
	for range s.level + 1 {
		text = "    " + text
	}
	s.begin(true)
	defer atomicEnd()
	s.text += text
	return s.ended
}

// callerLine is runtime.Caller without the program counter; helper says that the function calls Helper of a test.
func callerLine(skip int) (file string, line int, helper, ok bool)

// callerPlace is the file and line from which package testing was called, by a function that is no helper if there is one. It executes the same instructions in whichever directory the
// file was loaded: a witness counts them.
func callerPlace() string {
	last := "???:1"
	for depth := 3; ; depth++ {
		file, line, helper, ok := callerLine(depth)
		if !ok {
			return last
		}
		if file != "prelude/testing.go" && file != "testing/testing.go" && file != "prelude/pangolin.go" {
			file = "/" + file
			at := len(file) - 1
			for file[at] != '/' {
				at--
			}
			last = file[at+1:] + ":" + strconv.Itoa(line)
			if !helper {
				return last
			}
		}
	}
}

func (s *testState) fail() {
	for p := s; p != nil; p = p.parent {
		p.begin(true)
		ended := p.ended
		p.failed = true
		atomicEnd()
		if ended {
			panic("Fail in goroutine after " + p.name + " has completed")
		}
	}
}

func (s *testState) stop() {
	s.begin(true)
	s.stopped = true
	atomicEnd()
	runtime.Goexit()
}

func (s *testState) hasStopped() bool {
	s.begin(false)
	stopped := s.stopped
	atomicEnd()
	return stopped
}

// inner is the name of a test inside, which no other one has.
func (s *testState) inner(name string) string {
	full := s.name + "/" + strings.ReplaceAll(name, " ", "_")
	s.begin(true)
	number := 0
	for _, other := range s.names {
		if other == full {
			number++
		}
	}
	s.names = append(s.names, full)
	atomicEnd()
	if number == 0 && name != "" {
		return full
	}
	suffix := strconv.Itoa(number)
	if number < 10 {
		suffix = "0" + suffix
	}
	return full + "#" + suffix
}

//pangolin:model (*testing.common).Error
func testError(t *testing.T, args ...any) {
	testOf(t).log(render("", modeLine, args))
	testOf(t).fail()
}

//pangolin:model (*testing.common).Errorf
func testErrorf(t *testing.T, format string, args ...any) {
	testOf(t).log(render(format, modeFormat, args))
	testOf(t).fail()
}

//pangolin:model (*testing.common).Fatal
func testFatal(t *testing.T, args ...any) {
	testOf(t).log(render("", modeLine, args))
	testFailNow(t)
}

//pangolin:model (*testing.common).Fatalf
func testFatalf(t *testing.T, format string, args ...any) {
	testOf(t).log(render(format, modeFormat, args))
	testFailNow(t)
}

//pangolin:model (*testing.common).Fail
func testFail(t *testing.T) { testOf(t).fail() }

//pangolin:model (*testing.common).FailNow
func testFailNow(t *testing.T) {
	testOf(t).fail()
	testOf(t).stop()
}

//pangolin:model (*testing.common).Failed
func testFailed(t *testing.T) bool {
	testOf(t).begin(false)
	failed := testOf(t).failed
	atomicEnd()
	return failed
}

//pangolin:model (*testing.common).Log
func testLog(t *testing.T, args ...any) { testOf(t).log(render("", modeLine, args)) }

//pangolin:model (*testing.common).Logf
func testLogf(t *testing.T, format string, args ...any) {
	testOf(t).log(render(format, modeFormat, args))
}

//pangolin:model (*testing.common).Skip
func testSkip(t *testing.T, args ...any) {
	testOf(t).log(render("", modeLine, args))
	testSkipNow(t)
}

//pangolin:model (*testing.common).Skipf
func testSkipf(t *testing.T, format string, args ...any) {
	testOf(t).log(render(format, modeFormat, args))
	testSkipNow(t)
}

//pangolin:model (*testing.common).SkipNow
func testSkipNow(t *testing.T) {
	testOf(t).begin(true)
	testOf(t).skipped = true
	atomicEnd()
	testOf(t).stop()
}

//pangolin:model (*testing.common).Skipped
func testSkipped(t *testing.T) bool {
	testOf(t).begin(false)
	skipped := testOf(t).skipped
	atomicEnd()
	return skipped
}

//pangolin:model (*testing.common).Helper
func testHelper(t *testing.T) {}

//pangolin:model (*testing.common).Name
func testName(t *testing.T) string { return testOf(t).name }

//pangolin:model (*testing.common).Attr
func testAttr(t *testing.T, key, value string) {}

//pangolin:model (*testing.common).Context
func testContext(t *testing.T) context.Context {
	s := testOf(t)
	s.begin(false)
	ctx := s.ctx
	atomicEnd()
	if ctx != nil {
		return ctx
	}
	around := context.Background()
	if s.parent != nil {
		around = testContext(&s.parent.test)
	}
	ctx, cancel := context.WithCancel(around)
	s.begin(true)
	if s.ctx == nil {
		s.ctx, s.cancel = ctx, cancel
	}
	ctx = s.ctx
	over := s.over
	atomicEnd()
	if over { // who asks behind the end gets one that is cancelled
		cancel()
	}
	return ctx
}

//pangolin:model (*testing.common).Cleanup
func testCleanup(t *testing.T, f func()) {
	s := testOf(t)
	s.begin(true)
	s.cleanups = append(s.cleanups, f)
	atomicEnd()
}

//pangolin:model (*testing.common).TempDir
func testTempDir(t *testing.T) string {
	s := testOf(t)
	s.begin(true)
	s.dirs++
	number := strconv.Itoa(s.dirs)
	atomicEnd()
	for len(number) < 3 {
		number = "0" + number
	}
	return "/tmp/" + strings.ReplaceAll(s.name, "/", "_") + "/" + number
}

//pangolin:model (*testing.common).Setenv
func testSetenv(t *testing.T, key, value string) {
	before, had := osLookupEnv(key)
	if err := osSetenv(key, value); err != nil {
		testFatalf(t, "cannot set environment variable: %v", err)
	}
	testCleanup(t, func() {
		if had {
			osSetenv(key, before)
		} else {
			osUnsetenv(key)
		}
	})
}

//pangolin:model (*testing.common).Chdir
func testChdir(t *testing.T, dir string) { unsupported("changing the directory") }

//pangolin:model (*testing.T).Setenv
func testTSetenv(t *testing.T, key, value string) {
	for s := testOf(t); s != nil; s = s.parent {
		if s.parallel {
			panic("testing: test using t.Setenv, t.Chdir, or cryptotest.SetGlobalRandom can not use t.Parallel")
		}
	}
	testSetenv(t, key, value)
}

//pangolin:model (*testing.T).Chdir
func testTChdir(t *testing.T, dir string) { unsupported("changing the directory") }

//pangolin:model (*testing.T).Deadline
func testDeadline(t *testing.T) (at time.Time, ok bool) { return at, false }

//pangolin:model (*testing.T).Parallel
func testParallel(t *testing.T) {
	s := testOf(t)
	s.begin(true)
	again := s.parallel
	s.parallel = true
	atomicEnd()
	if again {
		panic("testing: t.Parallel called multiple times")
	}
	if s.parent == nil {
		return // the only test there is
	}
	around, ended := s.parent, make(chan bool, 1)
	around.begin(true)
	if around.barrier == nil {
		around.barrier = make(chan bool)
	}
	around.subs = append(around.subs, ended)
	barrier, waits := around.barrier, s.signal
	atomicEnd()
	s.signal = ended
	waits <- true
	<-barrier
}

//pangolin:model (*testing.T).Run
func testRun(t *testing.T, name string, f func(t *testing.T)) bool {
	around := testOf(t)
	s := newTest(around, around.inner(name))
	signal := s.signal
	go s.run(f)
	<-signal
	return !testFailed(&s.test)
}

//pangolin:model testing.Short
func testingShort() bool { return argument("-test.short=") == "true" }

// argument is what stands behind a prefix in one of the program's arguments; "" if it is in none.
func argument(prefix string) string {
	for _, arg := range arguments() {
		if value, ok := strings.CutPrefix(arg, prefix); ok {
			return value
		}
	}
	return ""
}

//pangolin:model testing.Verbose
func testingVerbose() bool { return argument("-test.v=") == "true" }

// inTest says whether the program is a test.
func inTest() bool

//pangolin:model testing.Testing
func testingTesting() bool { return inTest() }

//pangolin:model testing.AllocsPerRun
func testingAllocsPerRun(runs int, f func()) float64 {
	f()
	return 0
}

// callArgument stands before the name of a test and "#" and a number: of the calls of CheckFunc
// in that test only this one is executed, and the program ends behind it.
const callArgument = "-pangolin.call="

// scheduled are the tests and examples of the program, code is how they have ended.
var (
	scheduledTests    []testing.InternalTest
	scheduledExamples []testing.InternalExample
	scheduledFuzz     []testing.InternalFuzzTarget
	scheduledCode     int
)

// testingMain runs tests one after the other, and examples. If one fails the exit status is 1. The first argument is no pattern, as in
// package testing, but what calls TestMain: it gets "TestMain" then, and nil if there is none.
//
//pangolin:model testing.Main
func testingMain(main func(pat, str string) (bool, error), tests []testing.InternalTest, _ []testing.InternalBenchmark, examples []testing.InternalExample) {
	scheduledTests, scheduledExamples = tests, examples
	code := 0
	if main != nil {
		main("TestMain", "")
		code = scheduledCode
	} else {
		code = runScheduled()
	}
	if argument(callArgument) != "" {
		unsupported("a test that does not come to the call of CheckFunc that it comes to natively")
	}
	if code != 0 {
		os.Exit(code)
	}
}

//pangolin:model (*testing.M).Run
func testingRun(_ *testing.M) int {
	scheduledCode = runScheduled()
	return scheduledCode
}

// runScheduled runs the tests and examples and gives the exit status.
func runScheduled() int {
	code := 0
	for _, test := range scheduledTests {
		s := newTest(nil, test.Name)
		signal := s.signal
		go s.run(test.F)
		<-signal
		if testFailed(&s.test) {
			code = 1
		}
	}
	for _, target := range scheduledFuzz {
		s := newTest(nil, target.Name)
		fuzzing = &fuzzTest{state: s}
		signal := s.signal
		go s.run(func(*testing.T) { target.Fn(&fuzzing.fuzz) })
		<-signal
		if testFailed(&s.test) {
			code = 1
		}
	}
	for _, e := range scheduledExamples {
		if !runExample(e) {
			code = 1
		}
	}
	return code
}

// printed takes back what was printed to standard output.
func printed() string

// runExample compares what an example prints with what it should.
func runExample(e testing.InternalExample) bool {
	before := printed()
	e.F()
	got, want := strings.TrimSpace(printed()), strings.TrimSpace(e.Output)
	output(1, before)
	if strings.Contains(got, "pangolin/prelude.") {
		unsupported("an example that prints the names of the functions which call it: some are of package testing natively, and models here")
	}
	if e.Unordered {
		if sortedLines(got) == sortedLines(want) {
			return true
		}
		output(1, "--- FAIL: "+e.Name+"\ngot:\n"+got+"\nwant (unordered):\n"+want+"\n")
		return false
	}
	if got == want {
		return true
	}
	output(1, "--- FAIL: "+e.Name+"\ngot:\n"+got+"\nwant:\n"+want+"\n")
	return false
}

func sortedLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		for j := i; j > 0 && lines[j] < lines[j-1]; j-- {
			lines[j], lines[j-1] = lines[j-1], lines[j]
		}
	}
	return strings.Join(lines, "\n")
}

// A fuzz test runs its seeds, one after the other, each as a test inside.

// fuzzScheduled says which fuzz test Main runs; what package testing's MainStart takes beside them is left to Main.
//
//pangolin:model testing.MainStart
func fuzzScheduled(_ any, _ []testing.InternalTest, _ []testing.InternalBenchmark, targets []testing.InternalFuzzTarget, _ []testing.InternalExample) *testing.M {
	scheduledFuzz = targets
	return nil
}

// fuzzAdd adds a seed. Seeds of files are added by the file that runs the test, before the test; it puts their names in front, in a type that no seed has.
//
//pangolin:model (*testing.F).Add
func fuzzAdd(_ *testing.F, args ...any) {
	if len(args) > 0 {
		if _, ok := args[0].([1]string); ok {
			fuzzing.files = append(fuzzing.files, args)
			return
		}
	}
	fuzzing.seeds = append(fuzzing.seeds, args)
}

//pangolin:model (*testing.F).Fuzz
func fuzzFuzz(_ *testing.F, ff any) {
	for i, args := range fuzzing.seeds {
		testRun(&fuzzing.state.test, "seed#"+strconv.Itoa(i), func(t *testing.T) { fuzzCall(t, ff, args) })
	}
	for _, args := range fuzzing.files {
		testRun(&fuzzing.state.test, args[0].([1]string)[0], func(t *testing.T) { fuzzCall(t, ff, args[1:]) })
	}
}

//pangolin:model (*testing.F).Fail
func fuzzFail(_ *testing.F) { fuzzing.state.fail() }

//pangolin:model (*testing.F).Helper
func fuzzHelper(f *testing.F) {}

//pangolin:model (*testing.F).Skipped
func fuzzSkipped(_ *testing.F) bool { return testSkipped(&fuzzing.state.test) }

// fuzzCall calls a function with the values of a seed; the types are those that are used most.
func fuzzCall(t *testing.T, ff any, args []any) {
	switch f := ff.(type) {
	case func(*testing.T, []byte):
		f(t, args[0].([]byte))
	case func(*testing.T, string):
		f(t, args[0].(string))
	case func(*testing.T, bool):
		f(t, args[0].(bool))
	case func(*testing.T, int):
		f(t, args[0].(int))
	case func(*testing.T, uint):
		f(t, args[0].(uint))
	case func(*testing.T, byte):
		f(t, args[0].(byte))
	case func(*testing.T, int64):
		f(t, args[0].(int64))
	case func(*testing.T, uint64):
		f(t, args[0].(uint64))
	case func(*testing.T, int, int):
		f(t, args[0].(int), args[1].(int))
	case func(*testing.T, string, string):
		f(t, args[0].(string), args[1].(string))
	case func(*testing.T, string, int):
		f(t, args[0].(string), args[1].(int))
	case func(*testing.T, []byte, int):
		f(t, args[0].([]byte), args[1].(int))
	case func(*testing.T, []byte, []byte):
		f(t, args[0].([]byte), args[1].([]byte))
	case func(*testing.T, []byte, string):
		f(t, args[0].([]byte), args[1].(string))
	default:
		unsupported("a fuzz test with parameters of these types: its function takes one of []byte, string, bool, byte, int, uint, int64 and uint64, or two of int, string and []byte")
	}
}

// SPDX-License-Identifier: BSD-3-Clause

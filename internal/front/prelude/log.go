//go:build prelude

//pangolin:for log

package prelude

import (
	_ "fmt" // render
	"io"
	"log"
	"os"
	"sync"
	"unsafe"
)

// Lines carry a logger's prefix, but neither time nor place, whatever its flags are: time
// does not pass, and places are not those that a user sees.

// loggerState is what the pointers that New and Default return really point to. What may
// be set is read and written in atomic steps, as the original does it.
type loggerState struct {
	logger log.Logger
	mu     sync.Mutex // held while a line is written
	out    io.Writer
	prefix string
	flags  int
}

var standardLogger = loggerState{out: osStderr, flags: log.LstdFlags}

func loggerOf(l *log.Logger) *loggerState { return (*loggerState)(unsafe.Pointer(l)) }

// begin starts an atomic step.
func (l *loggerState) begin(write bool) { atomicBegin(unsafe.Pointer(&l.flags), write) }

// line writes a line. To the program's own output that is one step.
func (l *loggerState) line(s string) {
	if len(s) == 0 || s[len(s)-1] != '\n' {
		s += "\n"
	}
	l.begin(false)
	out := l.out
	s = l.prefix + s
	if f, ok := out.(*os.File); ok && (f == osStdout || f == osStderr) {
		fileWriteString(f, s)
		atomicEnd()
		return
	}
	atomicEnd()
	l.mu.Lock()
	defer l.mu.Unlock()
	write(out, s)
}

func (l *loggerState) println(args []any)               { l.line(render("", modeLine, args)) }
func (l *loggerState) print(args []any)                 { l.line(render("", modePlain, args)) }
func (l *loggerState) printf(format string, args []any) { l.line(render(format, modeFormat, args)) }

func (l *loggerState) panic(s string) {
	l.line(s)
	panic(s)
}

//pangolin:model log.New
func logNew(out io.Writer, prefix string, flags int) *log.Logger {
	return &(&loggerState{out: out, prefix: prefix, flags: flags}).logger
}

//pangolin:model log.Default
func logDefault() *log.Logger { return &standardLogger.logger }

//pangolin:model log.Println
func logPrintln(args ...any) { standardLogger.println(args) }

//pangolin:model log.Print
func logPrint(args ...any) { standardLogger.print(args) }

//pangolin:model log.Printf
func logPrintf(format string, args ...any) { standardLogger.printf(format, args) }

//pangolin:model log.Output
func logOutput(depth int, s string) error { standardLogger.line(s); return nil }

//pangolin:model log.Fatalln
func logFatalln(args ...any) { standardLogger.println(args); os.Exit(1) }

//pangolin:model log.Fatal
func logFatal(args ...any) { standardLogger.print(args); os.Exit(1) }

//pangolin:model log.Fatalf
func logFatalf(format string, args ...any) { standardLogger.printf(format, args); os.Exit(1) }

//pangolin:model log.Panicln
func logPanicln(args ...any) { standardLogger.panic(render("", modeLine, args)) }

//pangolin:model log.Panic
func logPanic(args ...any) { standardLogger.panic(render("", modePlain, args)) }

//pangolin:model log.Panicf
func logPanicf(format string, args ...any) { standardLogger.panic(render(format, modeFormat, args)) }

//pangolin:model log.Flags
func logFlags() int { return loggerFlags(&standardLogger.logger) }

//pangolin:model log.SetFlags
func logSetFlags(flags int) { loggerSetFlags(&standardLogger.logger, flags) }

//pangolin:model log.Prefix
func logPrefix() string { return loggerPrefix(&standardLogger.logger) }

//pangolin:model log.SetPrefix
func logSetPrefix(prefix string) { loggerSetPrefix(&standardLogger.logger, prefix) }

//pangolin:model log.Writer
func logWriter() io.Writer { return loggerWriter(&standardLogger.logger) }

//pangolin:model log.SetOutput
func logSetOutput(w io.Writer) { loggerSetOutput(&standardLogger.logger, w) }

//pangolin:model (*log.Logger).Println
func loggerPrintln(l *log.Logger, args ...any) { loggerOf(l).println(args) }

//pangolin:model (*log.Logger).Print
func loggerPrint(l *log.Logger, args ...any) { loggerOf(l).print(args) }

//pangolin:model (*log.Logger).Printf
func loggerPrintf(l *log.Logger, format string, args ...any) { loggerOf(l).printf(format, args) }

//pangolin:model (*log.Logger).Output
func loggerOutput(l *log.Logger, depth int, s string) error { loggerOf(l).line(s); return nil }

//pangolin:model (*log.Logger).Fatalln
func loggerFatalln(l *log.Logger, args ...any) { loggerOf(l).println(args); os.Exit(1) }

//pangolin:model (*log.Logger).Fatal
func loggerFatal(l *log.Logger, args ...any) { loggerOf(l).print(args); os.Exit(1) }

//pangolin:model (*log.Logger).Fatalf
func loggerFatalf(l *log.Logger, format string, args ...any) {
	loggerOf(l).printf(format, args)
	os.Exit(1)
}

//pangolin:model (*log.Logger).Panicln
func loggerPanicln(l *log.Logger, args ...any) { loggerOf(l).panic(render("", modeLine, args)) }

//pangolin:model (*log.Logger).Panic
func loggerPanic(l *log.Logger, args ...any) { loggerOf(l).panic(render("", modePlain, args)) }

//pangolin:model (*log.Logger).Panicf
func loggerPanicf(l *log.Logger, format string, args ...any) {
	loggerOf(l).panic(render(format, modeFormat, args))
}

//pangolin:model (*log.Logger).Flags
func loggerFlags(l *log.Logger) int {
	loggerOf(l).begin(false)
	flags := loggerOf(l).flags
	atomicEnd()
	return flags
}

//pangolin:model (*log.Logger).SetFlags
func loggerSetFlags(l *log.Logger, flags int) {
	loggerOf(l).begin(true)
	loggerOf(l).flags = flags
	atomicEnd()
}

//pangolin:model (*log.Logger).Prefix
func loggerPrefix(l *log.Logger) string {
	loggerOf(l).begin(false)
	prefix := loggerOf(l).prefix
	atomicEnd()
	return prefix
}

//pangolin:model (*log.Logger).SetPrefix
func loggerSetPrefix(l *log.Logger, prefix string) {
	loggerOf(l).begin(true)
	loggerOf(l).prefix = prefix
	atomicEnd()
}

//pangolin:model (*log.Logger).Writer
func loggerWriter(l *log.Logger) io.Writer {
	loggerOf(l).begin(false)
	w := loggerOf(l).out
	atomicEnd()
	return w
}

//pangolin:model (*log.Logger).SetOutput
func loggerSetOutput(l *log.Logger, w io.Writer) {
	loggerOf(l).begin(true)
	loggerOf(l).out = w
	atomicEnd()
}

// SPDX-License-Identifier: BSD-3-Clause

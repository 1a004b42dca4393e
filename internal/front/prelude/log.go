//go:build prelude

//pangolin:for log

package prelude

import "os"

// The standard logger's lines carry no time: it does not pass.

func logLine(s string) {
	if len(s) == 0 || s[len(s)-1] != '\n' {
		s += "\n"
	}
	output(2, s)
}

//pangolin:model log.Println
func logPrintln(args ...any) { logLine(render("", modeLine, args)) }

//pangolin:model log.Print
func logPrint(args ...any) { logLine(render("", modePlain, args)) }

//pangolin:model log.Printf
func logPrintf(format string, args ...any) { logLine(render(format, modeFormat, args)) }

//pangolin:model log.Fatalln
func logFatalln(args ...any) { logPrintln(args...); os.Exit(1) }

//pangolin:model log.Fatal
func logFatal(args ...any) { logPrint(args...); os.Exit(1) }

//pangolin:model log.Fatalf
func logFatalf(format string, args ...any) { logPrintf(format, args...); os.Exit(1) }

//pangolin:model log.Panicln
func logPanicln(args ...any) { s := render("", modeLine, args); logLine(s); panic(s) }

//pangolin:model log.Panic
func logPanic(args ...any) { s := render("", modePlain, args); logLine(s); panic(s) }

//pangolin:model log.Panicf
func logPanicf(format string, args ...any) {
	s := render(format, modeFormat, args)
	logLine(s)
	panic(s)
}

//pangolin:model log.SetFlags
func logSetFlags(int) {}

//pangolin:model log.SetPrefix
func logSetPrefix(string) {}

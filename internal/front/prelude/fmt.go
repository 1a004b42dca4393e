//go:build prelude

//pangolin:for fmt

package prelude

import (
	"fmt"
	"io"
	"os"
)

// Formatting: the machine formats (formatWith) with what the Error and String methods of the values
// give; these are called here, as Go code of the program, since they may do anything.

const (
	modeFormat = iota // Sprintf
	modePlain         // Sprint
	modeLine          // Sprintln
	modeError         // Errorf
)

// formatNeeds returns the values, found inside args in order, on which the
// formatting calls Error or String. A nil before a value says that it calls
// GoString.
func formatNeeds(format string, mode int, args []any) []any

// formatWith formats; texts[i] is what Error or String gave for need i.
func formatWith(format string, mode int, args []any, texts []string) string

// isNilPointer says whether v holds a nil pointer.
func isNilPointer(v any) bool

func render(format string, mode int, args []any) string {
	needs := formatNeeds(format, mode, args)
	var texts []string
	if len(needs) > 0 {
		texts = make([]string, len(needs))
		goSyntax := false
		for i, v := range needs {
			if v != nil {
				texts[i] = textOf(v, goSyntax)
			}
			goSyntax = v == nil
		}
	}
	return formatWith(format, mode, args, texts)
}

// textOf calls Error or String, or GoString. A panic becomes part of the text, as
// fmt has it; a zero byte in front says that the text stands as it is. A zero byte
// with which the method's own text begins is doubled.
func textOf(v any, goSyntax bool) (text string) {
	method := "String"
	defer func() {
		if x := recover(); x != nil {
			if isNilPointer(v) {
				text = "\x00<nil>"
				return
			}
			text = "\x00(PANIC=" + method + " method: " + render("", modePlain, []any{x}) + ")"
		}
	}()
	if goSyntax {
		method = "GoString"
		text = v.(fmt.GoStringer).GoString()
	} else {
		switch v := v.(type) {
		case error:
			method = "Error"
			text = v.Error()
		case fmt.Stringer:
			text = v.String()
		}
	}
	if len(text) > 0 && text[0] == 0 {
		text = "\x00" + text
	}
	return text
}

// write sends a text to a writer.
func write(w io.Writer, s string) (int, error) {
	if f, ok := w.(*os.File); ok {
		return fileWriteString(f, s)
	}
	return w.Write([]byte(s))
}

func stdout(s string) (int, error) {
	output(1, s)
	return len(s), nil
}

//pangolin:model fmt.Println
func fmtPrintln(args ...any) (int, error) { return stdout(render("", modeLine, args)) }

//pangolin:model fmt.Print
func fmtPrint(args ...any) (int, error) { return stdout(render("", modePlain, args)) }

//pangolin:model fmt.Printf
func fmtPrintf(format string, args ...any) (int, error) {
	return stdout(render(format, modeFormat, args))
}

//pangolin:model fmt.Fprintln
func fmtFprintln(w io.Writer, args ...any) (int, error) { return write(w, render("", modeLine, args)) }

//pangolin:model fmt.Fprint
func fmtFprint(w io.Writer, args ...any) (int, error) { return write(w, render("", modePlain, args)) }

//pangolin:model fmt.Fprintf
func fmtFprintf(w io.Writer, format string, args ...any) (int, error) {
	return write(w, render(format, modeFormat, args))
}

//pangolin:model fmt.Sprintln
func fmtSprintln(args ...any) string { return render("", modeLine, args) }

//pangolin:model fmt.Sprint
func fmtSprint(args ...any) string { return render("", modePlain, args) }

//pangolin:model fmt.Sprintf
func fmtSprintf(format string, args ...any) string { return render(format, modeFormat, args) }

//pangolin:model fmt.Appendln
func fmtAppendln(b []byte, args ...any) []byte { return append(b, render("", modeLine, args)...) }

//pangolin:model fmt.Append
func fmtAppend(b []byte, args ...any) []byte { return append(b, render("", modePlain, args)...) }

//pangolin:model fmt.Appendf
func fmtAppendf(b []byte, format string, args ...any) []byte {
	return append(b, render(format, modeFormat, args)...)
}

// errors_errorString, as its siblings, is named for what %T prints.
type errors_errorString struct{ s string }

func (e *errors_errorString) Error() string { return e.s }

type fmt_wrapError struct {
	msg string
	err error
}

func (e *fmt_wrapError) Error() string { return e.msg }
func (e *fmt_wrapError) Unwrap() error { return e.err }

type fmt_wrapErrors struct {
	msg  string
	errs []error
}

func (e *fmt_wrapErrors) Error() string   { return e.msg }
func (e *fmt_wrapErrors) Unwrap() []error { return e.errs }

// formatWrapped returns the numbers of the arguments that the verbs %w name, in
// the order in which they are wrapped.
func formatWrapped(format string, args []any) []int

//pangolin:model fmt.Errorf
func fmtErrorf(format string, args ...any) error {
	wrapped := formatWrapped(format, args)
	text := render(format, modeError, args)
	switch len(wrapped) {
	case 0:
		return &errors_errorString{text}
	case 1:
		err, _ := args[wrapped[0]].(error)
		return &fmt_wrapError{text, err}
	}
	var errs []error
	for i, arg := range wrapped {
		if err, ok := args[arg].(error); ok && (i == 0 || wrapped[i-1] != arg) {
			errs = append(errs, err)
		}
	}
	return &fmt_wrapErrors{text, errs}
}

// SPDX-License-Identifier: BSD-3-Clause

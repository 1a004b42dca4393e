//go:build prelude

//pangolin:for fmt

package prelude

import (
	"fmt"
	"io"
	"os"
)

const (
	modeFormat = iota // Sprintf
	modePlain         // Sprint
	modeLine          // Sprintln
)

// formatNeeds returns the values, found inside args in order, on which the
// formatting calls Error or String.
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
		for i, v := range needs {
			texts[i] = textOf(v)
		}
	}
	return formatWith(format, mode, args, texts)
}

// textOf calls Error or String. A panic becomes part of the text, as fmt has
// it.
func textOf(v any) (text string) {
	method := "String"
	defer func() {
		if x := recover(); x != nil {
			if isNilPointer(v) {
				text = "<nil>"
				return
			}
			text = "%!v(PANIC=" + method + " method: " + render("", modePlain, []any{x}) + ")"
		}
	}()
	switch v := v.(type) {
	case error:
		method = "Error"
		return v.Error()
	case fmt.Stringer:
		return v.String()
	}
	return ""
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

//pangolin:model fmt.Errorf
func fmtErrorf(format string, args ...any) error {
	plain, wrapped := wrappedArgs(format, args)
	text := render(plain, modeFormat, args)
	switch len(wrapped) {
	case 0:
		return &errors_errorString{text}
	case 1:
		return &fmt_wrapError{text, wrapped[0]}
	}
	return &fmt_wrapErrors{text, wrapped}
}

// wrappedArgs returns the errors that the verbs %w name, in the order of the
// arguments, and the format with %v in their place. Explicit argument indices
// are not followed.
func wrappedArgs(format string, args []any) (plain string, wrapped []error) {
	arg, done := 0, 0
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && isFlag(format[i]); i++ {
			if format[i] == '*' {
				arg++
			}
		}
		if i == len(format) || format[i] == '%' {
			continue
		}
		if err := errorArg(args, arg); err != nil && format[i] == 'w' {
			wrapped = append(wrapped, err)
			plain += format[done:i] + "v"
			done = i + 1
		}
		arg++
	}
	return plain + format[done:], wrapped
}

func errorArg(args []any, i int) error {
	if i >= len(args) {
		return nil
	}
	err, _ := args[i].(error)
	return err
}

func isFlag(c byte) bool {
	switch c {
	case '+', '-', '#', ' ', '.', '*', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return true
	}
	return false
}

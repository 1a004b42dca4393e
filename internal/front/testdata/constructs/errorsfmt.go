// Errors and formatting.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

type failure struct{ code int }

func (f *failure) Error() string { return "failure " + strconv.Itoa(f.code) }

type name string

func (n name) String() string { return strings.ToUpper(string(n)) }

type person struct {
	Name name
	Age  int
}

func main() {
	err := fmt.Errorf("outer: %w", errors.Join(&failure{1}, io.EOF))
	var f *failure
	fmt.Println(errors.Is(err, io.EOF), errors.As(err, &f), err)
	if g, ok := errors.AsType[*failure](err); ok {
		fmt.Println(g.code)
	}
	fmt.Printf("%v %+v %s %d\n", person{"x", 1}, &person{"y", 2}, []name{"a"}, map[name]int{"k": 1})
	var b bytes.Buffer
	fmt.Fprintf(&b, "%q", "x")
	io.Copy(os.Stdout, &b)
	var sb strings.Builder
	fmt.Fprint(&sb, 1, 2)
	sb.WriteByte('x')
	fmt.Fprintln(os.Stderr, sb.String(), strings.Fields(" a b "), strings.Split("a,b", ","))
	n, err := strconv.ParseInt("zz", 36, 64)
	fmt.Println(n, err)
	if len(os.Args) > 5 {
		os.Exit(2)
	}
}

// construct: reflect, elements of an unexported embedded array, and of a slice and a string
// outcomes: exact
// outcome: "false false\nfalse false\nfalse false\ntrue true\n"
// why: What Field finds in an embedded field of an unexported type is read-only, but its own exported fields are not. An element
//	is none of its fields: it is read-only, and so are its fields.

package main

import (
	"fmt"
	"reflect"
)

type T struct{ N int }

type (
	array  [1]T
	slice  []T
	text   string
	fields struct{ T }
)

type all struct {
	array
	slice
	text
	fields
}

func main() {
	x := all{slice: slice{{}}, text: "a"}
	v := reflect.ValueOf(&x).Elem()
	tell(v.Field(0).Index(0).Field(0))
	tell(v.Field(1).Index(0).Field(0))
	tell(v.Field(2).Index(0))
	tell(v.Field(3).Field(0).Field(0))
}

func tell(v reflect.Value) { fmt.Println(v.CanSet(), v.CanInterface()) }

// Method values and expressions, embedding, interfaces.
package main

type animal interface {
	sound() string
	name() string
}

type base struct{ n string }

func (b base) name() string     { return b.n }
func (b *base) rename(s string) { b.n = s }

type dog struct {
	*base
	age int
}

func (dog) sound() string { return "woof" }

type pack struct {
	animal
	lead dog
}

type number interface{ ~int | ~float64 }

type list[T number] struct {
	head *cell[T]
	size int
}

type cell[T number] struct {
	value T
	next  *cell[T]
}

func (l *list[T]) add(x T) *list[T] {
	l.head = &cell[T]{x, l.head}
	l.size++
	return l
}

func fold[T number, A any](l *list[T], start A, f func(A, T) A) A {
	for c := l.head; c != nil; c = c.next {
		start = f(start, c.value)
	}
	return start
}

type stringer interface{ String() string }

func render[T stringer](xs ...T) (s string) {
	for _, x := range xs {
		s += x.String()
	}
	return s
}

type id int

func (i id) String() string { return string(rune('a' + i)) }

func main() {
	d := dog{&base{"rex"}, 3}
	d.rename("max")
	p := pack{d, d}
	f := p.sound
	g := (*base).rename
	h := dog.name
	k := animal.name
	g(d.base, "bo")
	println(f(), h(d), k(p), p.name())
	defer d.rename("z")
	go d.name()
	l := new(list[float64])
	println(fold(l.add(1).add(2), 0, func(n int, x float64) int { return n + int(x) }))
	println(render(id(1), id(2)), render[stringer](id(3)))
	var a any = p
	if x, ok := a.(interface{ sound() string }); ok {
		println(x.sound())
	}
	_, ok := a.(stringer)
	println(ok, a == any(p))
	type local struct{ id }
	println(stringer(local{4}).String())
	var fn func(id) string = id.String
	println(fn(5), fn != nil)
}

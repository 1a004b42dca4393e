// SPDX-License-Identifier: BSD-3-Clause

package generator

// sequentialPrelude is the fixed part of every generated sequential program:
// what the generated expressions call, and a library of ordinary Go (recursion,
// containers, iterators, deferred calls) that runs first.
const sequentialPrelude = `
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type ordered interface{ integer | ~float32 | ~float64 | ~string }

type Word string
type Level int8
type Mask uint16

func (l Level) Up(k int) Level { return l + Level(k) }
func (m *Mask) Set(k uint)     { *m |= 1 << (k & 15) }

type Shape interface {
	Area() int
	Name() string
}

var steps, printed int

// tick ends what takes too long: the answer becomes true after a while.
func tick() bool {
	steps++
	return steps > 2000
}

func out(label string, args ...any) {
	if printed++; printed < 1500 {
		fmt.Println(append([]any{label}, args...)...)
	}
}

func show(label string, v any) {
	if printed++; printed < 1500 {
		fmt.Printf("%s %v %+v %T\n", label, v, v, v)
	}
}

func try(label string, f func()) {
	defer func() {
		switch e := recover().(type) {
		case nil:
			out(label, "ok")
		case runtime.Error:
			out(label, "runtime error", e.Error())
		case error:
			out(label, "error", e.Error())
		default:
			out(label, "panic", e)
		}
	}()
	f()
}

func id[T any](v T) T { return v }

func choose[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

func larger[T ordered](a, b T) T {
	if a > b {
		return a
	}
	return b
}

func smaller[T ordered](a, b T) T {
	if b < a {
		return b
	}
	return a
}

func same[T comparable](a, b T) bool { return a == b }

func is[T any](v any) bool {
	_, ok := v.(T)
	return ok
}

func at[T any](s []T, i int) (v T) {
	if i >= 0 && i < len(s) {
		v = s[i]
	} else if len(s) > 0 {
		v = s[uint(i)%uint(len(s))]
	}
	return v
}

func total[T integer](values ...T) (sum T) {
	for _, v := range values {
		sum += v
	}
	return sum
}

func fromFloat(f float64) int64 {
	if f > -1e9 && f < 1e9 {
		return int64(f)
	}
	return -1
}

func clip[T ~string](s T) T {
	if len(s) > 20 {
		return s[len(s)-20:]
	}
	return s
}

func cut[T ~string](s T, i, j int) T {
	if i < 0 || i > len(s) {
		i = 0
	}
	if j < i || j > len(s) {
		j = len(s)
	}
	return s[i:j]
}

func reverse[T any](s []T) []T {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
	return s
}

func intOf(v any) int {
	switch v := v.(type) {
	case nil:
		return -1
	case int:
		return v
	case int8, int16:
		if w, ok := v.(int8); ok {
			return int(w) + 1
		}
		return int(v.(int16)) + 2
	case int32:
		return int(v)
	case int64:
		return int(v)
	case uint:
		return int(v >> 1)
	case uint8:
		return int(v)
	case uint16:
		return int(v)
	case uint32:
		return int(v)
	case uint64:
		return int(v % 1000)
	case uintptr:
		return int(v % 100)
	case Level:
		return int(v.Up(1))
	case Mask:
		return int(v) * 2
	case float32:
		return int(fromFloat(float64(v)))
	case float64:
		return int(fromFloat(v))
	case string:
		return len(v)
	case Word:
		return len(v) + 100
	case bool:
		if v {
			return 1
		}
		return 0
	case Shape:
		return v.Area()
	case fmt.Stringer:
		return len(v.String())
	}
	return -2
}

func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "nil"
	case int, int8, int16, int32, int64, Level:
		return "signed"
	case uint, uint8, uint16, uint32, uint64, uintptr, Mask:
		return "unsigned"
	case float32, float64:
		return "float"
	case string, Word:
		return "string"
	case bool:
		return "bool"
	case Rec0, *Rec0:
		return "Rec0"
	case Rec1, *Rec1:
		return "Rec1"
	}
	return "other"
}

// less orders map keys of all types, false before true.
func less[K comparable](a, b K) bool {
	switch x := any(a).(type) {
	case bool:
		return !x && any(b).(bool)
	case string:
		return x < any(b).(string)
	case Word:
		return x < any(b).(Word)
	case uint64:
		return x < any(b).(uint64)
	case uintptr:
		return x < any(b).(uintptr)
	case uint:
		return x < any(b).(uint)
	}
	return wide(any(a)) < wide(any(b))
}

func wide(v any) int64 {
	switch v := v.(type) {
	case int:
		return int64(v)
	case int8:
		return int64(v)
	case int16:
		return int64(v)
	case int32:
		return int64(v)
	case int64:
		return v
	case uint8:
		return int64(v)
	case uint16:
		return int64(v)
	case uint32:
		return int64(v)
	case Level:
		return int64(v)
	case Mask:
		return int64(v)
	}
	panic("wide")
}

func sortedKeys[M ~map[K]V, K comparable, V any](m M) []K {
	var keys []K
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return less(keys[i], keys[j]) })
	return keys
}

type Pair[A, B any] struct {
	First  A
	Second B
}

func (p Pair[A, B]) Swap() Pair[B, A] { return Pair[B, A]{p.Second, p.First} }

type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(v T) *Stack[T] { s.items = append(s.items, v); return s }

func (s *Stack[T]) Pop() (v T, ok bool) {
	if len(s.items) == 0 {
		return v, false
	}
	v = s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return v, true
}

func (s *Stack[T]) All() func(func(int, T) bool) {
	return func(yield func(int, T) bool) {
		for i, v := range s.items {
			if !yield(i, v) {
				return
			}
		}
	}
}

type Tree[T any] struct {
	left, right *Tree[T]
	value       T
}

func (t *Tree[T]) Insert(v T, before func(a, b T) bool) *Tree[T] {
	switch {
	case t == nil:
		return &Tree[T]{value: v}
	case before(v, t.value):
		t.left = t.left.Insert(v, before)
	default:
		t.right = t.right.Insert(v, before)
	}
	return t
}

func (t *Tree[T]) Walk(yield func(T) bool) bool {
	return t == nil || t.left.Walk(yield) && yield(t.value) && t.right.Walk(yield)
}

func mapped[A, B any](s []A, f func(A) B) []B {
	r := make([]B, 0, len(s))
	for _, v := range s {
		r = append(r, f(v))
	}
	return r
}

func filtered[S ~[]E, E any](s S, keep func(E) bool) (r S) {
	for _, v := range s {
		if keep(v) {
			r = append(r, v)
		}
	}
	return
}

func folded[A, B any](s []A, start B, f func(B, A) B) B {
	for _, v := range s {
		start = f(start, v)
	}
	return start
}

func upTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		defer out("upTo ends", n)
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func counter(start int) (next func() int, reset func()) {
	n := start
	return func() int { n++; return n }, func() { n = start }
}

func deferred(n int) (result string) {
	defer func() {
		if e := recover(); e != nil {
			result += fmt.Sprint("|", e)
		}
	}()
	for i := range n {
		defer func() { result += strconv.Itoa(i) }()
	}
	if n > 2 {
		panic("many")
	}
	return "few"
}

func permutations(s []byte, n int, visit func(string)) {
	if n == len(s) {
		visit(string(s))
		return
	}
	for i := n; i < len(s); i++ {
		s[n], s[i] = s[i], s[n]
		permutations(s, n+1, visit)
		s[n], s[i] = s[i], s[n]
	}
}

func ackermann(m, n int) int {
	switch {
	case m == 0:
		return n + 1
	case n == 0:
		return ackermann(m-1, 1)
	}
	return ackermann(m-1, ackermann(m, n-1))
}

type failure struct{ code int }

func (f *failure) Error() string { return "failure " + strconv.Itoa(f.code) }

func library() {
	out("ackermann", ackermann(2, 2))
	permutations([]byte("abc"), 0, func(s string) { out("permutation", s) })
	out("deferred", deferred(2), deferred(3))
	s := &Stack[Pair[string, int8]]{}
	s.Push(Pair[string, int8]{"a", 127}).Push(Pair[int8, string]{-128, "b"}.Swap())
	for i, p := range s.All() {
		out("stack", i, p.First, p.Second+1)
	}
	p, ok := s.Pop()
	out("pop", p.First, p.Second, ok)
	var t *Tree[float64]
	for _, f := range []float64{2.5, -1, 8, 0.125} {
		t = t.Insert(f, func(a, b float64) bool { return a < b })
	}
	t.Walk(func(f float64) bool { out("tree", f); return f < 2 })
	evens := filtered(mapped([]int{1, 2, 3, 4}, func(i int) uint16 { return uint16(i * 40000) }), func(u uint16) bool { return u%2 == 0 })
	out("folded", folded(evens, "", func(s string, u uint16) string { return s + "," + strconv.Itoa(int(u)) }))
	next, reset := counter(5)
	next()
	n := next()
	reset()
	out("counter", n, next())
	var err error = fmt.Errorf("outer: %w", &failure{7})
	var f *failure
	out("errors", errors.As(err, &f), f.code, err.Error(), errors.Unwrap(err) == error(f))
	words := []Word{"b", "a", "c"}
	slices.Sort(words)
	out("sorted", string(words[0]+words[2]), slices.Index(words, "c"), math.MaxInt16, bits.Len(255), strings.Repeat("ab", 2))
}
`

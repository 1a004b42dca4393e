// SPDX-License-Identifier: BSD-3-Clause

package generator

// object is something shared that a text may use as @name: it is declared if it is
// used.
type object struct {
	name, typ string
	value     string // its initial value; "" is the zero value
	final     string // what is printed of it at the end, without data races only then; "": nothing
	needs     string // types that its declaration needs, see typeDeclarations
}

// objectKinds are the kinds that holes with a digit stand for.
var objectKinds = []struct {
	letter byte
	names  string
}{
	{'X', "@x @y @a[0] @a[1] @q.a @in.k @n.val"}, // places for an int
	{'M', "@mu @mv @locks[0] @locks[1] @in @n.mu"},
	{'R', "@rw"},
	{'C', "@c @d @e"},
	{'T', "@at @au"},
}

// objects lists all that may be shared.
func objects() []object {
	return []object{
		{"x", "int", "", "@x", ""},
		{"y", "int", "1", "@y", ""},
		{"a", "[2]int", "", "@a", ""},
		{"s", "[]int", "[]int{3, 1}", "@s", ""},
		{"m", "map[int]int", "map[int]int{}", "@m", ""},
		{"q", "pair", "", "@q", "pair"},
		{"in", "inner", "", "@in.k", "inner"},
		{"ps", "[2]pair", "", "@ps[0].b", "pair"},
		{"n", "*node", "&node{val: 1}", "@n == nil", "node"},
		{"free", "*node", "", "@free == nil", "node"},
		{"str", "string", `"s"`, "@str", ""},
		{"v", "any", "", "@v", ""},
		{"ready", "bool", "", "@ready", ""},
		{"f", "func() int", "", "@f == nil", ""},
		{"mu", "sync.Mutex", "", "", ""},
		{"mv", "sync.Mutex", "", "", ""},
		{"locks", "[2]sync.Mutex", "", "", ""},
		{"rw", "sync.RWMutex", "", "", ""},
		{"lk", "sync.Locker", "new(sync.Mutex)", "", ""},
		{"cm", "sync.Mutex", "", "", ""},
		{"once", "sync.Once", "", "", ""},
		{"wg", "sync.WaitGroup", "", "", ""},
		{"pool", "sync.Pool", "", "", ""},
		{"sm", "sync.Map", "", "", ""},
		{"at", "atomic.Int32", "", "@at.Load()", ""},
		{"au", "atomic.Int32", "", "@au.Load()", ""},
		{"ab", "atomic.Bool", "", "@ab.Load()", ""},
		{"al", "atomic.Uint64", "", "@al.Load()", ""},
		{"ap", "atomic.Pointer[node]", "", "@ap.Load() == nil", "node"},
		{"av", "atomic.Value", "", "@av.Load()", ""},
		{"w32", "int32", "", "@w32", ""},
		{"w64", "uint64", "", "@w64", ""},
		{"c", "chan int", "make(chan int, 1)", "len(@c)", ""},
		{"d", "chan int", "make(chan int)", "", ""},
		{"e", "chan int", "make(chan int, 2)", "len(@e)", ""},
		{"z", "chan int", "", "", ""},
		{"cc", "chan chan int", "make(chan chan int, 1)", "", ""},
		{"mk", "map[any]int", "map[any]int{}", "len(@mk)", ""},
		{"mp", "map[*node]int", "map[*node]int{}", "len(@mp)", "node"},
		{"mq", "map[pair]int", "map[pair]int{}", "len(@mq)", "pair"},
		{"buf", "[]byte", `[]byte("ab")`, "string(@buf)", ""},
		{"names", "map[string]int", "map[string]int{}", "len(@names)", ""},
		{"owner", "atomic.Int64", "", "@owner.Load() == 0", ""},
		{"mg", "map[int64]int", "map[int64]int{}", "len(@mg)", ""},
		{"tk", "*token", "", "@tk == nil", "token"},
		{"holder", "atomic.Pointer[token]", "", "@holder.Load() == nil", "token"},
		{"over", "*scoped", "newScoped()", "@over.Err() == nil", "scoped"},
	}
}

// typeDeclarations are the types that objects are made of.
var typeDeclarations = []struct{ name, text string }{
	{"pair", "type pair struct{ a, b int }\n"},
	{"inner", "type inner struct {\nsync.Mutex\nk int\n}\n"},
	{"node", "type node struct {\nval int\nnext *node\nmu sync.Mutex\n}\n"},
	{"scoped", "type scoped struct {\ncontext.Context\ncancel func()\n}\n\nfunc newScoped() *scoped {\nctx, cancel := context.WithCancel(context.Background())\nreturn &scoped{ctx, cancel}\n}\n"},
	{"token", "type token struct{}\n"},
	{"box", "type box[V any] struct{ v V }\n\nfunc (b box[V]) get() V { return b.v }\n"},
	{"failure", "type failure struct{ code int }\n\nfunc (f failure) Error() string { return fmt.Sprint(\"failure \", f.code) }\n"},
}

// helper is a function that a text may call as @name: it is declared if it is used.
// Its body may use objects and other helpers.
type helper struct{ name, signature, body string }

func helpers() []helper {
	return []helper{
		{"bump", "() int", "@x++\nreturn @x"},
		{"turn", "() int", "@a[0], @a[1] = @a[1]+1, @a[0]\nreturn @a[0]"},
		{"flip", "(k int) int", "@q.a, @q.b = @q.b+k, @q.a\nreturn @q.b"},
		{"grow", "() []int", "@s = append(@s, len(@s))\nreturn @s"},
		{"where", "() *int", "@y++\nreturn &@y"},
		{"other", "() *node", "@n = &node{val: @n.val + 1, next: @n}\nreturn @n"},
		{"fill", "() map[int]int", "@m[1]++\nreturn @m"},
		{"fail", "(k int) (n int, err error)", "if @x > 0 {\nreturn k, failure{@x}\n}\nreturn @x, nil"},
		{"named", "(k int) (n int)", "defer func() {\nn += @y\n}()\nn = k\nreturn n"},
		{"renamed", "(k int) (n int)", "defer func() {\nif recover() != nil {\nn = -1\n}\n}()\nn = k\nreturn @a[@y+k-@y]"},
		{"leak", "() (n int)", "go func() { @x = n }()\nreturn @y"},
		{"exchange", "(q pair) pair", "old := @q\n@q = q\nreturn old"},
		{"place", "(k int) *pair", "if k > 1 {\nreturn &@ps[1]\n}\nreturn &@q"},
		{"nth", "(k int) *node", "if k == 0 {\nreturn @n\n}\nreturn @n.next"},
		{"mine", "(k int) (n int)", "n = k\n@wg.Add(1)\ngo func() {\ndefer @wg.Done()\n@at.Add(int32(n))\n}()\nreturn n"},
	}
}

// free helpers need nothing shared; they are package functions everywhere.
var freeHelpers = []helper{
	{"b2i", "(b bool) int", "if b {\nreturn 1\n}\nreturn 0"},
	{"number", "(v any) int", "switch v := v.(type) {\ncase int:\nreturn v\ncase string:\nreturn len(v)\ncase nil:\nreturn -1\ncase bool:\nreturn b2i(v)\n}\nreturn 9"},
	{"same", "[T comparable](a, b T) bool", "return a == b"},
	{"shift", "(q pair, k int) pair", "return pair{q.b + k, q.a}"},
	{"turned", "(a [2]int) [2]int", "a[0], a[1] = a[1], a[0]+1\nreturn a"},
	{"total", "(a [2]int, q pair) int", "a[0] += q.b\nq.a++\nreturn a[0]*3 + a[1] + q.a*5"},
	{"boxed", "[V any](v V) box[V]", "return box[V]{v}"},
	{"gid", "() (n int64)", "var b [40]byte\nfor _, c := range b[10:runtime.Stack(b[:], false)] {\nif c < '0' || c > '9' {\nbreak\n}\nn = n*10 + int64(c-'0')\n}\nreturn n"},
	{"sends", "(c chan int, v int) (ok bool)", "defer func() { ok = recover() == nil }()\nc <- v\nreturn"},
	{"closes", "(c chan int) (ok bool)", "defer func() { ok = recover() == nil }()\nclose(c)\nreturn"},
	{"put", "[T any](p *T, v T) T", "old := *p\n*p = v\nreturn old"},
}

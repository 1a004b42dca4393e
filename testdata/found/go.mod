// The modules that doc/found.md is about, in the versions that it is about.
module found

go 1.26

require (
	github.com/Workiva/go-datastructures v1.1.7
	github.com/alexedwards/scs/v2 v2.9.0
	github.com/bytedance/gopkg v0.1.4
	github.com/juju/ratelimit v1.0.2
	github.com/muesli/cache2go v0.0.0-20221011235721-518229cd8021
	github.com/paulbellamy/ratecounter v0.2.0
	github.com/rs/zerolog v1.35.1
	github.com/samber/mo v1.16.0
	github.com/tidwall/btree v1.8.2
	go.uber.org/atomic v1.12.0
)

require (
	github.com/kr/text v0.2.0 // indirect
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	golang.org/x/sys v0.30.0 // indirect
)

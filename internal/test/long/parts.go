// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// part is something that is checked now and then.
type part struct {
	name    string
	files   string // the files and directories that it checks, separated by blanks: it is due again when one of them has changed
	command string // for a shell in the root of the module; it fails if what it checks is wrong
	what    string
}

// core is what nearly every part executes.
const core = "internal/ir internal/vm internal/front internal/explore internal/store"

// judged is what decides about clients of collections.
const judged = core + " internal/consist internal/play internal/client internal/subject oracle internal/engine/bounded"

// chains are certificates of the method unbounded, and their checker.
const chains = "internal/certificate/checker internal/certificate/file internal/certificate/ranking internal/certificate/certificate.go internal/certificate/object.go internal/certificate/offer.go internal/certificate/progress.go internal/certificate/word.go"

// pairs are those of the method cmp.
const pairs = "internal/certificate/pairs internal/certificate/file"

// study is a command that runs a study. It exits with 3 where a line is not decided: so many may be, which the study's page in doc lists.
func study(args string, undecided int) string {
	return fmt.Sprintf("d=$(mktemp -d) && go build -o $d/pangolin ./cmd/pangolin && { $d/pangolin study %s -json > $d/lines; s=$?; cat $d/lines; n=$(grep -c '\"verdict\":\"unknown\"' $d/lines); rm -r $d; "+
		"echo \"exit code $s, not decided: $n lines of %d at most\"; test $s -eq 0 -o $s -eq 3 -a $n -le %[2]d; }", args, undecided)
}

// released makes a release of the last commit in a checkout of its own: the page with what was run before is not committed.
const released = `d=$(mktemp -d) && git clone -q . "$d/pangolin" && (cd "$d/pangolin" && bash .ci/release -check linux/amd64 windows/arm64); s=$?; rm -rf "$d"; exit $s`

// parts are all of them. Each takes less than an hour on two cores.
func parts() []part {
	test := func(name, files, packages, flags, what string) part {
		return part{name, files, "go test " + packages + " " + flags + " -timeout 90m", what}
	}
	return slices.Concat([]part{
		{"table-2", judged + " collections", study("collect -config A,B,C,D", 0), "Table 2 in A to D: each verdict, class and explanation"},
		{"table-2-e", judged + " collections", study("collect -config E", 0), "Table 2 in E"},
		{"thesis", core + " internal/lts internal/engine/refine", study("thesis -others", 3), "Table 6.1 and all other collections, by bisimulation"},
		test("sizes", core+" internal/lts internal/engine/refine internal/study", "./internal/study", "-level all -run ComparesSystemsOfItsSizes", "systems of the sizes of Table 6.1, compared"),
		{"cmp", core + " internal/engine/cmp " + pairs, study("cmp -others", 31), "Fig. 6 of the paper on any number of threads, and all other collections"},
		{"policies", judged + " internal/engine/points internal/policy internal/engine/unbounded internal/engine/places internal/engine/ages internal/engine/zones", study("policies -timeout 300s", 3), "Fig. 6 of the paper on linearization policies"},
		{"gobench", core + " internal/engine/outcomes", study("gobench", 4), "the kernels of GoBench, broken and repaired"},
		{"progress", judged, study("progress", 60), "the class of progress of each operation"},
		test("pinned", judged+" collections internal/study", "./internal/study", "-level all -run TestCollect_FindsWhatIsPinned", "pinned counts of states in A to D"),
	}, byLetter(
		test("reductions", judged+" collections internal/mutant internal/mutate internal/study", "./internal/study", "-level all -run HaveTheSameOutcomeWithoutReductions", "mutants have the same outcome with all reductions and with none"),
		"A-D", "E-G", "H-K", "L", "M-R", "S-Z",
	), byLetter(
		test("survivors", judged+" collections internal/mutant internal/mutate internal/study", "./internal/study", "-level all -run NameFlagsThatKill", "mutants that survive in D are killed with the flags that their explanation names"),
		"A-K", "L", "M-Z",
	), mutation("internal/certificate", "internal/consist oracle", "internal/lts internal/policy", "internal/explore internal/interleave internal/store", "internal/vm", "internal/recognise", "report"), []part{
		test("expected", judged+" collections", ".", "-level all -run 'Expect|Histories|TheSameBytes|SchedulesAreForced'", "each expectation of each collection; histories by permutations; kept verdicts in the bytes of computed ones; schedules of doc/found.md forced"),
		test("proofs", core+" internal/engine/unbounded "+chains, "./internal/engine/unbounded", "-level all -run 'Prove|Certif|Claims|Merge|RanksWhatReturns' -skip 'Mutant|Damage'", "all proofs for any number of threads, with their certificates"),
		test("ages", core+" internal/engine/ages internal/certificate/ages", "./internal/engine/ages ./internal/certificate/ages", "-level all", "proofs of sets whose cells never move: their certificates, faults planted in the engine, no mutant that is proved wrongly"),
		test("sections", core+" internal/engine/sections internal/certificate/sections", "./internal/engine/sections ./internal/certificate/sections", "-level all", "proofs of operations that are one critical section: their certificates, faults planted in the engine, no mutant that is proved wrongly"),
		test("zones", core+" internal/engine/zones internal/certificate/zones", "./internal/engine/zones ./internal/certificate/zones", "-level all", "proofs of queues whose cells form one chain: their certificates, faults planted in the engine, no mutant that is proved wrongly"),
		test("proof-mutants", core+" internal/engine/unbounded "+chains, "./internal/engine/unbounded", "-level all -run Mutant", "no mutant of a proved type is proved wrongly"),
		test("proof-damage", "internal/engine/unbounded "+chains, "./internal/engine/unbounded", "-level all -run Damage", "damaged certificates are refused"),
		test("proof-edits", "internal/engine/unbounded "+chains, "./internal/engine/unbounded", "-level all -run SurvivesEdits", "certificates that are edited anywhere are refused, if they leave something out"),
		test("proof-faults", core+" internal/engine/unbounded "+chains, "./internal/engine/unbounded", "-plant -run Fault", "faults planted in the prover are rejected by the checker"),
		test("cmp-proofs", core+" internal/engine/cmp "+pairs, "./internal/engine/cmp", "-level all -run 'SurvivesEdits|Given|ProvesTheCollections'", "proofs with few items; edited certificates; lemmas that are given"),
		test("cmp-mutants", core+" internal/engine/cmp "+pairs, "./internal/engine/cmp", "-level all -run Mutant", "no mutant of a type that is proved with few items is proved wrongly"),
		test("cmp-faults", core+" internal/engine/cmp "+pairs, "./internal/engine/cmp", "-plant -run Fault", "faults planted in the engine cmp"),
		test("faults", judged+" internal/engine/outcomes internal/native internal/test/generator", "./internal/test/agreement", "-plant -run TestFaults_AreFound", "faults planted in the machine and the search, found by generated texts"),
		test("faults-named", judged+" internal/engine/outcomes", "./internal/test/agreement", "-plant -run TestNamedTests -skip TestNamedTests/engine/bounded", "faults that generated texts do not show, found by the tests that are named for them"),
		test("faults-named-bounded", judged, "./internal/test/agreement", "-plant -run TestNamedTests/engine/bounded", "the same, by the tests of engine/bounded"),
		test("faults-order", core+" internal/engine/outcomes", "./internal/engine/outcomes ./internal/vm/labelling ./internal/vm", "-level all -plant -run 'Fault|Settle'", "faults in what orders accesses, in time, in the order of goroutines"),
		test("faults-codecs", "internal/harness internal/subject internal/collection", "./internal/engine/bounded", "-level more -plant -run Sweep", "faults in how arguments and results are written"),
		test("faults-failing", "internal/task internal/engines", "./internal/engines", "-level all", "failures within the tool are told, and cost nothing but their own verdict"),
		test("programs", judged+" internal/engine/outcomes internal/native", "./internal/test/agreement", "-run 'TestPrograms|TestDetector' -programs 1500 -detected 100", "1,500 generated programs: the machine, the second opinion, the race detector"),
		test("types", judged+" internal/native", "./internal/test/agreement", "-run TestTypes -types 700", "700 generated types: the machine and the second opinion"),
		test("reproduced", "internal/force collections doc/defects", "./internal/force", "-level all", "every known violation, executed by compiled code"),
		test("distribution", core+" internal/engine/outcomes", "./internal/test/gosuite ./internal/front", "-level all", "the distribution's own programs and the library's tests"),
		test("native", core+" internal/native internal/engine/outcomes", "./internal/test/corpus", "-runs 20 -level more", "the corpus, executed by compiled code"),
		test("refine", core+" internal/engine/refine internal/lts", "./internal/engine/refine", "-level all", "verdicts by transition systems, the long ones too"),
		test("lts", "internal/lts", "./internal/lts", "-level all", "equivalences of transition systems against their definitions on 100,000 random systems"),
		test("points", judged+" internal/engine/points internal/policy", "./internal/engine/points", "-level all -skip 'AcceptNothingThat|AcceptNothingWrong'", "points found and checked, the long ones too"),
		test("points-mutants", judged+" internal/engine/points internal/policy", "./internal/engine/points", "-level all -run AcceptNothingThat", "what points accept of mutants, the monitor verifies"),
		test("points-generated", judged+" internal/engine/points internal/policy internal/test/generator", "./internal/engine/points", "-level all -run AcceptNothingWrong", "what points accept of 2,000 generated types, the monitor verifies"),
		test("locked", core+" internal/engine/outcomes", "./internal/engine/outcomes", "-level all -run BuiltinsAccess", "what builtins access, without a lock around them"),
		test("benchmarks", judged, "./internal/test/bench", "-run '^$' -bench . -benchtime 1x -level all", "each benchmark once, the long ones too"),
		{"spin", judged, "command -v spin && go test ./internal/test/bench -run SideBySide -update -timeout 90m", "four models beside SPIN, which has to be installed: writes doc/benchmarks.md"},
		test("checkpoints", judged+" internal/checkpoint internal/cache internal/task", "./internal/engine/bounded", "-level all -run Checkpoints", "searches that are killed go on, with the verdict and counts of one run"),
		test("monitors", "internal/consist oracle history", "./internal/consist", "-level all -run 'TestMonitor_AgreesWithPermutations|TestCheck_Agrees|TestWithin_Agrees'", "each monitor of a property of whole calls against its definition on 100,000 random histories of each specification, and the definition against a literal one"),
		test("monitors-weaker", "internal/consist oracle history", "./internal/consist", "-level all -run 'TestWeakerMonitor_Agrees|TestCheckWeaker_Agrees|CallsLastLonger'", "monitors of weaker properties, likewise"),
		test("monitors-lasting", "internal/consist oracle history", "./internal/consist", "-level all -run TestIntervals_Agree", "the monitor of interval linearizability, likewise"),
		test("judge", "internal/judge history", "./internal/judge", "-level more -run 'TheDefinition|TheAlgorithms'", "recorded histories: each kind and property against its definition, on 100,000 random histories of each shape"),
		test("farm", "internal/farm internal/task cmd/pangolind", "./internal/farm/gateway", "-level all -run Storm", "a thousand kills of a farm's workers and server, with the store removed 20 times; 400 faults of networks, 100 jumps of clocks"),
		test("schedules", "internal/engine/schedules internal/native", "./internal/engine/schedules", "-level all -update -run Study", "compiled code under schedules beside go test -race and the search: writes doc/study-schedules.md"),
		test("leaks", core+" internal/engine/outcomes internal/native", "./internal/study", "-level all -run LeakNothingElseUnderSchedules", "kernels of GoBench and their repairs, compiled, under random schedules: the machine finds each leak that they show"),
		test("store", "internal/cache internal/checkpoint internal/task cmd/pangolin", "./cmd/pangolin ./internal/cache ./internal/explore", "-level all -run 'Team|Kill|Sav|Cache|Checkpoints'", "processes that are killed while they share a store; checkpoints"),
		test("race", judged+" internal/engine", "./internal/explore/... ./internal/store/... ./internal/consist/... ./internal/vm/... ./internal/engine/...", "-race -short", "the race detector on all engines"),
		{"release", judged + " cmd internal/farm report check .ci/release", released, "a release of two targets, made twice, in the same bytes"},
		{"more-root", judged + " report", "bash .ci/more '^(\\.|collections/.*)$'", "every test of the root with -level more"},
		{"more-cmd", judged + " internal/engine cmd/pangolin report", "bash .ci/more '^cmd/pangolin$'", "every test of cmd/pangolin with -level more"},
		{"more-farm", judged + " internal/farm internal/task cmd/pangolind", "bash .ci/more '^(cmd/pangolind|internal/farm/.*)$'", "every test of the farm with -level more"},
		{"more-provers", judged + " internal/engine", "bash .ci/more '^internal/engine/(cmp|places|prover|unbounded)'", "every test of engines that prove with -level more, but of those whose parts try all"},
		{"more-engines", judged + " internal/engine", "bash .ci/more '^internal/engine/' '^internal/engine/(ages|cmp|places|prover|sections|unbounded|zones)'", "every test of the other engines with -level more"},
		{"more-tests", judged + " internal/engine", "bash .ci/more '^internal/(study|test|vm)(/|$)'", "every test of studies, of the machine and of what tests use with -level more"},
		{"more-internal", judged + " internal/engine", "bash .ci/more '^internal/' '^internal/(engine|farm|study|test|vm)(/|$)'", "every other test with -level more"},
	})
}

// mutation is a part for the mutants in each of some lists of directories, of the 250 in all code that decides about verdicts.
func mutation(rooms ...string) (split []part) {
	for _, files := range rooms {
		list := strings.Fields(files)
		split = append(split, part{"mutation-" + path.Base(list[0]), files, "go run ./internal/test/mutation -each 10s -only '^(" + strings.Join(list, "|") + ")/'",
			"mutants of the code that decides about verdicts: each is found by a test, or argued in argued.csv; those in " + strings.Join(list, ", ")})
	}
	return split
}

// byLetter splits a part by the names of the collections that its test tries: into one part for those with each range of first letters.
func byLetter(whole part, ranges ...string) (split []part) {
	for _, letters := range ranges {
		p := whole
		p.name += "-" + strings.ToLower(letters)
		p.command += " -only '^[" + letters + "]'"
		p.what += ", collections with " + letters
		split = append(split, p)
	}
	return split
}

// places are the files and directories as a list.
func (p *part) places() []string { return strings.Fields(p.files) }

// packages are patterns of the go command: "./internal/vm/...".
var packages = regexp.MustCompile(`\./\w+(/\w+)*(/\.\.\.)?`)

// paths are lists of paths, as git takes them, of which one at least has what changes when the part is due: the places, without tests, and the tests of packages that the command names. A part that
// does not say which tests it runs depends on all tests in its places.
func (p *part) paths() (lists [][]string) {
	if !strings.HasPrefix(p.command, "go test ") && !strings.Contains(p.command, " study ") {
		return [][]string{p.places()}
	}
	lists = append(lists, append(p.places(), ":(exclude,glob)**/*_test.go"))
	for _, name := range packages.FindAllString(p.command, -1) {
		dir, deep := strings.CutSuffix(strings.TrimPrefix(name, "./"), "/...")
		if slices.ContainsFunc(p.places(), func(place string) bool {
			return dir == place || strings.HasPrefix(dir+"/", place+"/") || deep && strings.HasPrefix(place+"/", dir+"/")
		}) {
			files := "/*_test.go"
			if deep {
				files = "/**/*_test.go"
			}
			lists = append(lists, []string{":(glob)" + dir + files})
		}
	}
	return lists
}

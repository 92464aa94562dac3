"""Every limit on strangers' texts and on what a worker may use, in one place."""

GOAL_CHARACTERS = 4096  # every attack on the parser that was tried passed quickly within this
QUESTION_CHARACTERS = 1024  # in English
TEXT_BYTES = 4 * 2**20  # of the program, and of each rule file
NESTING = 100  # brackets within brackets: deep nesting overflows the C stack of SWI-Prolog's reader
DIGITS = 1000  # longer numbers are slow to read

LOAD_SECONDS = 5.0  # reading a program and its rules; the default model's program takes 5 ms
START_SECONDS = 30.0  # a worker's start: 0.1 s, unless the machine is very busy
BASE_SECONDS = 300.0  # where it loads a compiled program first, some 50 MB a second
BASE_BYTES = 10  # of memory for a byte of a compiled program, which takes six
WORKER_GRACE = 0.15  # after the goal's own time limit, the worker's alarm kills it
KILL_GRACE = 0.3  # and after this much, the parent does

LOADED_PROGRAMS = 256  # stay in the worker, the least recently asked goes first; the default model's takes 0.3 MB
LOADED_CHARACTERS = 24 * 2**20  # of all of them together: loaded, they take about six times as much memory
REQUESTS = 10_000  # then a fresh worker: functors are never collected
RESIDENT = 256 * 2**20  # bytes of memory after a reply; then too: more than all those programs take

ADDRESS_SPACE = 2**30  # bytes of a worker, all in all
SIZE = ADDRESS_SPACE // 2  # bytes of it after a reply; then a fresh worker: the stacks need the rest to grow
STACK = 128 * 2**20  # bytes of Prolog's stacks
NOBODY = 65534  # the account and group that a worker changes to where it may

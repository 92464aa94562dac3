"""Every limit on strangers' texts and on what a worker may use, in one place."""

GOAL_CHARACTERS = 4096  # every attack on the parser that was tried passed quickly within this
TEXT_BYTES = 4 * 2**20  # of the program, and of each rule file
NESTING = 100  # brackets within brackets: deep nesting overflows the C stack of SWI-Prolog's reader
DIGITS = 1000  # longer numbers are slow to read

LOAD_SECONDS = 5.0  # reading a program and its rules; a program of 2,000 facts takes a few milliseconds
START_SECONDS = 30.0  # a worker's start: 0.2 s, unless the machine is very busy
WORKER_GRACE = 0.15  # after the goal's own time limit, the worker's alarm kills it
KILL_GRACE = 0.3  # and after this much, the engine does

LOADED_PROGRAMS = 32  # stay in the worker, the least recently asked goes first
REQUESTS = 10_000  # then a fresh worker: functors are never collected

ADDRESS_SPACE = 2**30  # bytes of a worker, all in all
STACK = 128 * 2**20  # bytes of Prolog's stacks

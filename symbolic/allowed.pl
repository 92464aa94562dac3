:- module(allowed,
          [ pure/1,                     % ?GeneralHead
            meta/2,                     % ?GeneralHead, -Spec
            constraint/1,               % ?GeneralHead
            importable/1,               % ?Library
            group/3                     % ?Name, ?Sentence, ?Entries
          ]).

/** <module> The built-ins that a goal or a rule may call

Deny by default: what is not listed here, and is no predicate of the program or of the rules, is
refused. Everything listed is pure: its answers depend on its arguments alone, and it changes
nothing that another query could see. (One thing escapes that rule: arithmetic has functions such as random/1 and
cputime/0, which is/2 cannot be kept from. They tell nothing of others.)

Three things are missing on purpose. catch/3, call_cleanup/2 and their kin could swallow the time
limit. Predicates that turn text into terms (term_to_atom/2, read_term/2) would reach the parser
with texts of any size. freeze/2 and when/2 would call goals that nobody saw. format/3 would call those in its text.

The table is the one source. docs/built-ins.md is written from it (built_ins.py), and so is the module built_ins,
the base of every loaded program: it imports from the libraries what is listed and nothing more, so what else they
have does not even exist there. Its own base is system, so nothing in user is seen.
*/

:- load_files([ library(aggregate), library(apply), library(dif), library(lists), library(ordsets), library(pairs),
                library(solution_sequences), library(sort), library(yall)
              ], [if(not_loaded), imports([])]).

%!  importable(?Library) is nondet.
%
%   A rule file may import library(Library). All but clpfd are there anyway; clpfd is loaded on demand, for that
%   takes as long as the start of a worker.

importable(Library) :-
    '$member'(Library, [aggregate, apply, clpfd, dif, lists, ordsets, pairs, solution_sequences]).

%!  pure(?GeneralHead) is nondet.
%
%   GeneralHead is the head of an allowed predicate that calls no argument of its own.

%!  meta(?GeneralHead, -Spec) is nondet.
%
%   GeneralHead is the head of an allowed predicate that calls some of its arguments. Spec tells which, as in
%   meta_predicate/1: 0 is a goal, N > 0 a closure called with N more arguments, ^ a goal that may quantify
%   variables; ? is data.

%!  constraint(?GeneralHead) is nondet.
%
%   The head of an allowed predicate that library(clpfd) defines.

%!  group(?Name, ?Sentence, ?Entries) is nondet.
%
%   The table itself. An entry is Name/Arity, or the Spec of a predicate that calls some of its arguments. Sentence,
%   for the user, may hold Markdown.

:- discontiguous group/3, pure/1, meta/2, constraint/1.

term_expansion(group(Name, Sentence, Entries), [group(Name, Sentence, Entries)|Facts]) :-
    findall(Fact, ( '$member'(Entry, Entries), entry_fact(Entry, Name, Fact) ), Facts).

entry_fact(PI, Group, Fact) :-
    PI = Name/Arity,
    !,
    functor(Head, Name, Arity),
    (   Fact = pure(Head)
    ;   Group == constraints,
        Fact = constraint(Head)
    ).
entry_fact(Spec, _, meta(Head, Spec)) :-
    functor(Spec, Name, Arity),
    functor(Head, Name, Arity).

group(control,
      "Joining goals, choosing between them, negating them. A goal must stand where it is called: a variable is refused.",
      [ true/0, fail/0, false/0, (!)/0, repeat/0, (0, 0), (0 ; 0), (0 -> 0), (0 *-> 0), \+ 0,
        once(0), ignore(0), forall(0, 0),
        call(0), call(1, ?), call(2, ?, ?), call(3, ?, ?, ?), call(4, ?, ?, ?, ?), call(5, ?, ?, ?, ?, ?)
      ]).
group(solutions,
      "All the solutions of a goal, or some of them, in a chosen order. In `bagof/3`, `setof/3` and `aggregate/3`, `X^Goal` \c
       quantifies `X`. Templates of `aggregate_all/3` are `count`, `sum(E)`, `max(E)`, `max(E, W)`, `min(E)`, `min(E, W)`, `bag(E)`, \c
       `set(E)`.",
      [ findall(?, 0, ?), findall(?, 0, ?, ?), findnsols(?, ?, 0, ?), bagof(?, ^, ?), setof(?, ^, ?),
        aggregate_all(?, 0, ?), aggregate_all(?, ?, 0, ?), aggregate(?, ^, ?), aggregate(?, ?, ^, ?),
        limit(?, 0), offset(?, 0), call_nth(0, ?), order_by(?, 0), distinct(0), distinct(?, 0)
      ]).
group(mapping,
      "A goal for each element of a list. The closure is an atom or a goal that lacks its last arguments, as in \c
       `maplist(same(ob_0), Others)`, or a lambda expression with a list of parameters, `maplist([X]>>same(ob_0, X), Others)`.",
      [ maplist(1, ?), maplist(2, ?, ?), maplist(3, ?, ?, ?), maplist(4, ?, ?, ?, ?),
        foldl(3, ?, ?, ?), foldl(4, ?, ?, ?, ?), foldl(5, ?, ?, ?, ?, ?),
        include(1, ?, ?), exclude(1, ?, ?), partition(1, ?, ?, ?), partition(2, ?, ?, ?, ?), convlist(2, ?, ?),
        predsort(3, ?, ?), phrase(2, ?), phrase(2, ?, ?)
      ]).
group(unification,
      "Equal, different, could be equal. `dif/2` waits until it knows; what it still waits for is part of the answer.",
      [(=)/2, (\=)/2, (?=)/2, unify_with_occurs_check/2, subsumes_term/2, dif/2]).
group(comparison,
      "The standard order of terms.",
      [(==)/2, (\==)/2, (@<)/2, (@=<)/2, (@>)/2, (@>=)/2, compare/3, (=@=)/2, (\=@=)/2]).
group(types,
      "What kind of term something is.",
      [ var/1, nonvar/1, number/1, integer/1, float/1, rational/1, rational/3, atom/1, atomic/1,
        string/1, compound/1, callable/1, ground/1, is_list/1, acyclic_term/1, cyclic_term/1
      ]).
group(arithmetic,
      "Numbers, with SWI-Prolog's own functions in expressions.",
      [ (is)/2, (=:=)/2, (=\=)/2, (<)/2, (=<)/2, (>)/2, (>=)/2, succ/2, plus/3, between/3]).
group(terms,
      "Terms taken apart and put together.",
      [ functor/3, arg/3, (=..)/2, compound_name_arity/3, compound_name_arguments/3, copy_term/2,
        term_variables/2
      ]).
group(text,
      "Atoms and strings. Nothing here reads a term from a text.",
      [ atom_length/2, atom_chars/2, atom_codes/2, atom_concat/3, atom_number/2, atom_string/2,
        char_code/2, sub_atom/5, upcase_atom/2, downcase_atom/2, atomic_list_concat/2,
        atomic_list_concat/3, number_codes/2, number_chars/2, split_string/4, string_chars/2,
        string_codes/2, string_concat/3, string_length/2, string_lower/2, string_upper/2,
        sub_string/5
      ]).
group(lists,
      "Lists, as in `library(lists)`, and sorting.",
      [ append/2, append/3, delete/3, flatten/2, is_set/1, intersection/3,
        last/2, length/2, list_to_set/2, max_list/2, max_member/2, member/2, memberchk/2,
        min_list/2, min_member/2, msort/2, nextto/3, nth0/3, nth0/4, nth1/3, nth1/4, numlist/3,
        permutation/2, reverse/2, same_length/2, select/3, select/4,
        selectchk/3, sort/2, sort/4, subset/2, subtract/3, sum_list/2, union/3
      ]).
group(pairs,
      "Lists of `Key-Value`, as in `library(pairs)`.",
      [ keysort/2, pairs_keys/2, pairs_keys_values/3, pairs_values/2, transpose_pairs/2]).
group(ordsets,
      "Ordered sets, as in `library(ordsets)`.",
      [ list_to_ord_set/2, ord_intersection/3, ord_memberchk/2, ord_subset/2,
        ord_subtract/3, ord_union/2, ord_union/3
      ]).
group(constraints,
      "Constraints over integers: only in a question whose rules say `:- use_module(library(clpfd)).`, which also brings \c
       their operators.",
      [ (#=)/2, (#\=)/2, (#<)/2, (#>)/2, (#=<)/2, (#>=)/2, (in)/2, (ins)/2, (#\)/1, (#<==>)/2,
        (#==>)/2, (#<==)/2, (#\/)/2, (#/\)/2, all_different/1, all_distinct/1, sum/3,
        scalar_product/4, lex_chain/1, tuples_in/2, label/1, labeling/2, element/3, global_cardinality/2,
        circuit/1, chain/2, transpose/2, fd_dom/2, fd_inf/2, fd_sup/2, fd_size/2, fd_var/1
      ]).

% The module built_ins: what is listed and stands in a library. The rest is the system's, which every module sees.

:- set_module(built_ins:base(system)),
   forall(( ( pure(Head), \+ constraint(Head) ; meta(Head, _) ),
            functor(Head, Name, Arity),
            '$member'(Library, [aggregate, apply, dif, lists, ordsets, pairs, solution_sequences, sort]),
            module_property(Library, exports(Exports)),
            '$member'(Name/Arity, Exports)
          ),
          built_ins:import(Library:Name/Arity)),
   forall('$member'(Arity, [2, 3, 4, 5, 6, 7, 8, 9]), built_ins:import(yall:(>>)/Arity)).

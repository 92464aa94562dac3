:- module(allowed,
          [ pure/1,                     % ?Name/Arity
            meta/1,                     % ?Spec
            constraint/1,               % ?Name/Arity
            importable/1                % ?Library
          ]).

/** <module> The built-ins that a goal or a rule may call

Deny by default: what is not listed here, and is no predicate of the program or of the rules, is
refused. Everything listed is pure: its answers depend on its arguments alone, and it changes
nothing that another query could see.

Three things are missing on purpose. catch/3, call_cleanup/2 and their kin could swallow the time
limit. Predicates that turn text into terms (term_to_atom/2, read_term/2) would reach the parser
with texts of any size. freeze/2, when/2 and lambda expressions would call goals that nobody saw.

This module is also the base module of every loaded program: what it imports below is what those
names mean there. Its own base is system, so that nothing in user is seen.
*/

:- set_module(base(system)).

:- use_module(library(aggregate)).
:- use_module(library(apply)).
:- use_module(library(dif)).
:- use_module(library(lists)).
:- use_module(library(ordsets)).
:- use_module(library(pairs)).
:- use_module(library(solution_sequences)).
:- use_module(library(sort), [predsort/3]).

%!  importable(?Library) is nondet.
%
%   A rule file may import library(Library). All but clpfd are there anyway; clpfd is loaded on demand, for that
%   takes as long as the start of a worker.

importable(aggregate).
importable(apply).
importable(clpfd).
importable(dif).
importable(lists).
importable(ordsets).
importable(pairs).
importable(solution_sequences).

%!  meta(?Spec) is nondet.
%
%   Spec is the head of an allowed predicate that calls some of its arguments. As in meta_predicate/1,
%   0 is a goal, N > 0 a closure called with N more arguments, ^ a goal that may quantify variables; ? is data.

meta((0 , 0)).
meta((0 ; 0)).
meta((0 -> 0)).
meta((0 *-> 0)).
meta(\+ 0).
meta(call(0)).
meta(call(1, ?)).
meta(call(2, ?, ?)).
meta(call(3, ?, ?, ?)).
meta(call(4, ?, ?, ?, ?)).
meta(call(5, ?, ?, ?, ?, ?)).
meta(once(0)).
meta(ignore(0)).
meta(forall(0, 0)).
meta(findall(?, 0, ?)).
meta(findall(?, 0, ?, ?)).
meta(findnsols(?, ?, 0, ?)).
meta(bagof(?, ^, ?)).
meta(setof(?, ^, ?)).
meta(aggregate_all(?, 0, ?)).
meta(aggregate_all(?, ?, 0, ?)).
meta(aggregate(?, ^, ?)).
meta(aggregate(?, ?, ^, ?)).
meta(foldl(3, ?, ?, ?)).
meta(foldl(4, ?, ?, ?, ?)).
meta(foldl(5, ?, ?, ?, ?, ?)).
meta(maplist(1, ?)).
meta(maplist(2, ?, ?)).
meta(maplist(3, ?, ?, ?)).
meta(maplist(4, ?, ?, ?, ?)).
meta(include(1, ?, ?)).
meta(exclude(1, ?, ?)).
meta(partition(1, ?, ?, ?)).
meta(partition(2, ?, ?, ?, ?)).
meta(convlist(2, ?, ?)).
meta(predsort(3, ?, ?)).
meta(limit(?, 0)).
meta(offset(?, 0)).
meta(call_nth(0, ?)).
meta(order_by(?, 0)).
meta(distinct(0)).
meta(distinct(?, 0)).

%!  pure(?PredicateIndicator) is nondet.
%
%   The allowed predicates that call no argument of theirs.

pure(PI) :-
    group(_, PIs),
    '$member'(PI, PIs).

%!  constraint(?PredicateIndicator) is nondet.
%
%   Those of them that library(clpfd) defines.

constraint(PI) :-
    group(clpfd, PIs),
    '$member'(PI, PIs).

% group(?Subject, ?PredicateIndicators): the table itself.

group(control, [true/0, fail/0, false/0, (!)/0, repeat/0]).
group(unification,
      [(=)/2, (\=)/2, (?=)/2, unify_with_occurs_check/2, subsumes_term/2, dif/2]).
group(comparison,
      [(==)/2, (\==)/2, (@<)/2, (@=<)/2, (@>)/2, (@>=)/2, compare/3, (=@=)/2, (\=@=)/2]).
group(types,
      [ var/1, nonvar/1, number/1, integer/1, float/1, rational/1, rational/3, atom/1, atomic/1,
        string/1, compound/1, callable/1, ground/1, is_list/1, acyclic_term/1, cyclic_term/1
      ]).
group(arithmetic,
      [ (is)/2, (=:=)/2, (=\=)/2, (<)/2, (=<)/2, (>)/2, (>=)/2, succ/2, plus/3, between/3]).
group(terms,
      [ functor/3, arg/3, (=..)/2, compound_name_arity/3, compound_name_arguments/3, copy_term/2,
        term_variables/2
      ]).
group(text,
      [ atom_length/2, atom_chars/2, atom_codes/2, atom_concat/3, atom_number/2, atom_string/2,
        char_code/2, sub_atom/5, upcase_atom/2, downcase_atom/2, atomic_list_concat/2,
        atomic_list_concat/3, number_codes/2, number_chars/2, split_string/4, string_chars/2,
        string_codes/2, string_concat/3, string_length/2, string_lower/2, string_upper/2,
        sub_string/5
      ]).
group(lists,
      [ append/2, append/3, delete/3, flatten/2, is_set/1, intersection/3,
        last/2, length/2, list_to_set/2, max_list/2, max_member/2, member/2, memberchk/2,
        min_list/2, min_member/2, msort/2, nextto/3, nth0/3, nth0/4, nth1/3, nth1/4, numlist/3,
        permutation/2, reverse/2, same_length/2, select/3, select/4,
        selectchk/3, sort/2, sort/4, subset/2, subtract/3, sum_list/2, union/3
      ]).
group(pairs,
      [ keysort/2, pairs_keys/2, pairs_keys_values/3, pairs_values/2, transpose_pairs/2]).
group(ordsets,
      [ list_to_ord_set/2, ord_intersection/3, ord_memberchk/2, ord_subset/2,
        ord_subtract/3, ord_union/2, ord_union/3
      ]).
% Only where a rule file imports library(clpfd).
group(clpfd,
      [ (#=)/2, (#\=)/2, (#<)/2, (#>)/2, (#=<)/2, (#>=)/2, (in)/2, (ins)/2, (#\)/1, (#<==>)/2,
        (#==>)/2, (#<==)/2, (#\/)/2, (#/\)/2, all_different/1, all_distinct/1, sum/3,
        scalar_product/4, lex_chain/1, tuples_in/2, label/1, labeling/2, element/3, global_cardinality/2,
        circuit/1, chain/2, transpose/2, fd_dom/2, fd_inf/2, fd_sup/2, fd_size/2, fd_var/1
      ]).

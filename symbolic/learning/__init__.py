"""Rules learned from labelled programs: pictures as truth tables go in, clauses that a person can read come out.

    from predinet_prolog.symbolic.learning import learn, observe, predicates_of, situation

    found = list(observe(engine.ask, programs, signatures))
    predicates = predicates_of(signatures, found)
    situations = [situation(each, predicates) for each in found]
    learned = learn(situations, labels, predicates)
    print(learned.theory.write())

Knows no domain: which predicates there are is data. The method is a levelwise search over conjunctions, merged by what
they are true of (observational equivalence), then the cheapest decision list of what they say.
"""

from predinet_prolog.symbolic.learning.choosing import MODES, Trial
from predinet_prolog.symbolic.learning.concepts import learn_predicate, near_misses
from predinet_prolog.symbolic.learning.doubts import Doubt
from predinet_prolog.symbolic.learning.learning import Learned, Options, ask_next, learn
from predinet_prolog.symbolic.learning.observing import Observation, Signature, observe, predicates_of, situation
from predinet_prolog.symbolic.learning.situations import Predicate, Situation
from predinet_prolog.symbolic.learning.theories import Clause, Theory

__all__ = ["MODES", "Clause", "Doubt", "Learned", "Observation", "Options", "Predicate", "Signature", "Situation"]
__all__ += ["Theory", "Trial", "ask_next", "learn", "learn_predicate", "near_misses", "observe", "predicates_of"]
__all__ += ["situation"]

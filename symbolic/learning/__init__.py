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

from predinet_prolog.symbolic.learning.choosing import MODES as MODES
from predinet_prolog.symbolic.learning.choosing import Trial as Trial
from predinet_prolog.symbolic.learning.concepts import learn_predicate as learn_predicate
from predinet_prolog.symbolic.learning.concepts import near_misses as near_misses
from predinet_prolog.symbolic.learning.doubts import Doubt as Doubt
from predinet_prolog.symbolic.learning.learning import Learned as Learned
from predinet_prolog.symbolic.learning.learning import Options as Options
from predinet_prolog.symbolic.learning.learning import ask_next as ask_next
from predinet_prolog.symbolic.learning.learning import learn as learn
from predinet_prolog.symbolic.learning.observing import Observation as Observation
from predinet_prolog.symbolic.learning.observing import Signature as Signature
from predinet_prolog.symbolic.learning.observing import observe as observe
from predinet_prolog.symbolic.learning.observing import predicates_of as predicates_of
from predinet_prolog.symbolic.learning.observing import situation as situation
from predinet_prolog.symbolic.learning.situations import Predicate as Predicate
from predinet_prolog.symbolic.learning.situations import Situation as Situation
from predinet_prolog.symbolic.learning.theories import Clause as Clause
from predinet_prolog.symbolic.learning.theories import Theory as Theory

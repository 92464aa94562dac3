"""Rules learned from labelled programs: pictures as truth tables go in, clauses that a person can read come out.

    from symbolic.learning import learn, observe, predicates_of, situation

    found = list(observe(engine.ask, programs, signatures))
    predicates = predicates_of(signatures, found)
    situations = [situation(each, predicates) for each in found]
    learned = learn(situations, labels, predicates)
    print(learned.theory.write())

Knows no domain: which predicates there are is data. The method is a levelwise search over conjunctions, merged by what
they are true of (observational equivalence), then the cheapest decision list of what they say.
"""

from symbolic.learning.choosing import MODES as MODES
from symbolic.learning.choosing import Trial as Trial
from symbolic.learning.concepts import learn_predicate as learn_predicate
from symbolic.learning.concepts import near_misses as near_misses
from symbolic.learning.doubts import Doubt as Doubt
from symbolic.learning.learning import Learned as Learned
from symbolic.learning.learning import Options as Options
from symbolic.learning.learning import ask_next as ask_next
from symbolic.learning.learning import learn as learn
from symbolic.learning.observing import Observation as Observation
from symbolic.learning.observing import Signature as Signature
from symbolic.learning.observing import observe as observe
from symbolic.learning.observing import observe_base as observe_base
from symbolic.learning.observing import predicates_of as predicates_of
from symbolic.learning.observing import situation as situation
from symbolic.learning.situations import Predicate as Predicate
from symbolic.learning.situations import Situation as Situation
from symbolic.learning.theories import Clause as Clause
from symbolic.learning.theories import Theory as Theory

"""Hypothesis strategies for acts of every kind, each valid in itself."""

from __future__ import annotations

from hypothesis import strategies as st

from assistant.hall.tournament import (
    Act,
    BothLost,
    CallingSet,
    CallSettled,
    Degree,
    DrawAnnulled,
    Drawn,
    Format,
    MatchMoved,
    MatchStopped,
    MatchVoided,
    Opened,
    Options,
    PairCorrected,
    PairEnrolled,
    PairLate,
    PairWithdrawn,
    PenaltyLifted,
    PlayerEnrolled,
    RefereeCalled,
    ResultCorrected,
    ResultCountersigned,
    ResultEntered,
    RoundClockSet,
    RoundEnded,
    RoundPaired,
    RoundResumed,
    Sanctioned,
    TableAssigned,
    Times,
    TimesSet,
    Walkover,
)

OPTIONS = {
    Format.KNOCKOUT: Options(bronze=True),
    Format.DOUBLE: Options(juegos=1, clubs_apart=True, rules="kings=4 target=30", profile="casa"),
    Format.ROBIN: Options(tiebreaks=("direct", "stones")),
    Format.SWISS: Options(rounds=2, clubs_apart=True, tiebreaks=("buchholz", "juegos")),
    Format.GROUPS: Options(groups=2, advance=1, clubs_apart=True),
}

numbers = st.integers(1, 7)
people = st.sampled_from(["Ana", "Luis", "Mesa 4"])
texts = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=20)
matches = st.sampled_from(
    [f"{letter}{number}.{at}" for letter in "KWLRSG" for number in (1, 2) for at in (1, 2, 3)]
    + ["B1.1", "F1.1", "F2.1", "K3.1", "G1.1.1", "G1.2.1", "G2.1.1", "G2.3.1"]
)
juegos = st.sampled_from([(3, 0), (1, 3), (2, 3), (1, 0), (0, 1)])
stones = st.tuples(st.integers(0, 200), st.integers(0, 200))
pairings = st.lists(st.tuples(numbers, st.none() | numbers), max_size=4).map(tuple)

opened: st.SearchStrategy[Opened] = st.sampled_from(
    [Opened("Torneo", form, options) for form, options in OPTIONS.items()]
)
acts: st.SearchStrategy[Act] = st.one_of(
    opened,
    st.builds(
        PairEnrolled,
        numbers,
        texts,
        st.tuples(texts, texts),
        texts | st.just(""),
        st.none() | st.integers(1, 9),
        category=texts | st.just(""),
        late=st.booleans(),
    ),
    st.builds(PlayerEnrolled, numbers, texts, texts, category=texts | st.just("")),
    st.builds(
        PairCorrected,
        numbers,
        texts,
        st.tuples(texts, texts),
        st.sampled_from(["", "Alta", "alta"]),
        people,
        texts,
    ),
    st.builds(PairWithdrawn, numbers, texts, people),
    st.builds(Drawn, st.integers(0, 2**53 - 1), st.lists(numbers).map(tuple)),
    st.builds(DrawAnnulled, people, texts),
    st.builds(RoundPaired, st.integers(1, 3), pairings),
    st.builds(MatchMoved, matches, st.sampled_from(["", "2027-02-14"]), people, texts),
    st.builds(RefereeCalled, matches, people, texts),
    st.builds(CallSettled, matches, people),
    st.builds(TableAssigned, matches, st.sampled_from(["mesa-1", "mesa-2", "mesa-3"])),
    st.builds(ResultEntered, matches, juegos, stones, people, st.just("") | texts),
    st.builds(ResultCountersigned, matches, people),
    st.builds(ResultCorrected, matches, juegos, stones, people, texts),
    st.builds(Walkover, matches, numbers, people, texts),
    st.builds(MatchVoided, matches, people, texts),
    st.builds(
        TimesSet,
        st.builds(
            Times,
            st.integers(0, 20),
            st.sampled_from([0, 5]),
            st.booleans(),
            stops=st.booleans(),
        ),
        people,
    ),
    st.builds(RoundClockSet, st.integers(0, 2**40), people),
    st.builds(
        RoundEnded,
        st.integers(0, 2**40),
        st.lists(st.tuples(matches, juegos, stones), max_size=3).map(tuple),
        st.just("") | people,
    ),
    st.builds(RoundResumed, people, texts),
    st.builds(CallingSet, st.booleans(), st.integers(0, 40), people),
    st.builds(PairLate, matches, numbers, st.integers(0, 60), people),
    st.builds(
        MatchStopped,
        matches,
        st.tuples(st.integers(0, 3), st.integers(0, 3)),
        stones,
        people,
        st.none() | numbers,
    ),
    st.builds(BothLost, matches, people, texts),
    st.builds(
        Sanctioned,
        numbers,
        st.sampled_from(Degree),
        texts,
        people,
        texts,
        st.just("") | matches,
        st.just("") | people,
    ),
    st.builds(PenaltyLifted, st.integers(1, 4), people, texts),
)

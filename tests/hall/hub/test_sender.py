"""The sender of a table: what it sends next, whatever is lost on the way."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from assistant.hall.hub.uplink import CONFIRM_LONGEST_S, CONFIRM_S, Sender


@dataclass
class Game:
    table_id: str
    position: int
    last_seq: int


def sent(sender: Sender, games: list[Game], now: float = 0.0, most: int = 200) -> list[str]:
    """Everything that the sender wants to send now, marked as sent."""
    found = []
    while chosen := sender.next(games, most):
        name, after, many = chosen
        sender.sent(name, after + many, now)
        found.append(f"{name}:{after + 1}-{after + many}")
    return found


def test_records_are_sent_in_order_and_once_from_the_hubs_position() -> None:
    sender, games = Sender(), [Game("a", 3, 10), Game("b", 0, 2)]
    assert sent(sender, games, most=4) == ["a:4-7", "b:1-2"]
    assert sender.stored("a", 7, again=False, now=1.0) == 7
    assert sent(sender, games, most=4) == ["a:8-10"]
    assert sent(sender, games) == []


def test_calls_made_while_a_message_is_on_its_way_go_in_one_message() -> None:
    sender, games = Sender(), [Game("a", 0, 1)]
    assert sent(sender, games) == ["a:1-1"]
    games[0].last_seq = 5
    assert sent(sender, games) == []
    sender.stored("a", 1, again=False, now=0.1)
    assert sent(sender, games) == ["a:2-5"]


def test_full_messages_follow_each_other_without_waiting() -> None:
    sender, games = Sender(), [Game("a", 0, 9)]
    assert sent(sender, games, most=3) == ["a:1-3", "a:4-6", "a:7-9"]


def test_the_sender_waits_for_the_hub_when_much_is_unconfirmed() -> None:
    sender, games = Sender(window=10), [Game("a", 0, 30)]
    assert sent(sender, games, most=4) == ["a:1-4", "a:5-8"]
    assert sender.stored("a", 4, again=False, now=1.0) == 4
    assert sent(sender, games, most=4) == ["a:9-12"]


def test_after_a_reconnection_unconfirmed_records_are_sent_again() -> None:
    sender, games = Sender(), [Game("a", 0, 9)]
    sent(sender, games)
    sender.stored("a", 4, again=False, now=1.0)
    sender.rewind(2.0)
    assert sent(sender, games) == ["a:5-9"]


def test_a_request_of_the_hub_rewinds_behind_confirmed_records() -> None:
    sender, games = Sender(), [Game("a", 8, 9)]
    sent(sender, games)
    assert sender.stored("a", 2, again=True, now=5.0) == 2
    assert sent(sender, games) == ["a:3-9"]
    assert sender.stored("a", 2, again=True, now=5.1) is None  # the same request again
    assert sent(sender, games) == []


def test_an_outdated_confirmation_changes_nothing() -> None:
    sender, games = Sender(), [Game("a", 0, 9)]
    sent(sender, games)
    assert sender.stored("a", 9, again=False, now=1.0) == 9
    assert sender.stored("a", 4, again=False, now=1.0) is None
    assert sent(sender, games) == []


def test_without_a_confirmation_records_are_sent_again_less_and_less_often() -> None:
    sender, games = Sender(), [Game("a", 0, 1)]
    now, waits = 0.0, []
    for _ in range(6):
        sent(sender, games, now)
        began = now
        while not sender.give_up_waiting(now):
            now += 0.5
        waits.append(now - began)
    assert waits == [CONFIRM_S, 20.0, 40.0, 80.0, CONFIRM_LONGEST_S, CONFIRM_LONGEST_S]
    sender.stored("a", 1, again=False, now=now)
    assert not sender.waiting


@given(st.data())
def test_all_records_arrive_despite_losses_duplicates_and_delays(
    data: st.DataObject,
) -> None:
    sender, games = Sender(window=8), [Game("a", 0, 20), Game("b", 0, 3)]
    have: dict[str, set[int]] = {"a": set(), "b": set()}
    way: list[tuple[str, int, int]] = []
    now = 0.0
    for step in range(400):
        now += 1.0
        while chosen := sender.next(games, 3):
            name, after, many = chosen
            sender.sent(name, after + many, now)
            way.append((name, after + 1, after + many))
        troubled = step < 60
        kind = data.draw(st.sampled_from(["come", "lose", "double", "late"])) if troubled else ""
        if way:
            message = way.pop(-1 if kind == "late" else 0)
            if kind == "double":
                way.append(message)
            if kind != "lose":
                name, first, last = message
                have[name] |= set(range(first, last + 1))
                stored = next(n for n in range(22) if n + 1 not in have[name])
                if not troubled or data.draw(st.booleans()):  # the confirmation itself may be lost
                    sender.stored(name, stored, max(have[name]) > stored, now)
        sender.give_up_waiting(now)
    assert have == {"a": set(range(1, 21)), "b": {1, 2, 3}}
    assert not sender.waiting

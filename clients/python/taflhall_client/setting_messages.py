"""Time controls, clocks and spectator settings as messages of the contract, and back."""

from __future__ import annotations

from datetime import UTC
from time import monotonic

from google.protobuf.duration_pb2 import Duration

from taflhall.v1 import match_pb2
from taflhall_client.clocks import SeatClock, TimeControl, TimeoutPolicy
from taflhall_client.spectators import SpectatorPolicy, SpectatorSettings


def time_control_to(time_control: TimeControl) -> match_pb2.TimeControl:
    """Return settings as a message."""
    return match_pb2.TimeControl(
        base=_duration(time_control.base),
        increment=_duration(time_control.increment),
        per_decision=_duration(time_control.per_decision),
        on_timeout=match_pb2.TimeoutPolicy.ValueType(time_control.on_timeout.value),
    )


def time_control_from(message: match_pb2.TimeControl) -> TimeControl:
    """Return the settings that a message says; a policy of a newer server counts as neutral."""
    known = {on_timeout.value: on_timeout for on_timeout in TimeoutPolicy}
    return TimeControl(
        message.base.ToMilliseconds() / 1000,
        message.increment.ToMilliseconds() / 1000,
        message.per_decision.ToMilliseconds() / 1000,
        known.get(message.on_timeout, TimeoutPolicy.NEUTRAL),
    )


def seat_clocks(message: match_pb2.MatchClocks) -> list[SeatClock]:
    """Return the clocks of a message that was received just now."""
    received = monotonic()
    return [
        SeatClock(
            clock.seat,
            clock.bank.ToMilliseconds() / 1000,
            clock.deadline.ToDatetime(UTC) if clock.HasField("deadline") else None,
            clock.paused,
            clock.stand_in,
            clock.remaining.ToMilliseconds() / 1000,
            received,
        )
        for clock in message.seats
    ]


def spectators_to(spectators: SpectatorSettings) -> match_pb2.SpectatorSettings:
    """Return spectators as a message."""
    delay = _duration(spectators.delay)
    return match_pb2.SpectatorSettings(
        policy=match_pb2.SpectatorPolicy.ValueType(spectators.policy.value),
        delay=delay if spectators.policy is SpectatorPolicy.DELAYED else None,
    )


def spectators_from(message: match_pb2.SpectatorSettings) -> SpectatorSettings:
    """Return the spectators that a message says; a policy of a newer server counts as none."""
    known = {policy.value: policy for policy in SpectatorPolicy} | {0: SpectatorPolicy.PUBLIC}
    delay = message.delay.ToMilliseconds() / 1000
    return SpectatorSettings(known.get(message.policy, SpectatorPolicy.NONE), delay)


def _duration(seconds: float) -> Duration:
    length = Duration()
    length.FromMilliseconds(round(seconds * 1000))
    return length

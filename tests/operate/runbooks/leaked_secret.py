"""Leaked secret: somebody else has the secret of a seat, and the key of an account."""

from __future__ import annotations

import re

from taflhall_client import errors
from taflhall_client.async_client import Client, Match
from tests.faults.control.rig import Rig
from tests.operate.runbooks.crowd import refusal
from tests.operate.runbooks.page import Runbook
from tests.operate.runbooks.trial import Trial, trial


async def leaked_secret(runbook: Runbook) -> str:
    """Steal both, and take them back by the page."""
    rig = Rig(1)
    async with trial(runbook, rig, STORE=rig.store.address) as on:
        address = rig.servers[0].address
        on.names["SERVER"] = address
        await on.begin()
        status, made = await on.shell('taflhall-server admin create-account --store "$STORE" Ann')
        assert status == 0, made
        account, key = re.findall(r"^(?:account|key) +(\S+)$", made, re.MULTILINE)
        async with Client(address) as nobody, Client(address, key=key) as owner:
            match = await nobody.create("yggdrasil", {"seats": 2})
            ann = await match.join("Ann", seats=[0])
            await match.join("Bob", seats=[1])
            await match.start()
            assert ann.secret is not None
            on.names.update(ACCOUNT=account, KEY=key)
            on.names.update(MATCH=ann.match_id, SECRET=ann.secret, NAME="Ann")
            await _guess(nobody, ann)
            await on.shows()
            assert await owner.matches(account="me") == []  # the key is valid
            assert await on.persists()
            new_secret = _last_word(await on.do(1))
            new_key = _last_word(await on.do(2))
            await on.over()
            await _still_open(on, new_secret, new_key)
    return "the old secret and the old key open nothing, the new ones do"


async def _guess(client: Client, seat: Match) -> None:
    """Try secrets that look like one."""
    assert seat.secret is not None
    for turn in range(1, 4):
        guessed = seat.secret[turn:] + seat.secret[:turn]
        await refusal(client.match(seat.match_id, guessed).get(), errors.SecretInvalid)


async def _still_open(on: Trial, secret: str, key: str) -> None:
    """The rightful holders go on with what the page has given them."""
    async with Client(on.names["SERVER"]) as client:
        before = (await client.match(on.names["MATCH"]).get()).match.revision
        seat = client.match(on.names["MATCH"], secret)
        if await seat.decision() is not None:  # it may be Bob's turn
            await seat.submit(0)
        assert (await seat.get()).match.revision >= before
    async with Client(on.names["SERVER"], key=key) as owner:
        assert await owner.matches(account="me") == []


def _last_word(printed: str) -> str:
    return printed.rsplit(maxsplit=1)[-1]

"""``taflhall match invite`` says what the invited account needs, and that works."""

import asyncio

from taflhall_service.app.access.accounts import Role
from taflhall_testing.server import running_server


async def test_an_invited_account_finds_the_match_and_joins_as_the_creator_was_told(taflhall):
    async with running_server() as server:
        ann = await server.accounts.create("Ann", Role.PLAYER)
        _, key = await server.accounts.create_key(ann.id)

        async def run(*words):
            ran = await asyncio.to_thread(lambda: taflhall(*words))
            assert ran.status == 0, ran.err
            return ran.lines

        at = server.address
        made = await run("match", "create", at, "yggdrasil", "--seats", "2", "--invitation")
        match, secret = (line.split()[1] for line in made[:2])
        invited = ("--account", ann.id, "--secret", secret)
        printed = await run("match", "invite", at, match, *invited)
        assert f"seat 0   reserved for {ann.id}" in printed
        listing, joining, declining = printed[-3:]
        assert match in "\n".join(await run("--api-key", key, *listing.split()[1:]))
        joined = await run("--api-key", key, *joining.replace("NAME", "Ann").split()[1:])
        assert joined[0] == "seats  0"
        assert declining == f"taflhall match decline {at} {match}"

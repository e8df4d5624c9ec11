from aiohttp_polls.models import Choice, NewPoll, Poll


class UnknownPoll(Exception):
    def __init__(self, poll_id):
        self.poll_id = poll_id


class PollStorage:
    def __init__(self):
        self._polls: dict[int, Poll] = {}

    async def all(self) -> list[Poll]:
        return list(self._polls.values())

    async def find(self, poll_id: int) -> Poll:
        if poll_id not in self._polls:
            raise UnknownPoll(poll_id)
        return self._polls[poll_id]

    async def add(self, new: NewPoll) -> Poll:
        poll = Poll(
            id=len(self._polls) + 1,
            question=new.question,
            kind=new.kind,
            choices=[Choice(label=c) for c in new.choices],
        )
        self._polls[poll.id] = poll
        return poll

    async def close(self):
        self._polls.clear()

# SPDX-License-Identifier: Apache-2.0
"""What the lab's peers share: a journal of what they saw, and the socket on which tests steer and ask them.

One line goes in, one line of JSON comes out, so that a test waits for a fact and never for a time:

    {"ok": true, …}    or    {"ok": false, "error": "…"}

Every peer understands:
    log [FROM]                   the events from that number on, each {"number", "at", "event", …}
    wait EVENT [COUNT [SECONDS]] answers when an event has been seen that often since the last reset (1, 10)
    stats                        how often each event was seen since the last reset, and the state of things
    reset                        forgets events, bonds and changes, ends connections: as if newly started

`at` is the kernel's monotonic clock in seconds, which every program of the guest shares.
"""
import argparse
import asyncio
import inspect
import json
import os
import shlex
import time


class Journal:
    def __init__(self, path):
        self.file = open(path, 'a', buffering=1)
        self.events, self.counts, self.news = [], {}, asyncio.Condition()

    def note(self, event, **facts):
        entry = {'number': len(self.events), 'at': round(time.monotonic(), 4), 'event': event, **facts}
        self.events.append(entry)
        self.counts[event] = self.counts.get(event, 0) + 1
        print(json.dumps(entry), file=self.file)
        asyncio.ensure_future(self.announce())

    async def announce(self):
        async with self.news:
            self.news.notify_all()

    async def until(self, event, count, seconds):
        async with self.news:
            await asyncio.wait_for(self.news.wait_for(lambda: self.counts.get(event, 0) >= count), seconds)


class Peer:
    """Answers the lines of the control socket: the word `some-thing` calls the method `do_some_thing`."""

    def __init__(self, log):
        self.journal = Journal(log)
        self.note = self.journal.note
        self.talks = set()

    def do_log(self, start='0'):
        return {'events': self.journal.events[int(start):], 'next': len(self.journal.events)}

    async def do_wait(self, event, count='1', seconds='10'):
        try:
            await self.journal.until(event, int(count), float(seconds))
        except asyncio.TimeoutError:
            raise LookupError(f'"{event}" was seen {self.journal.counts.get(event, 0)} times in {seconds} s') from None
        return {'event': [each for each in self.journal.events if each['event'] == event][-1]}

    def do_stats(self):
        return {'counts': self.journal.counts, **self.state()}

    async def do_reset(self):
        await self.restore()
        self.journal.counts = {}
        return {}

    async def answer(self, line):
        try:
            word, *arguments = shlex.split(line)
            method = getattr(self, 'do_' + word.replace('-', '_'), None)
            if method is None:
                raise LookupError(f'"{word}" is none of ' + ', '.join(sorted(name[3:].replace('_', '-') for name in dir(self) if name.startswith('do_'))))
            result = method(*arguments)
            if inspect.isawaitable(result):
                result = await result
            return {'ok': True, **(result or {})}
        except Exception as error:  # whatever went wrong is the answer
            return {'ok': False, 'error': f'{type(error).__name__}: {error}'}

    async def serve(self, path):
        async def talk(reader, writer):
            self.talks.add(writer)
            while line := await reader.readline():
                writer.write(json.dumps(await self.answer(line.decode())).encode() + b'\n')
                await writer.drain()
            self.talks.discard(writer)
            writer.close()
        # The socket appears under its name when it listens: who sees it can connect.
        self.path, self.server = path, await asyncio.start_unix_server(talk, path + '.new')
        os.rename(path + '.new', path)

    async def close(self):
        """As if its battery were taken out."""
        await self.transport.close()
        self.server.close()
        for writer in self.talks:
            writer.close()
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.note('gone')
        self.journal.file.close()


def parser():
    """What every peer can be given when it is made."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument('--hci', required=True, help="Bumble's name of the controller, such as unix:/run/lab/hci")
    common.add_argument('--control', required=True, help='the socket to listen on')
    common.add_argument('--log', default='/dev/stdout', help='the file to write the journal to')
    common.add_argument('--legacy', action='store_true', help='pairs as before Bluetooth 4.2')
    common.add_argument('--deny', action='store_true', help='says that compared numbers differ')
    return argparse.ArgumentParser(parents=[common])

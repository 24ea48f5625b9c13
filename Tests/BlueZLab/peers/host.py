# SPDX-License-Identifier: Apache-2.0
"""Runs the peers, all in one process, since starting a Python with Bumble takes longer than most tests: host.py FOLDER LOGS

Its control socket, FOLDER/peers, takes:
    start NAME peripheral KIND [OPTION…]
    start NAME central [OPTION…]
    start NAME client DEVICE
    stop NAME
Who starts a peer under the name of another ends that one. FOLDER/hci is the air's socket, FOLDER/NAME becomes the peer's.
"""
import asyncio
import logging
import os
import sys

import central
import client
import peripheral
from control import Peer

ROLES = {'peripheral': (peripheral.options, peripheral.Peripheral), 'central': (central.options, central.Central),
         'client': (client.options, client.Client)}


class Host(Peer):
    def __init__(self, folder, logs):
        super().__init__('/dev/null')
        self.folder, self.logs, self.peers = folder, logs, {}

    def state(self):
        return {'peers': sorted(self.peers)}

    async def do_start(self, name, role, *words):
        options, kind = ROLES[role]
        try:
            chosen = options([*words, '--hci', f'unix:{self.folder}/hci', '--control', os.path.join(self.folder, name),
                              '--log', os.path.join(self.logs, f'peer-{name}.log')])
        except SystemExit:
            raise ValueError('options that it does not have: ' + ' '.join(words)) from None
        if name in self.peers:
            await self.do_stop(name)
        peer = kind(chosen)
        await peer.start()
        self.peers[name] = peer

    async def do_stop(self, name):
        await self.peers.pop(name).close()


async def main():
    logging.basicConfig(level=logging.WARNING)
    folder, logs = sys.argv[1:]
    await Host(folder, logs).serve(os.path.join(folder, 'peers'))
    await asyncio.get_running_loop().create_future()


asyncio.run(main())

# SPDX-License-Identifier: Apache-2.0
"""Bumble as a phone at a GATT application that bluetoothd serves on hci0."""
import asyncio

from application import INDICATED, NOTIFIED, OPEN, SECRET, SERVICE, serve
from bluez import Agent, Bus, Remote, expect

NAME = 'Lab on hci0'


async def main():
    bus, phone = await Bus.open(), Remote('phone')
    await bus.register(Agent(), 'NoInputNoOutput')
    served = await serve(bus, '/org/bluez/hci0', NAME)
    sight = await phone.ask('scan', SERVICE)
    expect('the name', sight['name'], NAME)
    expect('the MTU', (await phone.ask('connect'))['mtu'], 247)
    tree = (await phone.ask('services'))['services']
    properties = {each['uuid'].lower(): each['properties'] for service in tree for each in service['characteristics']}
    expect('properties', [properties[uuid] for uuid in (OPEN, SECRET, NOTIFIED, INDICATED)], [['READ', 'WRITE'], ['READ'], ['NOTIFY'], ['INDICATE']])
    expect('a read', await phone.ask('read', OPEN), {'value': b'open to all'.hex()})
    await phone.ask('write', OPEN, bytes(400).hex())
    expect('a write', bytes(served[OPEN].value), bytes(400))
    expect('a long read', await phone.ask('read', OPEN), {'value': bytes(400).hex()})
    await phone.ask('subscribe', NOTIFIED)
    expect('notifications', await phone.ask('values', NOTIFIED, '3'), {'values': ['00', '01', '02']})
    await phone.ask('subscribe', INDICATED, 'indicate')
    expect('indications', await phone.ask('values', INDICATED, '3'), {'values': ['00', '01', '02']})
    try:
        await phone.ask('read', SECRET)
        raise AssertionError('a secret was shown')
    except LookupError as error:
        expect('a secret', 'INSUFFICIENT' in str(error), True)
    await phone.ask('pair')
    expect('a secret, when paired', await phone.ask('read', SECRET), {'value': b'for bonded ones'.hex()})
    await phone.ask('disconnect')
    await phone.ask('wait', 'disconnected')


asyncio.run(asyncio.wait_for(main(), 60))

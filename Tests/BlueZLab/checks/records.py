# SPDX-License-Identifier: Apache-2.0
"""bleak reads the lab's meters: records.py cuff | again | thermometer | glucose | interrupted"""
import asyncio
import sys

from bleak.exc import BleakError

from bluez import Agent, Bus, Remote, connect, connected, expect, say

BLOOD_PRESSURE = ['167c0056006100e807060f11111b33000000', '1e83005e006a00e8070610071e004600010000', '1693005e007000e80706111118003d002700']
ONE_MORE = '16880059006900e807061208000041000000'
TEMPERATURES = ['06710e00fee40705150a1e2d01', '06880e00feea07091108000001', '013c2600fe']
GLUCOSE = ['030300e807021c1732000f0058b011', '060700ea07080c07050037c011', '020800ea07080c07050001d011',
           '1b0900ea070301000a00000058b2112000', '0a0a00ea070301000a00ff071a0008']


def full(number):
    return f'0000{number}-0000-1000-8000-00805f9b34fb'


class Values:
    def __init__(self):
        self.queue = asyncio.Queue()

    def came(self, _, value):
        self.queue.put_nowait(bytes(value).hex())

    async def take(self, count):
        return [await asyncio.wait_for(self.queue.get(), 10) for _ in range(count)]


async def cuff():
    peer, values = Remote('cuff'), Values()
    async with connected(full('1810')) as client:
        await client.start_notify(full('2a35'), values.came)
        expect('three records', await values.take(3), BLOOD_PRESSURE)
        await peer.ask('wait', 'sent-all')
        expect('confirmed ones are gone', (await peer.ask('stats'))['stored'], [])
        await peer.ask('measure', ONE_MORE)
        expect('a record while connected', await values.take(1), [ONE_MORE])


async def again():
    peer, values = Remote('cuff'), Values()
    await peer.ask('measure', ONE_MORE)
    async with connected(full('1810')) as client:
        await client.start_notify(full('2a35'), values.came)
        expect('a record over a known bond', await values.take(1), [ONE_MORE])
        expect('pairings', (await peer.ask('stats'))['counts']['paired'], 1)


async def thermometer():
    peer, values = Remote('thermometer'), Values()
    async with connected(full('1809')) as client:
        await client.start_notify(full('2a1c'), values.came)
        expect('three temperatures', await values.take(3), TEMPERATURES)
        await peer.ask('wait', 'disconnected')
        say('it has disconnected')


class Meter:
    """A glucose meter with all that it notifies."""

    async def open(self, client):
        self.client, self.values, self.contexts, self.answers = client, Values(), Values(), Values()
        await client.start_notify(full('2a18'), self.values.came)
        await client.start_notify(full('2a34'), self.contexts.came)
        await client.start_notify(full('2a52'), self.answers.came)

    async def ask(self, request):
        await self.client.write_gatt_char(full('2a52'), bytes.fromhex(request), response=True)

    async def answer(self, request):
        await self.ask(request)
        return (await self.answers.take(1))[0]


async def glucose():
    async with connected(full('1808')) as client:
        meter = Meter()
        await meter.open(client)
        expect('the number of records', await meter.answer('0401'), '05000500')
        expect('all records are announced', await meter.answer('0101'), '06000101')
        expect('all records', await meter.values.take(5), GLUCOSE)
        expect('the context', await meter.contexts.take(1), ['02090003'])
        expect('from number 8 on', await meter.answer('0103010800'), '06000101')
        expect('three records', await meter.values.take(3), GLUCOSE[2:])
        expect('numbers 4 to 7', await meter.answer('01040104000700'), '06000101')
        expect('one record', await meter.values.take(1), GLUCOSE[1:2])
        expect('none from 100 on', await meter.answer('0103016400'), '06000106')
        expect('an operand of time', await meter.answer('010302e807021c173200'), '06000109')
        expect('an unknown operation', await meter.answer('0901'), '06000902')


async def interrupted():
    peer = Remote('glucose')
    await peer.ask('hold')
    # Not to be closed: bleak waits for bluetoothd to say that the connection has ended.
    client = await connect(full('1808'))
    meter = Meter()
    await meter.open(client)
    await meter.ask('0101')
    expect('the first record', await meter.values.take(1), GLUCOSE[:1])
    try:
        await meter.ask('0401')
        raise AssertionError('a second procedure was accepted')
    except BleakError as error:
        say('a second procedure is refused:', error)
    await run('lab', 'bluetoothd', 'kill')
    await peer.ask('wait', 'disconnected')
    await run('lab', 'bluetoothd', 'start')


async def run(*command):
    process = await asyncio.create_subprocess_exec(*command)
    assert await process.wait() == 0, command


async def main():
    bus = await Bus.open()
    await bus.register(Agent(), 'NoInputNoOutput')
    await asyncio.wait_for(globals()[sys.argv[1]](), 60)


asyncio.run(main())

# SPDX-License-Identifier: Apache-2.0
"""bleak, a client of bluetoothd that others made, at the lab's bench: what it cannot do here is a fault of the lab."""
import asyncio
import struct

from bleak.exc import BleakError

from bluez import Agent, Bus, Remote, channel, connected, expect, say

ADDRESS = 'F0:F1:F2:F3:F4:F5'


def uuid(number):
    return f'f0de00{number:02x}-0000-1000-8000-00805f9b34fc'


async def collect(client, characteristic, count, act):
    """The values that come from a characteristic while something is done, until there are as many as wanted."""
    values, enough = [], asyncio.Event()

    def came(_, value):
        values.append(bytes(value))
        if len(values) == count:
            enough.set()
    await client.start_notify(characteristic, came)
    await act()
    await asyncio.wait_for(enough.wait(), 10)
    await client.stop_notify(characteristic)
    return values[:count]


async def nothing():
    pass


async def values(client, bench):
    expect('a long read', bytes(await client.read_gatt_char(uuid(1))), bytes(range(256)) * 2)
    await client.write_gatt_char(uuid(1), bytes(512), response=True)
    expect('a long write', (await bench.ask('stats'))['long'], '00' * 512)
    for _ in range(100):
        await client.write_gatt_char(uuid(2), bytes(200), response=False)
    await client.read_gatt_char(uuid(8))
    state = await bench.ask('stats')
    expect('100 commands and one write', (state['commands'], state['writes'], state['bytes']), (100, 1, 20512))
    descriptor = client.services.get_characteristic(uuid(1)).get_descriptor('00002901-0000-1000-8000-00805f9b34fb')
    expect('a descriptor', bytes(await client.read_gatt_descriptor(descriptor.handle)), b'long value')
    try:
        await client.read_gatt_char(uuid(9))
        raise AssertionError('a read that fails did not')
    except BleakError as error:
        say('a read fails as it should:', error)


async def streams(client, bench):
    counted = await collect(client, uuid(3), 100, nothing)
    first = struct.unpack('<I', counted[0])[0]
    expect('a stream without gaps', [struct.unpack('<I', each)[0] for each in counted], list(range(first, first + 100)))
    expect('ten equal notifications', await collect(client, uuid(0x0A), 10, lambda: bench.ask('same')), [b'same'] * 10)
    expect('indications', await collect(client, uuid(7), 3, nothing), [b'\x01', b'\x02', b'\x03'])
    await bench.ask('wait', 'confirmed', '3')
    expect('an echo', await collect(client, uuid(0x0B), 1, lambda: client.write_gatt_char(uuid(0x0B), b'hello', response=True)), [b'hello'])


async def secrets(client, bench):
    expect('a read that needs encryption', bytes(await client.read_gatt_char(uuid(6))), b'for encrypted links')
    await bench.ask('wait', 'paired')


async def changes(bus, client, bench):
    def has_service(objects):
        return [path for path, each in objects.items() if each.get('org.bluez.GattService1', {}).get('UUID', None) is not None
                and each['org.bluez.GattService1']['UUID'].value.startswith('0000181b')]
    await bench.ask('change')
    await bus.until('a service is added', has_service)
    # bluetoothd 5.66 loses a change that comes while it is still busy with another: let it read on behind that.
    for _ in range(3):
        await client.read_gatt_char(uuid(4))
    await bench.ask('remove-service')
    await bus.until('the service is removed', lambda objects: not has_service(objects))


async def channels():
    def echo():
        with channel('00:AA:01:00:00:00', ADDRESS, 2, 0x81) as opened:
            opened.settimeout(10)
            sent = [bytes([number]) * 500 for number in range(20)]
            received = []
            for each in sent:
                opened.send(each)
                received.append(opened.recv(512))
            expect('a channel sends back', received, sent)
    await asyncio.to_thread(echo)


async def main():
    bus, bench = await Bus.open(), Remote('bench')
    await bus.register(Agent(), 'NoInputNoOutput')
    async with connected(uuid(0)) as client:
        expect('the address', client.address, ADDRESS)
        expect('the name', client.name, 'Lab bench')
        await values(client, bench)
        await streams(client, bench)
        await secrets(client, bench)
        await changes(bus, client, bench)
        await channels()
        await bench.ask('drop')
    await bench.ask('wait', 'disconnected')


asyncio.run(main())

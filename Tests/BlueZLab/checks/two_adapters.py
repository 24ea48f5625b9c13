# SPDX-License-Identifier: Apache-2.0
"""Serves a GATT application on hci1 and uses it from hci0, through one bluetoothd and with one agent."""
import asyncio

from dbus_fast import Variant

from application import OPEN, SECRET, SERVICE, serve
from bluez import Agent, Bus, expect, say

NAME = 'Lab on hci1'


def device(objects):
    for path, interfaces in objects.items():
        properties = interfaces.get('org.bluez.Device1', {})
        if path.startswith('/org/bluez/hci0/') and 'UUIDs' in properties and SERVICE in properties['UUIDs'].value:
            return path, properties
    return None


async def read(bus, path, uuid):
    for each, interfaces in (await bus.objects()).items():
        if each.startswith(path) and 'org.bluez.GattCharacteristic1' in interfaces and interfaces['org.bluez.GattCharacteristic1']['UUID'].value == uuid:
            return bytes(await (await bus.interface(each, 'GattCharacteristic1')).call_read_value({}))
    raise LookupError(uuid)


async def main():
    agent, bus, server = Agent(), await Bus.open(), await Bus.open()
    await bus.register(agent, 'NoInputNoOutput')
    await serve(server, '/org/bluez/hci1', NAME)
    adapter = await bus.interface('/org/bluez/hci0', 'Adapter1')
    await adapter.call_set_discovery_filter({'Transport': Variant('s', 'le'), 'UUIDs': Variant('as', [SERVICE])})
    await adapter.call_start_discovery()
    path, properties = await bus.until('found with its name', lambda objects: (found := device(objects)) and 'Name' in found[1] and found)
    expect('the name', properties['Name'].value, NAME)
    remote = await bus.interface(path, 'Device1')
    await remote.call_connect()
    await adapter.call_stop_discovery()
    await bus.until('services resolved', lambda objects: objects[path]['org.bluez.Device1']['ServicesResolved'].value)
    expect('a value', await read(bus, path, OPEN), b'open to all')
    await remote.call_pair()
    # It is the side of the peripheral that is asked, and the path that it is asked with is below hci1.
    expect('what the agent was asked', agent.asked, ['RequestAuthorization'])
    expect('a value for bonded ones', await read(bus, path, SECRET), b'for bonded ones')
    paired = {each: interfaces['org.bluez.Device1']['Paired'].value for each, interfaces in (await bus.objects()).items() if 'org.bluez.Device1' in interfaces}
    expect('both adapters know the other', paired, {'/org/bluez/hci0/dev_00_AA_01_00_00_01': True, '/org/bluez/hci1/dev_00_AA_01_00_00_00': True})
    await remote.call_disconnect()
    say('disconnected')


asyncio.run(asyncio.wait_for(main(), 60))

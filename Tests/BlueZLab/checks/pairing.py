# SPDX-License-Identifier: Apache-2.0
"""Pairs with the lab's devices in all the ways there are, by what a desktop would say to bluetoothd."""
import asyncio
import subprocess

from dbus_fast import DBusError, Variant

from bluez import Agent, Bus, Remote, expect, say

SERVICE = 'f0de0000-0000-1000-8000-00805f9b34fc'
OPEN, SECRET, ENCRYPTED = (SERVICE.replace('f0de0000', f'f0de00{number}') for number in ('01', '05', '06'))


class Case:
    """A newly started bench, and a client of bluetoothd with an agent of its own."""

    def __init__(self, *options, agent=None, capability='NoInputNoOutput'):
        self.options, self.agent, self.capability = options, agent or Agent(), capability
        self.peer = Remote('bench')

    async def __aenter__(self):
        self.bus = await Bus.open()
        await self.bus.register(self.agent, self.capability)
        self.lab('peer', 'bench', 'bench', '--name', 'Lab bench', *self.options)
        await self.find()
        return self

    async def __aexit__(self, *_):
        await self.remove()
        self.lab('stop', 'bench')
        self.bus.close()

    def lab(self, *words):
        subprocess.run(['lab', *words], check=True)

    async def find(self):
        adapter = await self.bus.interface('/org/bluez/hci0', 'Adapter1')
        await adapter.call_set_discovery_filter({'Transport': Variant('s', 'le'), 'UUIDs': Variant('as', [SERVICE])})
        await adapter.call_start_discovery()

        def found(objects):
            for path, each in objects.items():
                device = each.get('org.bluez.Device1', {})
                if 'RSSI' in device and SERVICE in device['UUIDs'].value:
                    return path
            return None
        self.path = await self.bus.until('found', found)
        self.device = await self.bus.interface(self.path, 'Device1')
        # While discovery goes on: bluetoothd forgets at once who is not discoverable any more.
        await self.device.call_connect()
        await adapter.call_stop_discovery()

    async def resolved(self):
        await self.bus.until('resolved', lambda objects: objects[self.path]['org.bluez.Device1']['ServicesResolved'].value)

    async def pair(self):
        """The name of the error, if there was one."""
        # Who pairs while the services are being discovered gets no answer from bluetoothd 5.66.
        await self.resolved()
        try:
            await self.device.call_pair()
            return None
        except DBusError as error:
            return error.type

    async def read(self, uuid):
        await self.resolved()
        for path, each in (await self.bus.objects()).items():
            if not path.startswith(self.path) or 'org.bluez.GattCharacteristic1' not in each:
                continue
            if each['org.bluez.GattCharacteristic1']['UUID'].value == uuid:
                return bytes(await (await self.bus.interface(path, 'GattCharacteristic1')).call_read_value({}))
        raise LookupError(uuid)

    async def property(self, name):
        return (await self.bus.objects())[self.path]['org.bluez.Device1'][name].value

    async def remove(self):
        try:
            await (await self.bus.interface('/org/bluez/hci0', 'Adapter1')).call_remove_device(self.path)
        except DBusError as error:
            say('already gone:', error.type)


async def just_works():
    async with Case() as case:
        expect('paired', await case.pair(), None)
        expect('encrypted', await case.read(ENCRYPTED), b'for encrypted links')


async def passkey():
    async with Case('--passkey', '123456', agent=Agent(passkey=123456), capability='KeyboardOnly') as case:
        expect('the right passkey', await case.pair(), None)
        expect('authenticated', await case.read(SECRET), b'for authenticated links')


async def wrong_passkey():
    async with Case('--passkey', '123456', agent=Agent(passkey=111111), capability='KeyboardOnly') as case:
        expect('the wrong passkey', await case.pair(), 'org.bluez.Error.AuthenticationFailed')
        await case.peer.ask('wait', 'pairing-failed')


async def legacy_passkey():
    async with Case('--passkey', '123456', '--legacy', agent=Agent(passkey=123456), capability='KeyboardOnly') as case:
        expect('the right passkey, as of old', await case.pair(), None)


class Typist(Agent):
    """Types what bluetoothd shows into the bench, or something else."""

    def __init__(self, error=0):
        super().__init__()
        self.error = error

    def note(self, what, *words):
        super().note(what, *words)
        if what == 'DisplayPasskey':
            asyncio.ensure_future(Remote('bench').ask('type', str((words[1] + self.error) % 1000000)))


async def shown_passkey():
    async with Case('--keyboard', agent=Typist(), capability='DisplayOnly') as case:
        expect('the passkey that is shown', await case.pair(), None)
        expect('authenticated', await case.read(SECRET), b'for authenticated links')


async def mistyped_passkey():
    async with Case('--keyboard', agent=Typist(1), capability='DisplayOnly') as case:
        expect('another passkey', await case.pair(), 'org.bluez.Error.AuthenticationFailed')


async def numbers():
    async with Case('--numeric', capability='DisplayYesNo') as case:
        expect('equal numbers', await case.pair(), None)
        expect('what the agent was asked', case.agent.asked, ['RequestConfirmation'])


async def refused_numbers():
    async with Case('--numeric', agent=Agent(confirms=False), capability='DisplayYesNo') as case:
        expect('numbers refused here', await case.pair(), 'org.bluez.Error.AuthenticationFailed')


async def refused():
    async with Case('--refuse') as case:
        expect('refused there', await case.pair(), 'org.bluez.Error.AuthenticationFailed')


async def private_address():
    async with Case('--rpa') as case:
        before = await case.property('Address')
        expect('paired', await case.pair(), None)
        await case.bus.until('its identity is known', lambda objects: objects[case.path]['org.bluez.Device1']['Address'].value == 'F0:F1:F2:F3:F4:F5')
        say('it was', before, 'and still is', case.path)
        await case.device.call_disconnect()
        await case.peer.ask('wait', 'disconnected')
        await case.peer.ask('rotate')
        await case.device.call_connect()
        expect('encrypted under another address', await case.read(ENCRYPTED), b'for encrypted links')
        expect('pairings', (await case.peer.ask('stats'))['counts']['paired'], 1)


async def lost_bond():
    async with Case() as case:
        expect('paired', await case.pair(), None)
        await case.peer.ask('forget')
        await case.peer.ask('drop')
        await case.bus.until('disconnected', lambda objects: not objects[case.path]['org.bluez.Device1']['Connected'].value)
        try:
            await case.device.call_connect()
            await case.read(ENCRYPTED)
            raise AssertionError('a bond that is lost was good for a read')
        except (DBusError, TimeoutError) as error:
            say('the lost bond shows:', error)
        expect('still paired, says bluetoothd', await case.property('Paired'), True)
        await case.remove()
        await case.find()
        expect('paired anew', await case.pair(), None)


async def main():
    for case in (just_works, passkey, wrong_passkey, legacy_passkey, shown_passkey, mistyped_passkey, numbers, refused_numbers,
                 refused, private_address, lost_bond):
        say('----', case.__name__.replace('_', ' '))
        await asyncio.wait_for(case(), 40)


asyncio.run(main())

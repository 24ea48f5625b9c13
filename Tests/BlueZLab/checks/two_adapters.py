# SPDX-License-Identifier: Apache-2.0
"""Serves a GATT application on hci1 and uses it from hci0, through one bluetoothd and with one agent."""
import asyncio
import time

from dbus_fast import BusType, PropertyAccess, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property

BLUEZ = 'org.bluez'
SERVICE = 'f0de0000-0000-1000-8000-00805f9b34fc'
OPEN, SECRET = SERVICE.replace('f0de0000', 'f0de0001'), SERVICE.replace('f0de0000', 'f0de0005')
NAME = 'Lab on hci1'
STARTED = time.monotonic()


def say(*words):
    print(f'{time.monotonic() - STARTED:7.3f}', *words, flush=True)


class Advertisement(ServiceInterface):
    def __init__(self):
        super().__init__('org.bluez.LEAdvertisement1')

    @dbus_property(access=PropertyAccess.READ)
    def Type(self) -> 's':
        return 'peripheral'

    @dbus_property(access=PropertyAccess.READ)
    def ServiceUUIDs(self) -> 'as':
        return [SERVICE]

    @dbus_property(access=PropertyAccess.READ)
    def LocalName(self) -> 's':
        return NAME

    @dbus_method()
    def Release(self):
        say('advertisement released')


class Service(ServiceInterface):
    def __init__(self):
        super().__init__('org.bluez.GattService1')

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> 's':
        return SERVICE

    @dbus_property(access=PropertyAccess.READ)
    def Primary(self) -> 'b':
        return True


class Characteristic(ServiceInterface):
    def __init__(self, uuid, flags, value):
        super().__init__('org.bluez.GattCharacteristic1')
        self.uuid, self.flags, self.value = uuid, flags, value

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> 's':
        return self.uuid

    @dbus_property(access=PropertyAccess.READ)
    def Service(self) -> 'o':
        return '/app/service'

    @dbus_property(access=PropertyAccess.READ)
    def Flags(self) -> 'as':
        return self.flags

    @dbus_method()
    def ReadValue(self, options: 'a{sv}') -> 'ay':
        say('read of', self.uuid[:8], {key: value.value for key, value in options.items()})
        return self.value


class Agent(ServiceInterface):
    def __init__(self):
        super().__init__('org.bluez.Agent1')
        self.asked = []

    def note(self, *words):
        self.asked.append(words)
        say('agent:', *words)

    @dbus_method()
    def Release(self):
        pass

    @dbus_method()
    def Cancel(self):
        self.note('Cancel')

    @dbus_method()
    def RequestAuthorization(self, device: 'o'):
        self.note('RequestAuthorization', device)

    @dbus_method()
    def RequestConfirmation(self, device: 'o', passkey: 'u'):
        self.note('RequestConfirmation', device, passkey)

    @dbus_method()
    def RequestPasskey(self, device: 'o') -> 'u':
        self.note('RequestPasskey', device)
        return 123456

    @dbus_method()
    def DisplayPasskey(self, device: 'o', passkey: 'u', entered: 'q'):
        self.note('DisplayPasskey', device, passkey)

    @dbus_method()
    def AuthorizeService(self, device: 'o', uuid: 's'):
        self.note('AuthorizeService', device, uuid)


class Check:
    async def interface(self, path, name):
        introspection = await self.bus.introspect(BLUEZ, path)
        return self.bus.get_proxy_object(BLUEZ, path, introspection).get_interface(name)

    async def objects(self):
        return await (await self.interface('/', 'org.freedesktop.DBus.ObjectManager')).call_get_managed_objects()

    async def until(self, what, seconds, find):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := find(await self.objects()):
                say(what)
                return found
            await asyncio.sleep(0.02)
        raise TimeoutError(what)

    async def serve(self):
        self.server = await MessageBus(bus_type=BusType.SYSTEM).connect()
        for path, each in (('/app/service', Service()), ('/app/service/open', Characteristic(OPEN, ['read'], b'open to all')),
                           ('/app/service/secret', Characteristic(SECRET, ['encrypt-read'], b'for bonded ones')), ('/advertisement', Advertisement())):
            self.server.export(path, each)
        await self.publish_tree()
        manager = await self.interface_of(self.server, '/org/bluez/hci1', 'org.bluez.GattManager1')
        await manager.call_register_application('/app', {})
        manager = await self.interface_of(self.server, '/org/bluez/hci1', 'org.bluez.LEAdvertisingManager1')
        await manager.call_register_advertisement('/advertisement', {})
        say('hci1 advertises')

    async def publish_tree(self):
        # dbus-fast answers GetManagedObjects of an exported path itself.
        class Root(ServiceInterface):
            def __init__(self):
                super().__init__('org.santorio.lab.Root')
        self.server.export('/app', Root())

    async def interface_of(self, bus, path, name):
        introspection = await bus.introspect(BLUEZ, path)
        return bus.get_proxy_object(BLUEZ, path, introspection).get_interface(name)

    def device(self, objects):
        for path, interfaces in objects.items():
            properties = interfaces.get('org.bluez.Device1', {})
            if path.startswith('/org/bluez/hci0/') and SERVICE in (properties['UUIDs'].value if 'UUIDs' in properties else []):
                return path, properties
        return None

    async def run(self):
        self.bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
        agent = Agent()
        self.bus.export('/agent', agent)
        manager = await self.interface('/org/bluez', 'org.bluez.AgentManager1')
        await manager.call_register_agent('/agent', CAPABILITY)
        await manager.call_request_default_agent('/agent')
        await self.serve()
        adapter = await self.interface('/org/bluez/hci0', 'org.bluez.Adapter1')
        await adapter.call_set_discovery_filter({'Transport': Variant('s', 'le'), 'UUIDs': Variant('as', [SERVICE])})
        await adapter.call_start_discovery()
        say('hci0 scans')
        path, properties = await self.until('found', 10, self.device)
        say({key: value.value for key, value in properties.items()})
        path, properties = await self.until('with its name', 10, lambda objects: (found := self.device(objects)) and 'Name' in found[1] and found)
        assert properties['Name'].value == NAME, properties['Name']
        await adapter.call_stop_discovery()
        device = await self.interface(path, 'org.bluez.Device1')
        say('connecting')
        await device.call_connect()
        await self.until('services resolved', 20, lambda objects: objects[path]['org.bluez.Device1']['ServicesResolved'].value)
        values = {interfaces['org.bluez.GattCharacteristic1']['UUID'].value: each for each, interfaces in (await self.objects()).items()
                  if 'org.bluez.GattCharacteristic1' in interfaces and each.startswith(path)}
        say('characteristics', sorted(values))
        read = await self.interface(values[OPEN], 'org.bluez.GattCharacteristic1')
        assert bytes(await read.call_read_value({})) == b'open to all'
        say('pairing')
        await device.call_pair()
        say('paired; the agent was asked', agent.asked)
        read = await self.interface(values[SECRET], 'org.bluez.GattCharacteristic1')
        assert bytes(await read.call_read_value({})) == b'for bonded ones'
        for each, interfaces in (await self.objects()).items():
            if 'org.bluez.Device1' in interfaces:
                say(each, {key: interfaces['org.bluez.Device1'][key].value for key in ('Address', 'AddressType', 'Name', 'Alias', 'Paired', 'Connected', 'Trusted') if key in interfaces['org.bluez.Device1']})
        await device.call_disconnect()
        say('disconnected')


import sys
CAPABILITY = sys.argv[1] if len(sys.argv) > 1 else 'NoInputNoOutput'
asyncio.run(asyncio.wait_for(Check().run(), 60))

# SPDX-License-Identifier: Apache-2.0
"""What the lab's own checks share: bluetoothd's objects, an agent, the peers' control sockets, and channels."""
import asyncio
import contextlib
import ctypes
import json
import os
import socket
import struct
import time

from bleak import BleakClient, BleakScanner
from bleak.exc import BleakError
from dbus_fast import BusType, DBusError
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_method

STARTED = time.monotonic()


def say(*words):
    print(f'{time.monotonic() - STARTED:7.3f}', *words, flush=True)


def expect(what, seen, wanted):
    if seen != wanted:
        raise AssertionError(f'{what}: {seen!r} instead of {wanted!r}')
    say('as it should be:', what)


class Remote:
    """A peer of the lab, by its control socket."""

    def __init__(self, name):
        self.name = name

    async def ask(self, *words):
        reader, writer = await asyncio.open_unix_connection('/run/lab/' + self.name)
        writer.write(' '.join(words).encode() + b'\n')
        answer = json.loads(await reader.readline())
        writer.close()
        if not answer.pop('ok'):
            raise LookupError(f'{self.name}: {" ".join(words)}: {answer["error"]}')
        return answer


async def find(service):
    """The device that advertises a service, found by bleak."""
    device = await BleakScanner.find_device_by_filter(lambda device, data: service in data.service_uuids, timeout=15)
    assert device, f'{service} was not found'
    return device


async def connect(service):
    """A client of bleak's, connected to the device that advertises a service."""
    client = BleakClient(await find(service), timeout=20)
    try:
        await client.connect()
    except BleakError as error:
        # bleak hears of the connection on another bus than it asks for it, and may take "not yet" for "not any more".
        if 'device disconnected' not in str(error):
            raise
        say('once more:', error)
        client = BleakClient(await find(service), timeout=20)
        await client.connect()
    return client


@contextlib.asynccontextmanager
async def connected(service):
    client = await connect(service)
    try:
        yield client
    finally:
        await client.disconnect()


class Agent(ServiceInterface):
    """Answers what bluetoothd asks while pairing, and remembers what it asked."""

    def __init__(self, passkey=None, confirms=True):
        super().__init__('org.bluez.Agent1')
        self.asked, self.passkey, self.confirms = [], passkey, confirms

    def note(self, *words):
        self.asked.append(words[0])
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
    def AuthorizeService(self, device: 'o', uuid: 's'):
        self.note('AuthorizeService', device, uuid)

    @dbus_method()
    def RequestConfirmation(self, device: 'o', passkey: 'u'):
        self.note('RequestConfirmation', device, passkey)
        if not self.confirms:
            raise DBusError('org.bluez.Error.Rejected', 'the numbers differ')

    @dbus_method()
    def RequestPasskey(self, device: 'o') -> 'u':
        self.note('RequestPasskey', device)
        return self.passkey

    @dbus_method()
    def DisplayPasskey(self, device: 'o', passkey: 'u', entered: 'q'):
        self.note('DisplayPasskey', device, passkey)


class Bus:
    @classmethod
    async def open(cls):
        self = cls()
        self.bus = await MessageBus(bus_type=BusType.SYSTEM, negotiate_unix_fd=True).connect()
        return self

    async def interface(self, path, name):
        introspection = await self.bus.introspect('org.bluez', path)
        return self.bus.get_proxy_object('org.bluez', path, introspection).get_interface('org.bluez.' + name if '.' not in name else name)

    async def objects(self):
        return await (await self.interface('/', 'org.freedesktop.DBus.ObjectManager')).call_get_managed_objects()

    async def until(self, what, find, seconds=10):
        """Asks for all objects until `find` makes something of them."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := find(await self.objects()):
                say(what)
                return found
            await asyncio.sleep(0.02)
        raise TimeoutError(what)

    async def register(self, agent, capability):
        manager = await self.interface('/org/bluez', 'AgentManager1')
        self.bus.export('/agent', agent)
        await manager.call_register_agent('/agent', capability)
        await manager.call_request_default_agent('/agent')

    def close(self):
        self.bus.disconnect()


def address(kind, text, psm):
    return struct.pack('<HH6sHBx', 31, psm, bytes.fromhex(text.replace(':', ''))[::-1], 0, kind)


def channel(adapter, peer, kind, psm):
    """A connected L2CAP channel; Python's own sockets know no random addresses."""
    opened = socket.socket(31, socket.SOCK_SEQPACKET, 0)
    libc = ctypes.CDLL(None, use_errno=True)
    for call, where in ((libc.bind, address(1, adapter, 0)), (libc.connect, address(kind, peer, psm))):
        if call(opened.fileno(), where, len(where)):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return opened

# SPDX-License-Identifier: Apache-2.0
"""Another program on the adapter hci0: a client of bluetoothd that discovers from its beginning to its end.

  lab start_peer NAME client DEVICE

Beside what every peer understands (control.py) it does:
    find                     waits until the device of that name is there
    discovering              whether the adapter discovers
    connect, disconnect
    read UUID                reads a characteristic
"""
import os
import sys

from dbus_fast import Variant

from control import Peer, parser

sys.path.append(os.path.join(os.path.dirname(__file__), '..', 'checks'))
from bluez import Bus  # noqa: E402

ADAPTER = '/org/bluez/hci0'


class Connection(Bus):
    async def close(self):
        self.bus.disconnect()


class Client(Peer):
    def __init__(self, options):
        super().__init__(options.log)
        self.options = options

    async def start(self):
        self.bus = self.transport = await Connection.open()
        self.adapter = await self.bus.interface(ADAPTER, 'Adapter1')
        # The filter that the tests' own scans have: bluetoothd has no reason to begin anew with theirs.
        await self.adapter.call_set_discovery_filter({'Transport': Variant('s', 'le'), 'DuplicateData': Variant('b', False)})
        await self.adapter.call_start_discovery()
        await self.serve(self.options.control)

    def state(self):
        return {}

    async def do_find(self):
        def find(objects):
            for path, interfaces in objects.items():
                device = interfaces.get('org.bluez.Device1', {})
                if 'Name' in device and device['Name'].value == self.options.device and ('RSSI' in device or device['Connected'].value):
                    return path
        self.path = await self.bus.until('found', find, 20)
        self.device = await self.bus.interface(self.path, 'Device1')

    async def do_discovering(self):
        return {'discovering': await self.adapter.get_discovering()}

    async def do_connect(self):
        await self.device.call_connect()

    async def do_disconnect(self):
        await self.device.call_disconnect()

    async def do_read(self, uuid):
        def find(objects):
            for path, interfaces in objects.items():
                characteristic = interfaces.get('org.bluez.GattCharacteristic1')
                if path.startswith(self.path) and characteristic and characteristic['UUID'].value == uuid.lower():
                    return path
        characteristic = await self.bus.interface(await self.bus.until('resolved', find, 20), 'GattCharacteristic1')
        return {'value': bytes(await characteristic.call_read_value({})).hex()}


def options(words):
    options = parser()
    options.add_argument('device')
    return options.parse_args(words)

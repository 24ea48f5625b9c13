# SPDX-License-Identifier: Apache-2.0
"""A GATT application and its advertisement for bluetoothd, by dbus-fast: what a program of ours will do in Swift."""
from dbus_fast import PropertyAccess
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property

from bluez import say

SERVICE = 'f0de0000-0000-1000-8000-00805f9b34fc'
OPEN, SECRET, NOTIFIED, INDICATED = (SERVICE.replace('f0de0000', f'f0de00{number}') for number in ('01', '06', '0a', '07'))


class Advertisement(ServiceInterface):
    def __init__(self, name):
        super().__init__('org.bluez.LEAdvertisement1')
        self.local_name = name

    @dbus_property(access=PropertyAccess.READ)
    def Type(self) -> 's':
        return 'peripheral'

    @dbus_property(access=PropertyAccess.READ)
    def ServiceUUIDs(self) -> 'as':
        return [SERVICE]

    @dbus_property(access=PropertyAccess.READ)
    def LocalName(self) -> 's':
        return self.local_name

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
    def __init__(self, uuid, flags, value=b''):
        super().__init__('org.bluez.GattCharacteristic1')
        self.uuid, self.flags, self.value = uuid, flags, value
        self.confirmed = 0

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> 's':
        return self.uuid

    @dbus_property(access=PropertyAccess.READ)
    def Service(self) -> 'o':
        return '/app/service'

    @dbus_property(access=PropertyAccess.READ)
    def Flags(self) -> 'as':
        return self.flags

    @dbus_property(access=PropertyAccess.READ)
    def Value(self) -> 'ay':
        return self.value

    @dbus_method()
    def ReadValue(self, options: 'a{sv}') -> 'ay':
        offset = options['offset'].value if 'offset' in options else 0
        return self.value[offset:]

    @dbus_method()
    def WriteValue(self, value: 'ay', options: 'a{sv}'):
        offset = options['offset'].value if 'offset' in options else 0
        self.value = self.value[:offset] + bytes(value)

    @dbus_method()
    def StartNotify(self):
        say('subscribed to', self.uuid[:8])
        for number in range(3):
            self.value = bytes([number])
            self.emit_properties_changed({'Value': self.value})

    @dbus_method()
    def StopNotify(self):
        pass

    @dbus_method()
    def Confirm(self):
        self.confirmed += 1


class Root(ServiceInterface):
    """What stands at the application's path; dbus-fast itself reports to bluetoothd what lies below."""

    def __init__(self):
        super().__init__('org.santorio.lab.Application')


async def serve(bus, adapter, name):
    """Puts the application on the air; returns its characteristics by their UUID."""
    characteristics = {each.uuid: each for each in (
        Characteristic(OPEN, ['read', 'write'], b'open to all'), Characteristic(SECRET, ['encrypt-read'], b'for bonded ones'),
        Characteristic(NOTIFIED, ['notify']), Characteristic(INDICATED, ['indicate']))}
    bus.bus.export('/app', Root())
    bus.bus.export('/app/service', Service())
    for number, each in enumerate(characteristics.values()):
        bus.bus.export(f'/app/service/c{number}', each)
    bus.bus.export('/advertisement', Advertisement(name))
    manager = await bus.interface(adapter, 'GattManager1')
    await manager.call_register_application('/app', {})
    manager = await bus.interface(adapter, 'LEAdvertisingManager1')
    await manager.call_register_advertisement('/advertisement', {})
    say(adapter, 'advertises')
    return characteristics

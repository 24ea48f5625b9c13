# SPDX-License-Identifier: Apache-2.0
"""Says on a bus what bluetoothd says of a building in which many devices advertise, for `Scripts/bench-hub`.

  usage: bench_bluetoothd.py BUS KNOWN STRANGERS

KNOWN devices are paired and silent; STRANGERS advertise once a second and are no health devices. What is said, and when, was taken
from the messages of bluetoothd 5.66 in the Bluetooth lab, whose radio reports each advertisement with another strength of its signal:
while a program looks for devices, an object for each stranger and a change of each second; after that one change of each, and thirty
seconds later its removal. Attempts to connect the silent fail after forty seconds."""
import sys

import dbus
import dbus.bus
import dbus.service
from gi.repository import GLib

SERVICE, ADAPTER, DEVICE, MANAGER = 'org.bluez', 'org.bluez.Adapter1', 'org.bluez.Device1', 'org.freedesktop.DBus.ObjectManager'
PROPERTIES, AGENTS, PROFILES = 'org.freedesktop.DBus.Properties', 'org.bluez.AgentManager1', 'org.bluez.GattManager1'
HCI = '/org/bluez/hci0'
ATTEMPT, TEMPORARY = 40, 30


def known_address(number):
    return f'F0:F1:F2:F3:{number >> 8:02X}:{number & 255:02X}'


def path(address):
    return f'{HCI}/dev_{address.replace(":", "_")}'


def stranger(number):
    address = f'C0:00:00:00:{number >> 8:02X}:{number & 255:02X}'
    name = f'Crowd {number:04}'
    data = dbus.Dictionary({dbus.UInt16(0xFFFF): dbus.Array([dbus.Byte(number & 255), dbus.Byte(number >> 8)], signature='y', variant_level=1)}, signature='qv')
    return address, {'Name': name, 'Alias': name, 'Paired': False, 'Bonded': False, 'Trusted': False, 'ManufacturerData': data}


def known(number, services):
    name = f'Known {number:04}'
    return known_address(number), {'Name': name, 'Alias': name, 'Paired': True, 'Bonded': True, 'Trusted': True, 'UUIDs': dbus.Array(services, signature='s')}


def device(address, properties):
    return {'Address': address, 'AddressType': 'random', 'Blocked': False, 'LegacyPairing': False, 'Connected': False, 'ServicesResolved': False,
            'UUIDs': dbus.Array([], signature='s'), 'Adapter': dbus.ObjectPath(HCI), **properties}


class Root(dbus.service.Object):
    """The list of objects."""

    def __init__(self, bus, daemon):
        self.daemon = daemon
        super().__init__(bus, '/')

    @dbus.service.method(MANAGER, out_signature='a{oa{sa{sv}}}')
    def GetManagedObjects(self):
        adapter = {ADAPTER: self.daemon.properties, PROFILES: {}}
        return {'/org/bluez': {AGENTS: {}}, HCI: adapter, **{path(address): {DEVICE: each} for address, each in self.daemon.devices.items()}}

    @dbus.service.signal(MANAGER, signature='oa{sa{sv}}')
    def InterfacesAdded(self, path, interfaces):
        pass

    @dbus.service.signal(MANAGER, signature='oas')
    def InterfacesRemoved(self, path, interfaces):
        pass


class Objects(dbus.service.FallbackObject):
    """All else, by path."""
    SUPPORTS_MULTIPLE_OBJECT_PATHS = True

    def __init__(self, bus, daemon):
        self.daemon = daemon
        super().__init__(bus, '/org/bluez')

    @dbus.service.method(AGENTS, in_signature='os')
    def RegisterAgent(self, agent, capability):
        pass

    @dbus.service.method(AGENTS, in_signature='o')
    def RequestDefaultAgent(self, agent):
        pass

    @dbus.service.method(PROFILES, in_signature='oa{sv}')
    def RegisterApplication(self, application, options):
        pass

    @dbus.service.method(PROFILES, in_signature='o')
    def UnregisterApplication(self, application):
        pass

    @dbus.service.method(PROPERTIES, in_signature='ss', out_signature='v')
    def Get(self, interface, name):
        return self.daemon.properties[name]

    @dbus.service.method(PROPERTIES, in_signature='ssv')
    def Set(self, interface, name, value):
        pass

    @dbus.service.method(ADAPTER, in_signature='a{sv}')
    def SetDiscoveryFilter(self, chosen):
        pass

    @dbus.service.method(ADAPTER)
    def StartDiscovery(self):
        self.daemon.look()

    @dbus.service.method(ADAPTER)
    def StopDiscovery(self):
        self.daemon.rest()

    @dbus.service.method(DEVICE, async_callbacks=('done', 'fail'))
    def Connect(self, done, fail):
        # bluetoothd gives up after so long.
        GLib.timeout_add_seconds(ATTEMPT, lambda: fail(dbus.DBusException('le-connection-abort-by-local', name='org.bluez.Error.Failed')))

    @dbus.service.method(DEVICE)
    def Disconnect(self):
        pass


class Daemon:
    def __init__(self, bus, silent, strangers):
        self.bus = bus
        self.properties = {'Address': '00:AA:01:00:00:42', 'AddressType': 'public', 'Name': 'bench', 'Alias': 'bench', 'Powered': True, 'Pairable': True,
                           'Discovering': False, 'Roles': dbus.Array(['central', 'peripheral'], signature='s')}
        services = ['00001810-0000-1000-8000-00805f9b34fb', '00001809-0000-1000-8000-00805f9b34fb']
        self.devices = {address: device(address, each) for address, each in (known(number, services) for number in range(silent))}
        self.strangers = [stranger(number) for number in range(strangers)]
        self.looks = False
        self.removal = None
        self.said = 0
        self.root, self.objects = Root(bus, self), Objects(bus, self)
        for each in range(len(self.strangers)):
            # Each advertises in its own moment of the second.
            GLib.timeout_add(1000 * each // len(self.strangers), self.begin, each)

    def begin(self, number):
        GLib.timeout_add(1000, self.advertise, number)

    def say(self, path, changed, invalid=()):
        message = dbus.lowlevel.SignalMessage(path, PROPERTIES, 'PropertiesChanged')
        message.append(DEVICE, dbus.Dictionary(changed, signature='sv'), dbus.Array(invalid, signature='s'), signature='sa{sv}as')
        self.bus.send_message(message)
        self.said += 1

    def look(self):
        self.looks = True
        if self.removal:
            GLib.source_remove(self.removal)
            self.removal = None

    def rest(self):
        self.looks = False
        for address, each in self.devices.items():
            if each.pop('RSSI', None) is not None:
                self.say(path(address), {}, ['RSSI'])
        if not self.removal:
            self.removal = GLib.timeout_add_seconds(TEMPORARY, self.remove)

    def remove(self):
        self.removal = None
        for address, _ in self.strangers:
            if self.devices.pop(address, None):
                self.root.InterfacesRemoved(path(address), ['org.freedesktop.DBus.Properties', 'org.freedesktop.DBus.Introspectable', DEVICE])
                self.said += 1
        print(f'{self.said} messages', flush=True)

    def advertise(self, number):
        if self.looks:
            address, properties = self.strangers[number]
            strength = dbus.Int16(-55 - (number + self.said) % 8)
            if address in self.devices:
                self.devices[address]['RSSI'] = strength
                self.say(path(address), {'RSSI': strength})
            else:
                self.devices[address] = {**device(address, properties), 'RSSI': strength}
                self.root.InterfacesAdded(path(address), {'org.freedesktop.DBus.Introspectable': {}, DEVICE: self.devices[address], 'org.freedesktop.DBus.Properties': {}})
                self.said += 1
        return True


def main():
    from dbus.mainloop.glib import DBusGMainLoop
    bus = dbus.bus.BusConnection(sys.argv[1], mainloop=DBusGMainLoop())
    # Kept, since it gives the name back when it goes.
    daemon = Daemon(bus, int(sys.argv[2]), int(sys.argv[3]))
    name = dbus.service.BusName(SERVICE, bus, do_not_queue=True)
    print(f'{name.get_name()} is there with {len(daemon.devices)} devices', flush=True)
    GLib.MainLoop().run()


if __name__ == '__main__':
    main()

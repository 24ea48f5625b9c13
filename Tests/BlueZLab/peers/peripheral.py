# SPDX-License-Identifier: Apache-2.0
"""A device made with Bumble, a Bluetooth stack that has nothing in common with BlueZ.

  lab peer NAME KIND [OPTION…]

Beside what every peer understands (control.py), each one does:
    silent, advertise            stops and starts advertising
    drop                         ends the connections from this side
    forget                       loses its bonds without a word
    rotate                       takes another private address (--rpa)
    passkey N                    shows another passkey
    type N                       types a passkey (--keyboard)
    accept, refuse               the next pairings
    change, remove-service       adds the Body Composition service and takes it away, with Service Changed
    hesitate                     takes a second to answer when it is asked for Service Changed the next time
    forestall                    adds that service just before it is asked for Service Changed the next time
Its events: advertising, connected, disconnected, mtu, encrypted, pairing-started, passkey-shown, passkey-asked, numbers-compared, paired,
pairing-failed, bonds-forgotten, changes-asked, service-changed, and those of its kind (devices.py).
"""
import asyncio

from bumble import att, hci
from bumble.core import AdvertisingData, UUID
from bumble.device import Device, DeviceConfiguration
from bumble.gatt import GATT_SERVICE_CHANGED_CHARACTERISTIC, Characteristic, Service
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport

from control import Peer, parser
from devices import KINDS, READABLE

Capability = PairingDelegate.IoCapability


class Delegate(PairingDelegate):
    """The buttons and the display of the device."""

    def __init__(self, peer):
        options = peer.options
        capability = Capability.NO_OUTPUT_NO_INPUT
        if options.keyboard:
            capability = Capability.KEYBOARD_INPUT_ONLY
        elif options.numeric:
            capability = Capability.DISPLAY_OUTPUT_AND_YES_NO_INPUT
        elif peer.shows_passkey():
            capability = Capability.DISPLAY_OUTPUT_ONLY
        super().__init__(io_capability=capability)
        self.peer = peer

    async def accept(self):
        return self.peer.accepts_pairing

    async def generate_passkey(self):
        return self.peer.passkey or 0

    async def display_number(self, number, digits=6):
        self.peer.note('passkey-shown', passkey=f'{number:0{digits}}')

    async def get_number(self):
        self.peer.note('passkey-asked')
        return await self.peer.typed.get()

    async def compare_numbers(self, number, digits=6):
        self.peer.note('numbers-compared', number=f'{number:0{digits}}')
        return self.peer.accepts_numbers


class Peripheral(Peer):
    def __init__(self, options):
        super().__init__(options.log)
        self.options = options
        self.passkey, self.typed = options.passkey, asyncio.Queue()
        self.accepts_pairing, self.accepts_numbers = not options.refuse, not options.deny
        self.connections = set()
        self.silent = options.silent
        self.changing = asyncio.Lock()      # what is advertised is changed in one place at a time
        self.extra = None

    async def start(self):
        self.transport = await open_transport(self.options.hci)
        configuration = DeviceConfiguration(
            name=self.options.name, address=hci.Address(self.options.address), irk=bytes(range(10)) + bytes(hci.Address(self.options.address)),
            le_privacy_enabled=self.options.rpa)
        self.device = Device.from_config_with_hci(configuration, self.transport.source, self.transport.sink)
        self.device.keystore = MemoryKeyStore()
        self.device.pairing_config_factory = lambda connection: PairingConfig(
            sc=not self.options.legacy, mitm=self.options.keyboard or self.options.numeric or self.shows_passkey(), bonding=not self.options.no_bond,
            delegate=Delegate(self), identity_address_type=PairingConfig.AddressType.RANDOM)
        self.kind = KINDS[self.options.kind](self)
        for service in self.kind.services():
            self.device.add_service(service)
        # The words of the kind are words of the peer.
        for name in dir(self.kind):
            if name.startswith('do_'):
                setattr(self, name, getattr(self.kind, name))
        self.device.on('connection', self.connected)
        await self.device.power_on()
        await self.advertise()
        await self.serve(self.options.control)

    def shows_passkey(self):
        return self.passkey is not None

    # Advertising.

    def advertisement(self):
        flags = (AdvertisingData.FLAGS, b'\x06')
        uuid = UUID(self.kind.uuid)
        kind = (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS if len(bytes(uuid)) == 2
                else AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS)
        manufacturer = (AdvertisingData.MANUFACTURER_SPECIFIC_DATA, b'\xff\xff' + self.kind.marker)
        name = (AdvertisingData.COMPLETE_LOCAL_NAME, self.options.name.encode())
        power = (AdvertisingData.TX_POWER_LEVEL, b'\xf8')
        battery = (AdvertisingData.SERVICE_DATA_16_BIT_UUID, b'\x0f\x18\x57')
        return bytes(AdvertisingData([flags, (kind, bytes(uuid)), manufacturer])), bytes(AdvertisingData([name, power, battery]))

    async def advertise(self):
        async with self.changing:
            await self.start_advertising()

    async def fall_silent(self):
        async with self.changing:
            await self.stop_advertising()

    async def start_advertising(self):
        if self.silent or self.connections or self.device.is_advertising:
            return
        data, response = self.advertisement()
        await self.device.start_advertising(
            own_address_type=hci.OwnAddressType.RANDOM, advertising_data=data, scan_response_data=response,
            advertising_interval_min=self.options.interval, advertising_interval_max=self.options.interval)
        self.note('advertising')

    async def stop_advertising(self):
        if self.device.is_advertising:
            await self.device.stop_advertising()

    # Connections.

    def connected(self, connection):
        self.connections.add(connection)
        self.note('connected', peer=str(connection.peer_address))
        connection.on('disconnection', lambda reason: self.disconnected(connection, reason))
        connection.on('connection_att_mtu_update', lambda: self.note('mtu', mtu=connection.att_mtu))
        connection.on('connection_encryption_change', lambda: self.note('encrypted', on=bool(connection.encryption)))
        connection.on('pairing_start', lambda: self.note('pairing-started'))
        connection.on('pairing', lambda keys: self.note('paired', authenticated=bool(keys.ltk and keys.ltk.authenticated)))
        connection.on('pairing_failure', lambda reason: self.note('pairing-failed', reason=int(reason)))
        if self.options.timeout:
            asyncio.ensure_future(self.end_unless_encrypted(connection))

    async def end_unless_encrypted(self, connection):
        await asyncio.sleep(self.options.timeout)
        if connection in self.connections and not connection.encryption:
            self.note('timed-out')
            await connection.disconnect()

    def disconnected(self, connection, reason):
        self.connections.discard(connection)
        self.note('disconnected', reason=int(reason))
        self.kind.disconnected(connection)
        asyncio.ensure_future(self.advertise())

    async def is_authenticated(self, connection):
        """Whether the connection's bond is one that a man in the middle could not have made; Bumble takes any for such."""
        keys = await self.device.keystore.get(str(connection.peer_address))
        return bool(connection.encryption and keys and (keys.ltk or keys.ltk_peripheral).authenticated)

    # What tests say.

    def state(self):
        return {'connected': len(self.connections), 'bonds': len(self.device.keystore.all_keys), **self.kind.state()}

    async def restore(self):
        self.passkey = self.options.passkey
        self.accepts_pairing, self.accepts_numbers = not self.options.refuse, not self.options.deny
        await self.do_drop()
        await self.do_forget()
        self.device.gatt_server.__dict__.pop('write_cccd', None)
        if self.extra:
            await self.do_remove_service()
        self.kind.reset()
        self.silent = self.options.silent
        await self.fall_silent()
        await self.advertise()

    async def do_silent(self):
        self.silent = True
        await self.fall_silent()

    async def do_advertise(self):
        self.silent = False
        await self.advertise()

    async def do_drop(self):
        for connection in list(self.connections):
            await connection.disconnect()

    async def do_forget(self):
        await self.device.keystore.delete_all()
        self.note('bonds-forgotten')

    async def do_rotate(self):
        async with self.changing:
            await self.stop_advertising()
            if not await self.device.update_rpa():
                raise RuntimeError('the private address could not be changed')
            await self.start_advertising()
        return {'address': str(self.device.random_address)}

    def do_passkey(self, passkey):
        self.passkey = int(passkey)

    def do_type(self, passkey):
        self.typed.put_nowait(int(passkey))

    def do_accept(self):
        self.accepts_pairing = self.accepts_numbers = True

    def do_refuse(self):
        self.accepts_pairing = self.accepts_numbers = False

    async def do_change(self):
        self.add_extra()
        await self.tell_change(self.extra.handle)

    def add_extra(self):
        if self.extra:
            raise RuntimeError('the service is there')
        self.extra = Service('181B', [Characteristic('2A9B', Characteristic.Properties.READ, READABLE, bytes(4))])
        self.device.add_service(self.extra)

    async def do_remove_service(self):
        if not self.extra:
            raise RuntimeError('there is no service to remove')
        server, first = self.device.gatt_server, self.extra.handle
        server.attributes = [each for each in server.attributes if each.handle < first]
        server.attributes_by_handle = {}
        server.services.remove(self.extra)
        self.extra = None
        await self.tell_change(first)

    def service_changed(self):
        return next(each for each in self.device.gatt_server.attributes if getattr(each, 'uuid', None) == GATT_SERVICE_CHANGED_CHARACTERISTIC)

    async def tell_change(self, first):
        for connection in list(self.connections):
            await self.device.indicate_subscriber(connection, self.service_changed(), first.to_bytes(2, 'little') + b'\xff\xff')
            self.note('service-changed')

    def before_subscription_to_changes(self, act):
        server, changed = self.device.gatt_server, self.service_changed()
        take = type(server).write_cccd

        async def write(bearer, characteristic, value):
            if characteristic is changed:
                server.__dict__.pop('write_cccd', None)
                self.note('changes-asked')
                await act()
            take(server, bearer, characteristic, value)
        server.write_cccd = write

    def do_hesitate(self):
        self.before_subscription_to_changes(lambda: asyncio.sleep(1))

    def do_forestall(self):
        async def change():
            self.add_extra()
            raise att.ATT_Error(0x12)       # Database Out Of Sync
        self.before_subscription_to_changes(change)

    async def close(self):
        self.silent = True
        for connection in list(self.connections):
            self.kind.disconnected(connection)
        await super().close()


def options(words):
    options = parser()
    options.add_argument('kind', choices=sorted(KINDS))
    options.add_argument('--name', default='Lab device')
    options.add_argument('--address', default='F0:F1:F2:F3:F4:F5', help='its static random address')
    options.add_argument('--serial', default='LAB-0001', help='its serial number')
    options.add_argument('--interval', type=float, default=30, help='milliseconds between advertisements')
    options.add_argument('--silent', action='store_true', help='does not advertise until a command says so')
    options.add_argument('--rpa', action='store_true', help='advertises with a resolvable private address')
    options.add_argument('--open', action='store_true', help='sends its records without a bond')
    options.add_argument('--drop', action='store_true', help='ends the connection when its records are sent')
    options.add_argument('--timeout', type=float, help='ends a connection that is not encrypted after so many seconds')
    options.add_argument('--passkey', type=int, help='shows this passkey')
    options.add_argument('--keyboard', action='store_true', help='has the passkey typed in')
    options.add_argument('--numeric', action='store_true', help='compares numbers')
    options.add_argument('--refuse', action='store_true', help='refuses to pair')
    options.add_argument('--no-bond', action='store_true', help='pairs without keeping the keys')
    return options.parse_args(words)

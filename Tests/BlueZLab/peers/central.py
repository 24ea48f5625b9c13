# SPDX-License-Identifier: Apache-2.0
"""A phone made with Bumble, which has nothing in common with BlueZ: it finds and uses what we put on the air.

  lab central NAME [OPTION…]

Beside what every peer understands (control.py), it does:
    scan UUID [SECONDS]        the first device that advertises the service: its address, name, data and signal strength
    connect [ADDRESS]          connects to what was found, or to an address such as 00:AA:01:00:00:00/P; answers with the MTU
    services                   every service with its characteristics, their properties and descriptors
    read UUID                  as a long read where it is long
    describe UUID DESCRIPTOR   reads a descriptor
    write UUID HEX             with a response, as a long write where it does not fit
    command UUID HEX           without a response
    subscribe UUID [indicate], unsubscribe UUID
    values UUID [COUNT [SECONDS]]   what has come from it, when that many have
    pair, forget, encrypt      bonds; loses its bonds; encrypts the link with the bond that it has
    channel PSM SIZE [COUNT]   opens an L2CAP channel, sends that, and answers with what came back
    disconnect
Errors of the Attribute Protocol are answered with their number: {"ok": false, "error": …, "att": 5}.
Its events: found, connected, disconnected, value (notifications and indications), encrypted, paired, pairing-failed,
passkey-shown, passkey-asked, numbers-compared, services-changed.
"""
import asyncio

from bumble import att, hci, l2cap
from bumble.core import AdvertisingData, UUID
from bumble.device import Device, DeviceConfiguration, Peer as RemotePeer
from bumble.gatt import GATT_SERVICE_CHANGED_CHARACTERISTIC
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport

from control import Peer, parser

UUID_LISTS = (
    AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
    AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, AdvertisingData.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS)
Capability = PairingDelegate.IoCapability
CAPABILITIES = {
    'none': Capability.NO_OUTPUT_NO_INPUT, 'display': Capability.DISPLAY_OUTPUT_ONLY, 'keyboard': Capability.KEYBOARD_INPUT_ONLY,
    'yes-no': Capability.DISPLAY_OUTPUT_AND_YES_NO_INPUT, 'both': Capability.DISPLAY_OUTPUT_AND_KEYBOARD_INPUT}


class Delegate(PairingDelegate):
    def __init__(self, peer):
        super().__init__(io_capability=CAPABILITIES[peer.options.capability])
        self.peer = peer

    async def generate_passkey(self):
        return self.peer.options.passkey

    async def display_number(self, number, digits=6):
        self.peer.note('passkey-shown', passkey=f'{number:0{digits}}')

    async def get_number(self):
        self.peer.note('passkey-asked')
        return await self.peer.typed.get()

    async def compare_numbers(self, number, digits=6):
        self.peer.note('numbers-compared', number=f'{number:0{digits}}')
        return not self.peer.options.deny


class Central(Peer):
    def __init__(self, options):
        super().__init__(options.log)
        self.options, self.typed = options, asyncio.Queue()
        self.connection = self.remote = self.address = None
        self.values = {}

    async def start(self):
        self.transport = await open_transport(self.options.hci)
        configuration = DeviceConfiguration(name=self.options.name, address=hci.Address(self.options.address), irk=bytes(range(16, 32)))
        self.device = Device.from_config_with_hci(configuration, self.transport.source, self.transport.sink)
        self.device.keystore = MemoryKeyStore()
        self.device.pairing_config_factory = lambda connection: PairingConfig(
            sc=not self.options.legacy, mitm=self.options.capability != 'none', bonding=True, delegate=Delegate(self),
            identity_address_type=PairingConfig.AddressType.RANDOM)
        await self.device.power_on()
        await self.serve(self.options.control)

    def state(self):
        return {'connected': int(self.connection is not None), 'bonds': len(self.device.keystore.all_keys)}

    async def restore(self):
        await self.do_disconnect()
        await self.do_forget()
        self.values = {}

    async def answer(self, line):
        answer = await super().answer(line)
        # The message of an error of the Attribute Protocol ends with its number only in words.
        if self.failed is not None:
            answer['att'] = self.failed
        self.failed = None
        return answer

    failed = None

    async def asked(self, request):
        """Waits for a request of the Attribute Protocol and keeps the number of its error."""
        try:
            return await asyncio.wait_for(request, 40)
        except att.ATT_Error as error:
            self.failed = int(error.error_code)
            raise

    # Scanning.

    async def do_scan(self, service, seconds='10'):
        wanted, found = UUID(service), asyncio.get_running_loop().create_future()
        sights = {}

        def seen(advertisement):
            data = sights.setdefault(advertisement.address, {})
            for kind, value in advertisement.data.ad_structures:
                data[kind] = value
            uuids = [UUID.from_bytes(value[start:start + size]) for kind, value in data.items() if kind in UUID_LISTS
                     for size in [2 if kind in UUID_LISTS[:2] else 16] for start in range(0, len(value), size)]
            if wanted in uuids and not found.done() and (not advertisement.is_connectable or self.has_answered(data, advertisement)):
                found.set_result((advertisement, data))
        self.device.on('advertisement', seen)
        await self.device.start_scanning(filter_duplicates=False, own_address_type=hci.OwnAddressType.RANDOM)
        try:
            advertisement, data = await asyncio.wait_for(found, float(seconds))
        finally:
            await self.device.stop_scanning()
            self.device.remove_listener('advertisement', seen)
        self.address = advertisement.address
        name = data.get(AdvertisingData.COMPLETE_LOCAL_NAME, data.get(AdvertisingData.SHORTENED_LOCAL_NAME, b''))
        sight = {'address': str(advertisement.address), 'name': name.decode(), 'rssi': advertisement.rssi,
                 'data': {f'{int(kind):02x}': value.hex() for kind, value in data.items()}}
        self.note('found', **sight)
        return sight

    def has_answered(self, data, advertisement):
        """Whether the scan response, where the name may be, was heard too."""
        return advertisement.is_scan_response or AdvertisingData.COMPLETE_LOCAL_NAME in data

    # Connections.

    async def do_connect(self, address=None):
        target = hci.Address(address.removesuffix('/P'), int(not address.endswith('/P'))) if address else self.address
        self.connection = await self.device.connect(target, own_address_type=hci.OwnAddressType.RANDOM, timeout=20)
        self.note('connected', peer=str(self.connection.peer_address))
        self.connection.on('disconnection', self.disconnected)
        self.connection.on('connection_encryption_change', lambda: self.note('encrypted', on=bool(self.connection.encryption)))
        self.connection.on('pairing', lambda keys: self.note('paired', authenticated=bool(keys.ltk and keys.ltk.authenticated)))
        self.connection.on('pairing_failure', lambda reason: self.note('pairing-failed', reason=int(reason)))
        self.remote = RemotePeer(self.connection)
        # Who is bonded with it is asked by bluetoothd to encrypt, and gets no answer before that.
        if await self.device.keystore.get(str(self.connection.peer_address)):
            await self.do_encrypt()
        return {'mtu': await self.remote.request_mtu(self.options.mtu)}

    def disconnected(self, reason):
        self.connection = self.remote = None
        self.note('disconnected', reason=int(reason))

    async def do_disconnect(self):
        if self.connection:
            await self.connection.disconnect()

    async def do_services(self):
        await self.remote.discover_services()
        for service in self.remote.services:
            await service.discover_characteristics()
            for characteristic in service.characteristics:
                await characteristic.discover_descriptors()
        for changed in self.remote.get_characteristics_by_uuid(GATT_SERVICE_CHANGED_CHARACTERISTIC):
            await changed.subscribe(lambda value: self.note('services-changed', value=value.hex()), prefer_notify=False)
        return {'services': [{
            'uuid': str(service.uuid.to_hex_str('-')),
            'characteristics': [{
                'uuid': each.uuid.to_hex_str('-'),
                'properties': [name.name for name in type(each.properties) if each.properties & name],
                'descriptors': [descriptor.type.to_hex_str('-') for descriptor in each.descriptors],
            } for each in service.characteristics],
        } for service in self.remote.services]}

    def characteristic(self, uuid):
        found = self.remote.get_characteristics_by_uuid(UUID(uuid))
        if not found:
            raise LookupError(f'no characteristic {uuid}; were the services discovered?')
        return found[0]

    # Values.

    async def do_read(self, uuid):
        return {'value': (await self.asked(self.characteristic(uuid).read_value())).hex()}

    async def do_describe(self, uuid, descriptor):
        found = self.characteristic(uuid).get_descriptor(UUID(descriptor))
        return {'value': (await self.asked(found.read_value())).hex()}

    async def do_write(self, uuid, value=''):
        await self.asked(self.characteristic(uuid).write_value(bytes.fromhex(value), with_response=True))

    async def do_command(self, uuid, value=''):
        await self.characteristic(uuid).write_value(bytes.fromhex(value), with_response=False)

    async def do_subscribe(self, uuid, how='notify'):
        values = self.values[uuid.lower()] = []

        def came(value):
            values.append(value.hex())
            self.note('value', uuid=uuid, value=value.hex())
        await self.asked(self.characteristic(uuid).subscribe(came, prefer_notify=how != 'indicate'))

    async def do_unsubscribe(self, uuid):
        await self.asked(self.characteristic(uuid).unsubscribe(force=True))

    async def do_values(self, uuid, count='0', seconds='10'):
        values = self.values.get(uuid.lower(), [])
        async with self.journal.news:
            await asyncio.wait_for(self.journal.news.wait_for(lambda: len(values) >= int(count)), float(seconds))
        return {'values': values}

    # Bonds.

    async def do_pair(self):
        await asyncio.wait_for(self.connection.pair(), 40)

    async def do_encrypt(self):
        await asyncio.wait_for(self.connection.encrypt(), 10)

    async def do_forget(self):
        await self.device.keystore.delete_all()

    def do_type(self, passkey):
        self.typed.put_nowait(int(passkey))

    # Channels.

    async def do_channel(self, psm, size, count='1'):
        channel = await self.connection.create_l2cap_channel(l2cap.LeCreditBasedChannelSpec(psm=int(psm, 0), mtu=1024, mps=247, max_credits=16))
        sent, received, enough = [bytes([number & 0xFF]) * int(size) for number in range(int(count))], [], asyncio.Event()

        def came(data):
            received.append(data)
            if sum(map(len, received)) >= sum(map(len, sent)):
                enough.set()
        channel.sink = came
        for each in sent:
            channel.write(each)
        await asyncio.wait_for(enough.wait(), 20)
        await channel.disconnect()
        return {'bytes': sum(map(len, received)), 'equal': b''.join(received) == b''.join(sent)}


def options(words):
    options = parser()
    options.add_argument('--name', default='Lab phone')
    options.add_argument('--address', default='F0:00:00:00:00:C1', help='its static random address')
    options.add_argument('--mtu', type=int, default=247, help='asks for that MTU')
    options.add_argument('--capability', choices=CAPABILITIES, default='none', help='what it can show and read')
    options.add_argument('--passkey', type=int, default=0, help='the passkey that it shows')
    return options.parse_args(words)

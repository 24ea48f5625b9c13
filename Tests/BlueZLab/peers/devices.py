# SPDX-License-Identifier: Apache-2.0
"""What the lab's peripherals are: their services, their records and how they hand them over."""
import asyncio
import struct

from bumble import att, l2cap
from bumble.gatt import GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR, Characteristic, CharacteristicValue, Descriptor, Service

READ, WRITE, COMMAND, NOTIFY, INDICATE = (getattr(Characteristic.Properties, name) for name in (
    'READ', 'WRITE', 'WRITE_WITHOUT_RESPONSE', 'NOTIFY', 'INDICATE'))
Permissions = att.Attribute.Permissions
NOTHING, READABLE, WRITEABLE = Permissions(0), Permissions.READABLE, Permissions.WRITEABLE


class Kind:
    uuid = ''          # of the service that it advertises
    marker = b''       # its manufacturer data, after the company that is for tests

    def __init__(self, peer):
        self.peer, self.note, self.tasks = peer, peer.note, {}
        self.reset()

    def reset(self):
        pass

    def state(self):
        return {}

    def disconnected(self, connection):
        if task := self.tasks.pop(connection, None):
            task.cancel()

    def begin(self, connection, work):
        """Does something for a connection until it ends, and nothing else at the same time."""
        self.disconnected(connection)
        self.tasks[connection] = asyncio.ensure_future(work)

    def busy(self, connection):
        return connection in self.tasks and not self.tasks[connection].done()

    def protected(self, characteristic, needs):
        """Lets only those subscribe whose link is what `needs` says."""
        configuration = Descriptor(
            GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR, READABLE | WRITEABLE | needs,
            self.peer.device.gatt_server.make_descriptor_value(characteristic))
        characteristic.descriptors = [*characteristic.descriptors, configuration]
        return characteristic

    def is_subscribed(self, connection, characteristic):
        subscriptions = self.peer.device.gatt_server.subscribers.get(connection, {})
        return any(subscriptions.get(characteristic.handle, b'\0'))

    def about(self):
        return [
            Service('180A', [Characteristic('2A29', READ, READABLE, b'Lab GmbH'), Characteristic('2A24', READ, READABLE, self.peer.options.kind.encode()),
                             Characteristic('2A25', READ, READABLE, self.peer.options.serial.encode())]),
            Service('180F', [Characteristic('2A19', READ | NOTIFY, READABLE, b'\x57')]),
        ]


class Meter(Kind):
    """Keeps records, which the state has.

    Commands: measure HEX adds one; hold stops after the next that is sent until `go`, so that a test can interfere; withhold stops at
    once, before the next; pace MS takes that long for each, as the memory of a real meter does; clear deletes all.
    """
    records = ()

    def reset(self):
        self.stored = [bytes.fromhex(record) for record in self.records]
        self.flow, self.holds, self.pause = asyncio.Event(), False, 0
        self.flow.set()

    def state(self):
        return {'stored': [record.hex() for record in self.stored]}

    def is_sent(self):
        if self.holds:
            self.flow.clear()

    def do_hold(self):
        self.holds = True

    def do_withhold(self):
        self.holds = True
        self.flow.clear()

    def do_go(self):
        self.holds = False
        self.flow.set()

    def do_pace(self, milliseconds):
        self.pause = float(milliseconds) / 1000

    def do_clear(self):
        self.stored = []

    def do_measure(self, value):
        self.stored.append(bytes.fromhex(value))


class IndicatingMeter(Meter):
    """Indicates its records to a bonded central that subscribes; each is gone when it is confirmed.

    A record that is added is sent at once where somebody listens.
    Events: subscribed, indicated, confirmed, sent-all.
    """
    measurement = ''

    def measurements(self):
        self.value = Characteristic(self.measurement, INDICATE, NOTHING, b'')
        if not self.peer.options.open:
            self.protected(self.value, Permissions.WRITE_REQUIRES_AUTHENTICATION)
        self.value.on('subscription', self.subscribed)
        return self.value

    def subscribed(self, connection, notifies, indicates):
        self.note('subscribed', on=indicates)
        if indicates:
            self.begin(connection, self.send(connection))
        else:
            # What is indicated to nobody would be taken for confirmed.
            self.disconnected(connection)

    async def send(self, connection):
        while self.stored:
            await self.flow.wait()
            record = self.stored[0]
            self.note('indicated', value=record.hex())
            await self.peer.device.indicate_subscriber(connection, self.value, record)
            self.stored.remove(record)
            self.note('confirmed', value=record.hex())
            self.is_sent()
            await asyncio.sleep(self.pause)
        self.note('sent-all')
        if self.peer.options.drop:
            await connection.disconnect()

    def do_measure(self, value):
        super().do_measure(value)
        for connection in self.peer.connections:
            if self.is_subscribed(connection, self.value) and not self.busy(connection):
                self.begin(connection, self.send(connection))


class BloodPressureMonitor(IndicatingMeter):
    uuid, measurement, marker = '1810', '2A35', b'\x01\x02'
    records = (
        # FL SYST DIAS MEAN YEAR M  D  h  m  s  PULSE USER STATUS
        '16 7c00 5600 6100 e807 06 0f 11 11 1b 3300 0000',       # 124/86, mean 97, 15 June 2024, 17:17:27, pulse 51
        '1e 8300 5e00 6a00 e807 06 10 07 1e 00 4600 01 0000',    # 131/94, mean 106, 16 June 2024, 7:30, pulse 70, user 1
        '16 9300 5e00 7000 e807 06 11 11 18 00 3d00 2700',       # 147/94, mean 112, 17 June, 17:24: moved, cuff loose, pulse irregular
    )

    def services(self):
        return [Service(self.uuid, [
            self.measurements(), Characteristic('2A36', NOTIFY, NOTHING, b''), Characteristic('2A49', READ, READABLE, b'\x20\x00')]), *self.about()]


class Thermometer(IndicatingMeter):
    uuid, measurement, marker = '1809', '2A1C', b'\x01\x03'
    records = (
        # FL  TEMPERAT YEAR  M D h m s   TYPE
        '06 710e00fe e407 05 15 0a 1e 2d 01',    # 36.97 °C, 21 May 2020, 10:30:45, armpit
        '06 880e00fe ea07 09 11 08 00 00 01',    # 37.2 °C, 17 September 2026, 8:00, armpit
        '01 3c2600fe',                           # 97.88 °F, without a time
    )

    def services(self):
        return [Service(self.uuid, [self.measurements(), Characteristic('2A1D', READ, READABLE, b'\x02')]), *self.about()]


class GlucoseMeter(Meter):
    """A meter with a Record Access Control Point (GLS 1.0.1, RACP in GSS §3.176), which needs an encrypted link.

    Events: subscribed, asked, sent, answered.
    """
    uuid, marker = '1808', b'\x01\x04'
    records = (
        '03 0300 e807 02 1c 17 32 00 0f00 58b0 11',         # 3: 28 February 2024, 23:50 + 15 min, 88 mg/dL
        '06 0700 ea07 08 0c 07 05 00 37c0 11',              # 7: 12 August 2026, 7:05, 5.5 mmol/L
        '02 0800 ea07 08 0c 07 05 00 01d0 11',              # 8: the same time, 100 mg/dL
        '1b 0900 ea07 03 01 00 0a 00 0000 58b2 11 2000',    # 9: 1 March 2026, 0:10, 600 mg/dL, too high, with a context
        '0a 0a00 ea07 03 01 00 0a 00 ff07 1a 0008',         # 10: no value, control solution, time fault
    )
    contexts = {9: '02 0900 03'}                            # fasting

    SUCCESS, UNKNOWN_OPCODE, INVALID_OPERATOR, UNKNOWN_OPERATOR, INVALID_OPERAND, NO_RECORDS = 1, 2, 3, 4, 5, 6
    UNKNOWN_OPERAND = 9
    IN_PROGRESS, NOT_CONFIGURED = 0xFE, 0xFD

    def reset(self):
        super().reset()
        self.answering = set()

    def services(self):
        encrypted = Permissions.WRITE_REQUIRES_ENCRYPTION
        self.value = Characteristic('2A18', NOTIFY, NOTHING, b'')
        self.context = Characteristic('2A34', NOTIFY, NOTHING, b'')
        self.point = self.protected(Characteristic('2A52', WRITE | INDICATE, WRITEABLE | encrypted, CharacteristicValue(write=self.asked)), encrypted)
        self.point.on('subscription', lambda connection, notifies, indicates: self.note('subscribed', on=indicates))
        return [Service(self.uuid, [self.value, self.context, Characteristic('2A51', READ, READABLE, b'\xff\x03'), self.point]), *self.about()]

    def asked(self, connection, request):
        self.note('asked', value=request.hex())
        if not self.is_subscribed(connection, self.point) or not self.is_subscribed(connection, self.value):
            raise att.ATT_Error(self.NOT_CONFIGURED)
        before = self.tasks.get(connection)
        if self.busy(connection) and connection not in self.answering and request[0] != 3:
            raise att.ATT_Error(self.IN_PROGRESS)
        self.tasks[connection] = asyncio.ensure_future(self.obey(connection, request, before))

    async def obey(self, connection, request, before):
        code, operator, operand = request[0], request[1] if len(request) > 1 else 0, request[2:]
        if before and not before.done():
            if code == 3 and connection not in self.answering:
                before.cancel()
            await asyncio.wait([before])
        if code == 3:                                       # abort
            await self.answer(connection, [6, 0, 3, self.SUCCESS])
            return
        if code not in (1, 2, 4):
            await self.answer(connection, [6, 0, code, self.UNKNOWN_OPCODE])
            return
        records, refusal = self.select(operator, operand)
        if refusal:
            await self.answer(connection, [6, 0, code, refusal])
        elif code == 4:
            await self.answer(connection, [5, 0, *struct.pack('<H', len(records))])
        elif not records:
            await self.answer(connection, [6, 0, code, self.NO_RECORDS])
        else:
            if code == 1:
                await self.report(connection, records)
            else:
                self.stored = [record for record in self.stored if record not in records]
            await self.answer(connection, [6, 0, code, self.SUCCESS])

    def select(self, operator, operand):
        """The records that an operator means, or why there are none."""
        number = lambda record: struct.unpack_from('<H', record, 1)[0]
        if operator in (1, 5, 6):
            if operand:
                return [], self.INVALID_OPERAND
            return {1: self.stored, 5: self.stored[:1], 6: self.stored[-1:]}[operator], None
        if operator not in (2, 3, 4):
            return [], self.INVALID_OPERATOR if operator == 0 else self.UNKNOWN_OPERATOR
        if not operand or operand[0] != 1:                  # by sequence number, and not by time
            return [], self.UNKNOWN_OPERAND
        bounds = [bound for bound, in struct.iter_unpack('<H', operand[1:])] if len(operand) % 2 else []
        if len(bounds) != (2 if operator == 4 else 1):
            return [], self.INVALID_OPERAND
        low, high = {2: (0, bounds[0]), 3: (bounds[0], 0xFFFF), 4: (bounds[0], bounds[-1])}[operator]
        return [record for record in self.stored if low <= number(record) <= high], None

    async def report(self, connection, records):
        for record in records:
            await self.flow.wait()
            await self.peer.device.notify_subscriber(connection, self.value, record)
            self.note('sent', value=record.hex())
            if context := self.contexts.get(struct.unpack_from('<H', record, 1)[0]):
                await self.peer.device.notify_subscriber(connection, self.context, bytes.fromhex(context))
            self.is_sent()
            await asyncio.sleep(self.pause)

    async def answer(self, connection, response):
        # A procedure is over with its answer, even if the central has not confirmed that yet.
        self.answering.add(connection)
        try:
            await self.peer.device.indicate_subscriber(connection, self.point, bytes(response))
        finally:
            self.answering.discard(connection)
        self.note('answered', value=bytes(response).hex())
        if self.peer.options.drop:
            await connection.disconnect()


class Bench(Kind):
    """A little of everything that a radio has to do. Its characteristics are F0DE00nn-0000-1000-8000-00805F9B34FC:

    01 read, write     512 bytes, long reads and long writes; described in 2901
    02 command         counted; those that do not begin with their number, in four bytes, are out of order
    03 notify          counts up in four bytes, every 5 ms, while someone listens
    04 read            how many commands and writes came, and their bytes: three numbers of four bytes
    05 read            only over a bond that no man in the middle could have made
    06 read, write     only over an encrypted link
    07 indicate        1, 2, 3 to who subscribes; `indicate HEX`
    08 read, notify    answers only after `release`, or after 2 s; `notify HEX 1 8`
    09 read, write     fails: a read with 0x80, a write with the code that is written
    0A notify          `notify HEX [TIMES]`; `same` sends the same ten times
    0B write, notify   notifies what is written
    0C notify, indicate
    L2CAP channel 0x0081 sends back what comes.

    Events: subscribed, written, indicated, confirmed, slow-read, channel-opened, channel-closed.
    """
    uuid, marker = 'F0DE0000-0000-1000-8000-00805F9B34FC', b'\x01\x05'
    PSM = 0x81

    def reset(self):
        self.long = bytes(range(256)) * 2
        self.commands = self.writes = self.bytes = self.disorder = 0
        self.released = asyncio.Event()

    def state(self):
        return {'commands': self.commands, 'writes': self.writes, 'bytes': self.bytes, 'out-of-order': self.disorder, 'long': self.long.hex()}

    def characteristic(self, number, properties, permissions=NOTHING, value=b'', descriptors=()):
        each = Characteristic(self.uuid.replace('F0DE0000', f'F0DE00{number:02X}'), properties, permissions, value, list(descriptors))
        each.on('subscription', lambda connection, notifies, indicates: self.note(
            'subscribed', characteristic=number, notifies=notifies, indicates=indicates))
        return each

    def services(self):
        each, value, encrypted = self.characteristic, CharacteristicValue, Permissions.READ_REQUIRES_ENCRYPTION | Permissions.WRITE_REQUIRES_ENCRYPTION
        self.ticking, self.indicated, self.notified = each(3, NOTIFY), each(7, INDICATE), each(0x0A, NOTIFY)
        self.echo = each(0x0B, WRITE | NOTIFY, WRITEABLE, value(write=self.write_echo))
        self.slow = each(8, READ | NOTIFY, READABLE, value(read=self.read_slowly))
        self.ticking.on('subscription', lambda connection, on, _: self.begin(connection, self.tick(connection)) if on else self.disconnected(connection))
        self.indicated.on('subscription', lambda connection, _, on: on and self.begin(connection, self.indicate([b'\x01', b'\x02', b'\x03'])))
        self.peer.device.create_l2cap_server(l2cap.LeCreditBasedChannelSpec(psm=self.PSM, mtu=512, mps=247, max_credits=16), self.opened)
        return [Service(self.uuid, [
            each(1, READ | WRITE, READABLE | WRITEABLE, value(read=lambda connection: self.long, write=self.write_long),
                 [Descriptor('2901', READABLE, b'long value')]),
            each(2, COMMAND, WRITEABLE, value(read=self.refuse_read, write=self.write_command)),
            self.ticking,
            each(4, READ, READABLE, value(read=lambda connection: struct.pack('<III', self.commands, self.writes, self.bytes), write=self.refuse_write)),
            each(5, READ, READABLE, value(read=self.read_secret)),
            each(6, READ | WRITE, READABLE | WRITEABLE | encrypted, b'for encrypted links'),
            self.indicated,
            self.slow,
            each(9, READ | WRITE, READABLE | WRITEABLE, value(read=self.fail, write=self.fail)),
            self.notified,
            self.echo,
            each(0x0C, NOTIFY | INDICATE),
        ]), *self.about()]

    # Reads and writes.

    def count(self, data):
        self.writes += 1
        self.bytes += len(data)

    def write_long(self, connection, data):
        self.count(data)
        self.long = data
        self.note('written', characteristic=1, value=data.hex())

    def write_command(self, connection, data):
        self.disorder += int.from_bytes(data[:4], 'little') != self.commands
        self.commands += 1
        self.bytes += len(data)

    async def write_echo(self, connection, data):
        self.count(data)
        self.note('written', characteristic=0x0B, value=data.hex())
        await self.peer.device.notify_subscriber(connection, self.echo, data)

    async def read_secret(self, connection):
        if not await self.peer.is_authenticated(connection):
            raise att.ATT_Error(att.ATT_INSUFFICIENT_AUTHENTICATION_ERROR)
        return b'for authenticated links'

    async def read_slowly(self, connection):
        self.note('slow-read')
        self.released.clear()
        try:
            await asyncio.wait_for(self.released.wait(), 2)
        except asyncio.TimeoutError:
            pass
        return b'slow'

    # Bumble itself does not look at these permissions.

    def refuse_read(self, connection):
        raise att.ATT_Error(att.ATT_READ_NOT_PERMITTED_ERROR)

    def refuse_write(self, connection, data):
        raise att.ATT_Error(att.ATT_WRITE_NOT_PERMITTED_ERROR)

    def fail(self, connection, data=b'\x80'):
        raise att.ATT_Error(data[0])

    # Notifications and indications.

    async def tick(self, connection):
        number = 0
        while True:
            await self.peer.device.notify_subscriber(connection, self.ticking, struct.pack('<I', number))
            number += 1
            await asyncio.sleep(0.005)

    async def indicate(self, values):
        for connection in list(self.peer.connections):
            for value in values:
                self.note('indicated', value=value.hex())
                await self.peer.device.indicate_subscriber(connection, self.indicated, value)
                self.note('confirmed', value=value.hex())

    def do_release(self):
        self.released.set()

    async def do_indicate(self, value):
        await self.indicate([bytes.fromhex(value)])

    async def do_notify(self, value, times='1', number='10'):
        for connection in list(self.peer.connections):
            for _ in range(int(times)):
                await self.peer.device.notify_subscriber(connection, {8: self.slow, 10: self.notified}[int(number)], bytes.fromhex(value))

    async def do_same(self):
        await self.do_notify(b'same'.hex(), '10')

    # The channel.

    def opened(self, channel):
        self.note('channel-opened', mtu=channel.peer_mtu)
        channel.sink = channel.write
        channel.on('close', lambda: self.note('channel-closed'))


KINDS = {'blood-pressure': BloodPressureMonitor, 'glucose': GlucoseMeter, 'thermometer': Thermometer, 'bench': Bench}

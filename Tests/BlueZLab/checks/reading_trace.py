# SPDX-License-Identifier: Apache-2.0
"""Where the time of a reading goes.

The phases of a reading are taken from what the lab's recorder has written, which costs the reading nothing. A traced reading has
beside that what passed on the bus, by dbus-monitor, which costs each message some time: such a reading is slower."""
import asyncio
import io
import struct
import time

from dbus_fast import MessageType
from dbus_fast._private.unmarshaller import Unmarshaller

SINCE_YEAR_0 = 0x00DCDDB30F2F8000   # microseconds to 1970
BUS, COMMAND, EVENT, DATA_OUT, DATA_IN = '/tmp/bus.pcap', 2, 3, 4, 5
COMMANDS = {0x200C: 'scanning on or off', 0x200D: 'LE Create Connection', 0x2016: 'LE Read Remote Features', 0x0406: 'Disconnect'}
LE_EVENTS = {1: 'LE Connection Complete', 2: 'LE Advertising Report', 4: 'LE Read Remote Features Complete'}
# Core Specification, Vol 3, Part F, 3.4.8
ATTRIBUTE = {
    0x01: 'Error', 0x02: 'Exchange MTU', 0x03: 'Exchange MTU, answer', 0x04: 'Find Information', 0x05: 'Find Information, answer',
    0x08: 'Read By Type', 0x09: 'Read By Type, answer', 0x0A: 'Read', 0x0B: 'Read, answer', 0x10: 'Read By Group Type',
    0x11: 'Read By Group Type, answer', 0x12: 'Write', 0x13: 'Write, answer', 0x1D: 'Indication', 0x1E: 'Confirmation'}


def packets():
    """What the recorder has written: each packet's time, kind and bytes."""
    with open('/mnt/out/trace.btsnoop', 'rb') as trace:
        trace.seek(16)
        while len(head := trace.read(24)) == 24:
            _, size, flags, _, stamp = struct.unpack('>IIIIQ', head)
            yield (stamp - SINCE_YEAR_0) / 1e6, flags & 0xFFFF, trace.read(size)


def name_of_packet(kind, packet):
    """What the packet is; None if it says nothing about a reading."""
    if kind == COMMAND:
        name = COMMANDS.get(struct.unpack_from('<H', packet)[0])
        return name and 'host       ' + name
    if kind == EVENT:
        name = packet[0] == 0x3E and LE_EVENTS.get(packet[2])
        return name and 'controller ' + name
    if kind not in (DATA_OUT, DATA_IN) or len(packet) < 9 or packet[6:8] != b'\4\0':
        return None
    handle = f' {struct.unpack_from("<H", packet, 9)[0]:04x}' if packet[8] in (0x0A, 0x12, 0x1D) else ''
    return ('host       ' if kind == DATA_OUT else 'device     ') + ATTRIBUTE.get(packet[8], f'attribute protocol {packet[8]:02x}') + handle


def messages():
    """What dbus-monitor has written: each message's time, and the message."""
    with open(BUS, 'rb') as trace:
        trace.seek(24)
        while len(head := trace.read(16)) == 16:
            seconds, microseconds, size, _ = struct.unpack('=IIII', head)
            yield seconds + microseconds / 1e6, Unmarshaller(io.BytesIO(trace.read(size))).unmarshall()


def detail(message):
    """What a message is about, beside its member."""
    if message.member == 'PropertiesChanged':
        return ' '.join([message.body[0].split('.')[-1], *sorted(message.body[1])])
    if message.member == 'InterfacesAdded':
        return message.body[0].split('/')[-1] + ' ' + ' '.join(name.split('.')[-1] for name in message.body[1] if 'freedesktop' not in name)
    return (message.path or '').split('/')[-1]


def names_of_messages():
    """Each message's time, and what it is; answers carry the name of the call."""
    calls = {}
    for at, message in messages():
        if message.message_type is MessageType.METHOD_CALL:
            calls[message.sender, message.serial] = message.member
            yield at, f'call       {message.member} {detail(message)}'
        elif message.message_type is MessageType.SIGNAL:
            yield at, f'signal     {message.member} {detail(message)}'
        else:
            kind = 'answer    ' if message.message_type is MessageType.METHOD_RETURN else 'error     '
            if member := calls.get((message.destination, message.reply_serial)):
                yield at, f'{kind} {member}'


def radio(offset):
    """What passed between the kernel and its controller that says something about a reading, by the monotonic clock."""
    return [(at - offset, name) for at, kind, packet in packets() if (name := name_of_packet(kind, packet))]


def offset_of_clocks():
    return time.time() - time.monotonic()


PHASES = ('found, and the connection requested', 'the device advertises again', 'first request to the device', 'its services are read',
          'subscribed', 'the device answers and indicates', 'the record is there')


def phases(happened, began, ended):
    """How many milliseconds each of PHASES takes in the reading between two times; None if one of them is not found."""
    names = [(at, name) for at, name in happened if began - 0.02 <= at <= ended]
    indication = next((name for _, name in names if ' Indication ' in name), None)
    if indication is None:
        return None
    subscribed = f'Write {int(indication[-4:], 16) + 1:04x}'
    times = []
    for mark in ('LE Advertising Report', 'LE Create Connection', 'LE Connection Complete', 'Exchange MTU', 'Write ', subscribed, indication):
        times.append(next((at for at, name in names if mark in name), None))
    times.append(ended)
    if None in times:
        return None
    return [(to - at) * 1000 for at, to in zip(times, times[1:])]


async def start():
    """Starts the monitor and returns how to end it."""
    # It has to run whenever there is a message, for the time that it writes down is that at which it runs.
    with open(BUS, 'wb') as output:
        monitor = await asyncio.create_subprocess_exec('nice', '-n', '-15', 'dbus-monitor', '--system', '--pcap', stdout=output)
    await asyncio.sleep(0.5)

    async def stop():
        await asyncio.sleep(0.2)
        monitor.terminate()
        await monitor.wait()
    return stop


def lines(began, ended):
    """The reading between two times of the monotonic clock, a line for each thing that happened."""
    offset = offset_of_clocks()
    happened = radio(offset) + [(at - offset, name) for at, name in names_of_messages()]
    happened = sorted((at, name) for at, name in happened if began - 0.02 <= at <= ended)
    first = next((at for at, name in happened if name.endswith('LE Advertising Report')), began)
    for at, name in [*happened, (ended, 'reader     has the record')]:
        yield f'{(at - first) * 1000:8.1f}  {name}'

# SPDX-License-Identifier: Apache-2.0
"""A Bluetooth Low Energy controller, as its host sees it: commands in, events out. Bluetooth 4.2, without BR/EDR.

What a host notices of a real radio is there: advertising events come again and again with a signal strength, scan responses
only to active scanners, a connection waits until its peer advertises, data is acknowledged when it has been handed over, a
wrong key ends the link, and who disappears is missed. The bits of the link layer and its ciphers are not.

Opcodes, events and parameters: Bluetooth Core Specification 4.2, volume 2, part E, chapter 7.
"""
import asyncio
import os
import random
import struct
import time

COMMAND, DATA, EVENT = 1, 2, 4

DISCONNECTION_COMPLETE, ENCRYPTION_CHANGE, REMOTE_VERSION, COMMAND_COMPLETE, COMMAND_STATUS = 0x05, 0x08, 0x0C, 0x0E, 0x0F
COMPLETED_PACKETS, KEY_REFRESH_COMPLETE, LE_META = 0x13, 0x30, 0x3E
CONNECTION_COMPLETE, ADVERTISING_REPORT, UPDATE_COMPLETE, REMOTE_FEATURES, KEY_REQUEST = 1, 2, 3, 4, 5

UNKNOWN_COMMAND, UNKNOWN_CONNECTION, KEY_MISSING, TIMED_OUT, DISALLOWED, INVALID_PARAMETERS = 0x01, 0x02, 0x06, 0x08, 0x0C, 0x12
BY_REMOTE, BY_LOCAL, MIC_FAILURE = 0x13, 0x16, 0x3D
CENTRAL, PERIPHERAL = 0, 1
CONNECTABLE, SCANNABLE, DIRECTED = {0, 1, 4}, {0, 2}, {1, 4}

PACKET_SIZE, PACKET_COUNT = 251, 16
# Real devices advertise as rarely as every 1.28 s, BlueZ among them; nobody wants to wait for it in a test.
LONGEST_INTERVAL = 0.1
RSSI = -58
# How long a scanner that was asked to leave out duplicates knows one for such. Real ones forget as well, for want of space;
# a connection that is wanted during a scan depends on it.
MEMORY = 0.5
# Data waits for the next connection event. bluetoothd 5.66 loses a request that is refused for want of encryption before
# it has gone back to its main loop (it writes the request again to a socket that is not ready), which no real radio is
# quick enough for: the quickest connection events are 7.5 ms apart.
DELAY = 0.002
# How long a controller that is slow takes to stop scanning; after two seconds Linux takes a command for lost.
SLOW = 1.5
# What the controllers settle among themselves takes them some events.
CONTROL_DELAY = 0.005
# Encryption, Peripheral-initiated Features Exchange, Data Packet Length Extension.
FEATURES = struct.pack('<Q', 1 << 0 | 1 << 3 | 1 << 5)


class Link:
    """A connection; each end is a controller, and a handle in it."""

    def __init__(self, central, peripheral):
        self.ends = {central: central.free_handle(), peripheral: peripheral.free_handle()}
        self.central, self.peripheral = central, peripheral
        self.waiting = {central: [], peripheral: []}     # the data packets that each has sent
        self.key = None          # what the central wants to encrypt with
        self.encrypted = False
        for controller, handle in self.ends.items():
            controller.links[handle] = self

    def other(self, controller):
        return self.peripheral if controller is self.central else self.central

    def send(self, sender, packet):
        if not self.waiting[sender]:
            asyncio.get_running_loop().call_later(DELAY, self.deliver, sender)
        self.waiting[sender].append(packet)

    def deliver(self, sender):
        packets, self.waiting[sender] = self.waiting[sender], []
        if not packets or not self.is_open:
            return
        for packet in packets:
            self.other(sender).write(packet)
        sender.event(COMPLETED_PACKETS, struct.pack('<BHH', 1, self.ends[sender], len(packets)))

    def later(self, act, *arguments):
        """Does something when the controllers have settled it, if they are still connected then."""
        asyncio.get_running_loop().call_later(CONTROL_DELAY, lambda: self.is_open and act(*arguments))

    def refuse_encryption(self):
        self.central.event(ENCRYPTION_CHANGE, struct.pack('<BHB', KEY_MISSING, self.ends[self.central], 0))

    def encrypt(self):
        for controller, handle in self.ends.items():
            if self.encrypted:
                controller.event(KEY_REFRESH_COMPLETE, struct.pack('<BH', 0, handle))
            else:
                controller.event(ENCRYPTION_CHANGE, struct.pack('<BHB', 0, handle, 1))
        self.encrypted = True

    @property
    def is_open(self):
        return all(controller.links.get(handle) is self for controller, handle in self.ends.items())

    def close(self, reasons):
        """Ends the link; `reasons` has the reason for each end that is to be reported."""
        for controller, handle in self.ends.items():
            if controller.links.pop(handle, None) and controller in reasons:
                controller.event(DISCONNECTION_COMPLETE, struct.pack('<BHB', 0, handle, reasons[controller]))


class Controller:
    """One controller: the host's commands come in through `receive`, its events go out through `write`."""

    commands = {}        # opcode: (byte and bit of Supported Commands, method)

    def __init__(self, air, address, write):
        self.air, self.address, self.write = air, address, write
        self.within_reach = True
        self.links = {}
        self.advertiser = None
        self.forget()

    def forget(self):
        self.random_address = bytes(6)
        self.advertising = False
        self.advertising_interval, self.advertising_type, self.advertising_address_type = 0.1, 0, 0
        self.directed_at = (0, bytes(6))
        self.advertising_data = self.scan_response = b''
        self.scanning = self.scanning_actively = self.scans_once = False
        self.seen = {}
        self.accepted = set()
        self.initiating = None   # the parameters of a connection that waits for its peer
        self.is_slow = False     # whether it takes its time to stop scanning, the next time
        self.is_stopping = False
        self.refused = 0         # how often a connection was given up that was not asked for yet

    def free_handle(self):
        return next(handle for handle in range(0x40, 0xF00) if handle not in self.links)

    # Host and controller.

    def receive(self, packet):
        if packet[0] == COMMAND:
            opcode, = struct.unpack_from('<H', packet, 1)
            parameters = packet[4:]
            if opcode not in self.commands:
                self.complete(opcode, bytes([UNKNOWN_COMMAND]))
                return
            _, method = self.commands[opcode]
            try:
                method(self, opcode, parameters)
            except (struct.error, IndexError):
                self.complete(opcode, bytes([INVALID_PARAMETERS]))
        elif packet[0] == DATA:
            self.send_data(packet)

    def event(self, code, parameters):
        self.write(bytes([EVENT, code, len(parameters)]) + parameters)

    def le_event(self, code, parameters):
        self.event(LE_META, bytes([code]) + parameters)

    def complete(self, opcode, returned=b'\0'):
        self.event(COMMAND_COMPLETE, struct.pack('<BH', 1, opcode) + returned)

    def status(self, opcode, status=0):
        self.event(COMMAND_STATUS, struct.pack('<BBH', status, 1, opcode))

    def end(self, opcode, parameters):
        """The link that the parameters begin with; says no and returns None if there is none."""
        link = self.links.get(struct.unpack_from('<H', parameters)[0] & 0xFFF)
        if not link:
            self.status(opcode, UNKNOWN_CONNECTION)
        return link

    def send_data(self, packet):
        head, = struct.unpack_from('<H', packet, 1)
        link = self.links.get(head & 0xFFF)
        if not link:
            return
        other = link.other(self)
        continues = head & 0x3000 == 0x1000
        link.send(self, struct.pack('<BH', DATA, link.ends[other] | (0x1000 if continues else 0x2000)) + packet[3:])

    def vanish(self):
        """Its host is gone or it is out of reach: the others notice that the link is silent."""
        for link in list(self.links.values()):
            link.close({link.other(self): TIMED_OUT, self: TIMED_OUT})

    # Advertising and scanning.

    def own_address(self, kind):
        return self.random_address if kind & 1 else self.address

    def advertises_as(self):
        return self.advertising_address_type & 1, self.own_address(self.advertising_address_type)

    async def advertise(self):
        while self.advertising:
            if self.within_reach:
                self.air.heard(self)
            await asyncio.sleep(self.advertising_interval + random.uniform(0, 0.01))

    def set_advertising(self, on):
        self.advertising = on
        if self.advertiser:
            self.advertiser.cancel()
        self.advertiser = asyncio.ensure_future(self.advertise()) if on else None

    def hear(self, advertiser):
        """An advertising event of another controller."""
        kind, address = advertiser.advertises_as()
        if self.initiating and advertiser.advertising_type in CONNECTABLE and self.wants(kind, address):
            self.connect(advertiser, kind, address)
        elif self.scanning:
            self.report(advertiser.advertising_type, kind, address, advertiser.advertising_data)
            if self.scanning_actively and advertiser.advertising_type in SCANNABLE:
                self.report(4, kind, address, advertiser.scan_response)

    def report(self, event, kind, address, data):
        sight = (event, kind, address, data)
        now = time.monotonic()
        if self.scans_once and now < self.seen.get(sight, 0) + MEMORY:
            return
        self.seen[sight] = now
        strength = RSSI + random.randint(-3, 3)
        self.le_event(ADVERTISING_REPORT, struct.pack('<BBB', 1, event, kind) + address + bytes([len(data)]) + data + struct.pack('<b', strength))

    def stopped(self, opcode):
        self.is_stopping = False
        self.complete(opcode)

    # Connections.

    def wants(self, kind, address):
        policy, peer_kind, peer, *_ = self.initiating
        return (kind, address) in self.accepted if policy else (kind, address) == (peer_kind, peer)

    def connect(self, peripheral, kind, address):
        _, _, _, own_kind, interval, latency, timeout = self.initiating
        self.initiating = None
        peripheral.set_advertising(False)
        link = Link(self, peripheral)
        own = (own_kind & 1, self.own_address(own_kind))
        for controller, role, peer in ((peripheral, PERIPHERAL, own), (self, CENTRAL, (kind, address))):
            controller.connected(0, link.ends[controller], role, peer, interval, latency, timeout)

    def connected(self, status, handle=0, role=0, peer=(0, bytes(6)), interval=0, latency=0, timeout=0):
        self.le_event(CONNECTION_COMPLETE, struct.pack('<BHBB', status, handle, role, peer[0]) + peer[1]
                      + struct.pack('<HHHB', interval, latency, timeout, 0))


def command(opcode, byte, bit):
    """Marks the method that executes a command, and the command's place in Supported Commands."""
    def mark(method):
        Controller.commands[opcode] = ((byte, bit), method)
        return method
    return mark


def accepted(opcode, byte, bit):
    """A command that needs nothing done."""
    command(opcode, byte, bit)(lambda self, opcode, parameters: self.complete(opcode))


def answered(opcode, byte, bit, returned):
    """A command that always returns the same."""
    command(opcode, byte, bit)(lambda self, opcode, parameters: self.complete(opcode, b'\0' + returned))


accepted(0x0C01, 5, 6)                                           # Set Event Mask
accepted(0x2001, 25, 0)                                          # LE Set Event Mask
accepted(0x2024, 34, 0)                                          # LE Write Suggested Default Data Length
answered(0x1001, 14, 3, struct.pack('<BHBHH', 8, 0, 8, 0xFFFF, 0))  # Read Local Version Information: 4.2
answered(0x1003, 14, 5, bytes([0, 0, 0, 0, 0x60, 0, 0, 0]))      # Read Local Supported Features: LE, no BR/EDR
answered(0x1005, 14, 7, struct.pack('<HBHH', 0, 0, 0, 0))        # Read Buffer Size: none for BR/EDR
answered(0x2002, 25, 1, struct.pack('<HB', PACKET_SIZE, PACKET_COUNT))   # LE Read Buffer Size
answered(0x2003, 25, 2, FEATURES)                                # LE Read Local Supported Features
answered(0x2007, 25, 6, b'\0')                                   # LE Read Advertising Channel TX Power: 0 dBm
answered(0x200F, 26, 6, b'\x20')                                 # LE Read Filter Accept List Size
answered(0x201C, 28, 3, struct.pack('<Q', (1 << 42) - 1))        # LE Read Supported States: all
answered(0x2023, 33, 7, struct.pack('<HH', 251, 2120))           # LE Read Suggested Default Data Length
answered(0x202F, 35, 3, struct.pack('<HHHH', 251, 2120, 251, 2120))      # LE Read Maximum Data Length


@command(0x0C03, 5, 7)
def reset(self, opcode, parameters):
    self.vanish()
    self.set_advertising(False)
    self.forget()
    self.complete(opcode)


@command(0x1002, 14, 4)
def read_local_supported_commands(self, opcode, parameters):
    supported = bytearray(64)
    for (byte, bit), _ in self.commands.values():
        supported[byte] |= 1 << bit
    self.complete(opcode, b'\0' + supported)


@command(0x1009, 15, 1)
def read_address(self, opcode, parameters):
    self.complete(opcode, b'\0' + self.address)


@command(0x1405, 15, 5)
def read_rssi(self, opcode, parameters):
    known = self.links.get(struct.unpack('<H', parameters)[0])
    self.complete(opcode, bytes([0 if known else UNKNOWN_CONNECTION]) + parameters + struct.pack('<b', RSSI))


@command(0x0C2D, 10, 2)
def read_transmit_power(self, opcode, parameters):
    handle, _ = struct.unpack('<HB', parameters)
    self.complete(opcode, struct.pack('<BHb', 0 if handle in self.links else UNKNOWN_CONNECTION, handle, 0))


@command(0x2005, 25, 4)
def set_random_address(self, opcode, parameters):
    self.random_address = parameters[:6]
    self.complete(opcode)


@command(0x2006, 25, 5)
def set_advertising_parameters(self, opcode, parameters):
    if self.advertising:
        self.complete(opcode, bytes([DISALLOWED]))
        return
    shortest, _, self.advertising_type, self.advertising_address_type, kind = struct.unpack_from('<HHBBB', parameters)
    self.advertising_interval = min(shortest * 0.000625, LONGEST_INTERVAL)
    self.directed_at = (kind, parameters[7:13])
    self.complete(opcode)


@command(0x2008, 25, 7)
def set_advertising_data(self, opcode, parameters):
    self.advertising_data = parameters[1:1 + parameters[0]]
    self.complete(opcode)


@command(0x2009, 26, 0)
def set_scan_response(self, opcode, parameters):
    self.scan_response = parameters[1:1 + parameters[0]]
    self.complete(opcode)


@command(0x200A, 26, 1)
def enable_advertising(self, opcode, parameters):
    self.complete(opcode)
    self.set_advertising(parameters[0] != 0)


@command(0x200B, 26, 2)
def set_scan_parameters(self, opcode, parameters):
    if self.scanning:
        self.complete(opcode, bytes([DISALLOWED]))
        return
    self.scanning_actively = parameters[0] == 1
    self.complete(opcode)


@command(0x200C, 26, 3)
def enable_scan(self, opcode, parameters):
    self.scanning, self.scans_once = parameters[0] != 0, parameters[1] != 0
    self.seen = {}
    if self.is_slow and not self.scanning:
        self.is_slow, self.is_stopping = False, True
        asyncio.get_running_loop().call_later(SLOW, self.stopped, opcode)
    else:
        self.complete(opcode)


@command(0x200D, 26, 4)
def create_connection(self, opcode, parameters):
    if self.initiating:
        self.status(opcode, DISALLOWED)
        return
    _, _, policy, peer_kind = struct.unpack_from('<HHBB', parameters)
    own_kind, _, interval, latency, timeout = struct.unpack_from('<BHHHH', parameters, 12)
    self.initiating = (policy, peer_kind, parameters[6:12], own_kind, interval, latency, timeout)
    self.status(opcode)


@command(0x200E, 26, 5)
def cancel_connection(self, opcode, parameters):
    if not self.initiating:
        self.refused += 1
        self.complete(opcode, bytes([DISALLOWED]))
        return
    self.initiating = None
    self.complete(opcode)
    self.connected(UNKNOWN_CONNECTION)


@command(0x2010, 26, 7)
def clear_accept_list(self, opcode, parameters):
    self.accepted.clear()
    self.complete(opcode)


@command(0x2011, 27, 0)
def accept(self, opcode, parameters):
    self.accepted.add((parameters[0], parameters[1:7]))
    self.complete(opcode)


@command(0x2012, 27, 1)
def accept_no_more(self, opcode, parameters):
    self.accepted.discard((parameters[0], parameters[1:7]))
    self.complete(opcode)


@command(0x2013, 27, 2)
def update_connection(self, opcode, parameters):
    if link := self.end(opcode, parameters):
        _, _, interval, latency, timeout = struct.unpack_from('<HHHHH', parameters)
        self.status(opcode)
        for controller, handle in link.ends.items():
            link.later(controller.le_event, UPDATE_COMPLETE, struct.pack('<BHHHH', 0, handle, interval, latency, timeout))


@command(0x2016, 27, 5)
def read_remote_features(self, opcode, parameters):
    if link := self.end(opcode, parameters):
        self.status(opcode)
        link.later(self.le_event, REMOTE_FEATURES, struct.pack('<BH', 0, link.ends[self]) + FEATURES)


@command(0x041D, 2, 7)
def read_remote_version(self, opcode, parameters):
    if link := self.end(opcode, parameters):
        self.status(opcode)
        link.later(self.event, REMOTE_VERSION, struct.pack('<BHBHH', 0, link.ends[self], 8, 0xFFFF, 0))


@command(0x2018, 27, 7)
def random_number(self, opcode, parameters):
    self.complete(opcode, b'\0' + os.urandom(8))


@command(0x2022, 33, 6)
def set_data_length(self, opcode, parameters):
    self.complete(opcode, b'\0' + parameters[:2])


@command(0x0406, 0, 5)
def disconnect(self, opcode, parameters):
    if link := self.end(opcode, parameters):
        self.status(opcode)
        link.deliver(self)
        link.close({self: BY_LOCAL, link.other(self): parameters[2]})


# Encryption: both ends must bring the same key, and that is all that is looked at.

@command(0x2019, 28, 0)
def start_encryption(self, opcode, parameters):
    if link := self.end(opcode, parameters):
        link.key = parameters[12:28]
        self.status(opcode)
        other = link.other(self)
        link.later(other.le_event, KEY_REQUEST, struct.pack('<H', link.ends[other]) + parameters[2:12])


@command(0x201A, 28, 1)
def reply_with_key(self, opcode, parameters):
    if link := self.end(opcode, parameters):
        self.complete(opcode, b'\0' + parameters[:2])
        if parameters[2:18] == link.key:
            link.later(link.encrypt)
        else:
            link.later(link.close, {self: MIC_FAILURE, link.other(self): MIC_FAILURE})


@command(0x201B, 28, 2)
def reply_without_key(self, opcode, parameters):
    if link := self.end(opcode, parameters):
        self.complete(opcode, b'\0' + parameters[:2])
        link.later(link.refuse_encryption)

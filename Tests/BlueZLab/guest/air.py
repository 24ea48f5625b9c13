# SPDX-License-Identifier: Apache-2.0
"""The air between the lab's radios: virtual controllers that hear each other.

Each adapter of the guest's kernel (/dev/vhci) and each program that connects to the socket gets a controller of its own.

  usage: air.py SOCKET CONTROL [--adapters N]

The control socket takes a line and answers with one, in JSON:
  adapters            the adapters, by number: {"0": "00:AA:01:00:00:00"}
  unplug N / plug N   removes adapter N, puts it back
  away ADDRESS        takes a controller out of reach: its links are lost, nobody hears it
  back ADDRESS        brings it back
  slow N              adapter N takes its time to stop scanning, the next time
  stopping N          fails unless adapter N is doing so
  refused N           fails unless a connection of adapter N was given up before it was asked for
  crowd N             makes N devices that advertise once a second and do nothing else
"""
import argparse
import asyncio
import errno
import json
import os
import struct
import sys

from controller import COMMAND, DIRECTED, Controller

VENDOR = 0xFF


def text(address):
    return ':'.join(f'{byte:02X}' for byte in reversed(address))


class Adapter:
    """A controller of the guest's kernel."""

    def __init__(self, air, number):
        self.air = air
        self.device = os.open('/dev/vhci', os.O_RDWR | os.O_NONBLOCK)
        os.write(self.device, bytes([VENDOR, 0]))
        self.controller = air.add(bytes([number, 0, 0, 1, 0xAA, 0]), self.write)
        asyncio.get_running_loop().add_reader(self.device, self.read)

    def read(self):
        packet = os.read(self.device, 4096)
        if packet[0] != VENDOR:
            self.controller.receive(packet)

    def write(self, packet):
        try:
            os.write(self.device, packet)
        except OSError as error:
            # A kernel that is switched off does not reset the controller, which may still scan, and takes nothing from it.
            if error.errno != errno.ENXIO:
                raise

    def unplug(self):
        asyncio.get_running_loop().remove_reader(self.device)
        self.air.remove(self.controller)
        os.close(self.device)


class Client(asyncio.Protocol):
    """A controller of a program that speaks HCI, as over a serial line, on the socket."""

    def __init__(self, air):
        self.air, self.received = air, b''

    def connection_made(self, transport):
        self.controller = self.air.add(bytes([self.air.next_client(), 0, 1, 1, 0xAA, 0]), transport.write)

    def connection_lost(self, error):
        self.air.remove(self.controller)

    def data_received(self, data):
        self.received += data
        while packet := self.take_packet():
            self.controller.receive(packet)

    def take_packet(self):
        received = self.received
        if len(received) < 5 and not (len(received) == 4 and received[0] == COMMAND):
            return None
        size = 4 + received[3] if received[0] == COMMAND else 5 + struct.unpack_from('<H', received, 3)[0]
        if len(received) < size:
            return None
        self.received = received[size:]
        return received[:size]


class Air:
    def __init__(self):
        self.controllers, self.adapters, self.clients = [], {}, 0

    def next_client(self):
        self.clients += 1
        return self.clients & 0xFF

    def add(self, address, write):
        controller = Controller(self, address, write)
        self.controllers.append(controller)
        return controller

    def remove(self, controller):
        controller.write = lambda packet: None
        controller.set_advertising(False)
        controller.vanish()
        self.controllers.remove(controller)

    def heard(self, advertiser):
        for controller in list(self.controllers):
            if controller is advertiser or not controller.within_reach or not advertiser.advertising:
                continue
            if advertiser.advertising_type in DIRECTED and advertiser.directed_at not in (
                    (0, controller.address), (1, controller.random_address)):
                continue
            controller.hear(advertiser)

    def crowd(self, count):
        for number in range(count):
            controller = self.add(struct.pack('<HBBBB', number, 2, 1, 0xAA, 0), lambda packet: None)
            controller.random_address = struct.pack('<HBBBB', number, 0, 0, 0, 0xC0)
            controller.advertising_address_type, controller.advertising_interval = 1, 1
            # What most of those in a building are: no health devices.
            controller.advertising_data = b'\x02\x01\x06\x05\xff\xff\xff' + struct.pack('<H', number)
            controller.scan_response = b'\x0b\x09' + f'Crowd {number:04}'.encode()
            controller.set_advertising(True)

    # The control socket.

    def obey(self, word, *arguments):
        if word == 'plug':
            number = int(arguments[0])
            if number not in self.adapters:
                self.adapters[number] = Adapter(self, number)
        elif word == 'unplug':
            self.adapters.pop(int(arguments[0])).unplug()
        elif word == 'crowd':
            self.crowd(int(arguments[0]))
        elif word in ('slow', 'stopping', 'refused'):
            self.delay(self.adapters[int(arguments[0])].controller, word)
        elif word in ('away', 'back'):
            self.reach(arguments[0].upper(), word == 'back')
        elif word != 'adapters':
            raise ValueError(f'unknown command "{word}"')
        return {number: text(adapter.controller.address) for number, adapter in sorted(self.adapters.items())}

    def delay(self, controller, word):
        if word == 'slow':
            controller.is_slow, controller.refused = not controller.scanning, 0
        if not {'slow': controller.is_slow, 'stopping': controller.is_stopping, 'refused': controller.refused}[word]:
            raise ValueError(f'not {word}')

    def reach(self, address, within):
        controller, = [each for each in self.controllers if address in (text(each.address), text(each.random_address))]
        controller.within_reach = within
        if not within:
            controller.vanish()

    async def control(self, reader, writer):
        while line := await reader.readline():
            try:
                answer = {'ok': True, 'adapters': self.obey(*line.decode().split())}
            except (ValueError, KeyError, IndexError, TypeError, OSError) as error:
                answer = {'ok': False, 'error': repr(error)}
            writer.write(json.dumps(answer).encode() + b'\n')
            await writer.drain()
        writer.close()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('socket')
    parser.add_argument('control')
    parser.add_argument('--adapters', type=int, default=1)
    options = parser.parse_args()
    air = Air()
    for number in range(options.adapters):
        air.obey('plug', str(number))
    await asyncio.get_running_loop().create_unix_server(lambda: Client(air), options.socket)
    await asyncio.start_unix_server(air.control, options.control)
    print('the air is up', flush=True)
    await asyncio.get_running_loop().create_future()


if __name__ == '__main__':
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        sys.exit(130)

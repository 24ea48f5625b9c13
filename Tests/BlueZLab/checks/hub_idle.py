# SPDX-License-Identifier: Apache-2.0
"""What `santorio hub run` costs while nothing happens, among many that advertise.

  usage: hub_idle.py FOLDER ADVERTISERS

A system call takes user-mode-linux sixteen times as long as a machine, so that this is a bound from above, and no limit."""
import os
import socket
import subprocess
import sys
import time

from ward import BOUND, Device, Failure, Hub, Server, lab, say, until

# It listens for ten seconds in each seventy.
SECONDS = 70
TICKS = os.sysconf('SC_CLK_TCK')


def used(process):
    """The seconds of a processor that a process has used, by its ticks."""
    with open(f'/proc/{process}/stat') as file:
        user, system = file.read().rsplit(')', 1)[1].split()[11:13]
    return (int(user) + int(system)) / TICKS


def scheduled(process):
    """The same in nanoseconds, as the scheduler has it, where the kernel says so."""
    total = 0
    try:
        for thread in os.listdir(f'/proc/{process}/task'):
            with open(f'/proc/{process}/task/{thread}/schedstat') as file:
                total += int(file.read().split()[0])
    except OSError:
        return None
    return total / 1e9


def known():
    """How many devices bluetoothd has."""
    tree = subprocess.run(['busctl', '--system', 'tree', '--list', 'org.bluez'], capture_output=True, text=True, timeout=BOUND).stdout
    return sum(line.count('/') == 4 and '/dev_' in line for line in tree.splitlines())


def system_call():
    """How many microseconds of a processor a message to oneself takes: user-mode-linux is slower at that than a machine."""
    ours, theirs = socket.socketpair()
    began = time.process_time()
    for _ in range(10_000):
        ours.send(b'x')
        theirs.recv(1)
    return (time.process_time() - began) * 100


def daemon():
    """bluetoothd's process."""
    with open('/run/lab/bluetoothd.pid') as file:
        return int(file.read())


def measure(hub, what):
    processes, most = (hub.process.pid, daemon()), 0
    before = [(used(each), scheduled(each)) for each in processes]
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        most = max(most, known())
        time.sleep(5)
    seconds = time.monotonic() - end + SECONDS
    texts = []
    for name, process, (ticks, precise) in zip(('the hub', 'bluetoothd'), processes, before):
        exact = scheduled(process)
        texts.append(f'{name} {(used(process) - ticks) / seconds * 100:.2f} %' + ('' if exact is None else f' ({(exact - precise) / seconds * 100:.2f} % by the scheduler)'))
    say(f'{what}: {", ".join(texts)} of a core in {seconds:.0f} s; bluetoothd has had {most} devices')
    return most


def begin(folder):
    """A server, a hub, and two devices that are enrolled and silent."""
    server = Server(folder + '/server')
    hub = Hub(folder, server)
    hub.add('bed-1')
    hub.restart()
    devices = []
    for number, (name, kind, model) in enumerate((('cuff', 'blood-pressure', 3000), ('thermometer', 'thermometer', 4000)), 1):
        device = Device(name, kind, 'bed-1', number, '--drop')
        device.measure()
        device.ask('advertise')
        device.identifier = hub.enroll(model, 'bed-1')
        device.ask('silent')
        devices.append(device)
    return server, hub, devices


def main():
    folder, advertisers = sys.argv[1], int(sys.argv[2])
    _, hub, _ = begin(folder)
    hub.kill()
    hub.restart()
    until('all devices are waited for', lambda: all(each['state'] == 'waiting' for each in hub.patient('bed-1')['devices']))
    say(f'sending and receiving one byte takes {system_call():.1f} µs here')
    measure(hub, 'two devices that are silent, nobody else')
    lab('ask', 'air', 'crowd', str(advertisers))
    measure(hub, f'and {advertisers} that advertise, which it has never heard')
    most = measure(hub, 'and the same once more')
    if most < advertisers:
        raise Failure(f'bluetoothd has heard {most} of {advertisers}')


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""An hour of `santorio hub run` among many that advertise, while its devices measure now and then.

  usage: hub_hour.py FOLDER ADVERTISERS

The hub must not use twice the processor time in the second half, nor more memory at the end than after twenty minutes, and each
measurement must be on the server once. A guest's processor time includes the time that its host gives to others, so what the hub uses
is also compared with what bluetoothd uses for the same advertisements."""
import sys
import time

from hub_idle import begin, daemon, used
from ward import Failure, lab, say, until

PERIOD, PERIODS = 600, 6
# The hub uses half a second of a processor in ten minutes, counted in hundredths, and as much more by chance. EnduranceTests measure
# the cost of an event more closely.
MOST_TIME, MOST_MEMORY = 2, 2048


def memory(process):
    """The memory that belongs to a process alone, in KiB."""
    with open(f'/proc/{process}/status') as file:
        return next(int(line.split()[1]) for line in file if line.startswith('RssAnon:'))


def main():
    folder, advertisers = sys.argv[1], int(sys.argv[2])
    server, hub, devices = begin(folder)
    lab('ask', 'air', 'crowd', str(advertisers))

    costs, sizes = [], []
    for period in range(PERIODS):
        processes = (hub.process.pid, daemon())
        began, end = [used(each) for each in processes], time.monotonic() + PERIOD
        for device in devices:
            device.measure()
            device.ask('advertise')
            until(f'the reading of {device.name} is on the server', lambda: len(server.records(hub.accounts['bed-1'])) == sum(len(each.measured) for each in devices), 180)
            device.ask('silent')
        time.sleep(max(0, end - time.monotonic()))
        if hub.process.poll() is not None:
            raise Failure(f'the hub has ended: exit status {hub.process.returncode}')
        costs.append([used(each) - before for each, before in zip(processes, began)])
        sizes.append(memory(hub.process.pid))
        say(f'{(period + 1) * PERIOD // 60} minutes: {costs[-1][0]:.2f} s of a processor in the last ten, bluetoothd {costs[-1][1]:.2f} s; {sizes[-1]} KiB of its own')
    (first, of_daemon), (second, of_daemon_then) = ([sum(each) for each in zip(*half)] for half in (costs[:PERIODS // 2], costs[PERIODS // 2:]))
    growth = min(second / first, second / of_daemon_then / (first / of_daemon))
    say(f'the second half cost {growth:.2f} of the first')
    if growth > MOST_TIME:
        raise Failure(f'half an hour cost {first:.2f} s at first, and {second:.2f} s then')
    if sizes[-1] > sizes[1] + MOST_MEMORY:
        raise Failure(f'{sizes[-1]} KiB after an hour, and {sizes[1]} KiB after twenty minutes')


main()

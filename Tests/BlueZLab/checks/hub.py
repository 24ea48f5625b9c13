# SPDX-License-Identifier: Apache-2.0
"""`santorio hub run` for several patients, killed again and again: in the end the server has each reading once, with its patient.

  usage: hub.py FOLDER ROUNDS SEED"""
import random
import subprocess
import sys
import time

from ward import PROGRAM, Device, Failure, Hub, Server, lab, run, say, until

PASSKEY = '123456'


class Ward:
    def __init__(self, folder, seed):
        self.random = random.Random(seed)
        self.server = Server(folder + '/server')
        self.hub = Hub(folder, self.server)
        self.devices = []
        self.is_still = False
        self.last = None            # the device of the last round

    def add(self, *words):
        self.devices.append(Device(*words))
        return self.devices[-1]

    # What is where.

    def has(self, times, patient):
        """Whether the server has all of these measurements of a patient."""
        return set(times) <= {each['time']['device_time'] for each in self.readings(patient)}

    def readings(self, patient):
        return [each for each in self.server.records(self.hub.accounts[patient]) if each['type'] == 'measurement']

    def told(self, patient):
        return [each for each in self.server.records(self.hub.accounts[patient]) if each['type'] == 'device_status']

    def arrives(self, device, times):
        until(f'{len(times)} measurements of {device.name} are on the server', lambda: self.has(times, device.patient))

    def is_on_disk(self, device, times):
        if self.is_still:
            return self.hub.patient(device.patient)['queued'] >= len(times)
        return self.has(times, device.patient) or self.hub.patient(device.patient)['queued'] >= len(times)

    def stand_still(self):
        self.server.stand_still()
        self.is_still = True

    def go_on(self):
        self.server.go_on()
        self.is_still = False

    def pause(self, most):
        """A moment of which nothing is known."""
        moment = self.random.uniform(0, most)
        time.sleep(moment)
        return f'{moment:.3f} s later'

    def is_waited_for(self, device):
        known = self.hub.device(device.identifier)
        return known and known['state'] == 'waiting'

    # The beginning.

    def measures(self, device, count=1):
        """It measures, advertises, is read, and switches itself off."""
        device.mark()
        times = device.measure(count)
        device.ask('advertise')
        self.arrives(device, times)
        device.ask('silent')
        return times

    def enrol(self, device, what, *options):
        device.mark()
        times = device.measure(2)
        device.ask('advertise')
        device.identifier = self.hub.enroll(what, device.patient, *options)
        self.arrives(device, times)
        device.ask('silent')
        say(f'{device.name} is enrolled for {device.patient}, and what it had is on the server')

    def offered(self, model):
        return next((each['device'] for each in self.hub.status()['unknown_devices'] if each['model'] == model), None)

    # Kills. Each function leaves the hub killed; the device has measured.

    def kill(self, device):
        self.before = self.hub.kill(device)

    def pending(self, device):
        """Before the device is there, or at any moment of its connection."""
        if self.random.random() < 0.5:
            self.kill(device)
            return device.measure(), 'while it waited'
        device.ask('withhold')
        times = device.measure(2)
        device.ask('advertise')
        later = self.pause(0.5)
        self.kill(device)
        return times, f'{later} than it began to advertise'

    def connected(self, device):
        """At any moment of a connection, before the first measurement was sent."""
        device.ask('withhold')
        times = device.measure(2)
        device.ask('advertise')
        # The link may be one that the hub before has left behind.
        until(f'{device.name} is connected', lambda: device.ask('stats')['connected'])
        later = self.pause(1.5)
        self.kill(device)
        return times, f'{later} than it was connected'

    def reading(self, device):
        """Between two measurements that the device sends: the first one is on the disk."""
        device.ask('hold')
        times = device.measure(3)
        device.ask('advertise')
        device.wait('sent' if device.is_meter() else 'confirmed')
        if not device.is_meter():
            until('the first measurement is on the disk', lambda: self.is_on_disk(device, times[:1]))
        later = self.pause(0.5)
        self.kill(device)
        return times, f'{later} than the first of three was sent'

    def transfer(self, device):
        """At any moment of the transfer of a memory."""
        times = device.measure(40)
        device.ask('pace', 25)
        device.ask('advertise')
        device.wait('sent')
        later = self.pause(1)
        self.kill(device)
        sent = len(device.seen('sent'))
        device.ask('pace', 0)
        return times, f'{later} than it began to send forty, when it had sent {sent}'

    def upload(self, device):
        """While the server takes its time with what was read."""
        self.stand_still()
        times = device.measure(3)
        device.ask('advertise')
        until('the measurements are on the disk', lambda: self.is_on_disk(device, times))
        later = self.pause(1)
        self.kill(device)
        return times, f'{later} than three were on the disk, before the server has answered'

    def sent(self, device):
        """At any moment after the measurement is on the disk."""
        times = device.measure()
        device.ask('advertise')
        until('the measurement is on the disk', lambda: self.is_on_disk(device, times))
        later = self.pause(0.2)
        self.kill(device)
        return times, f'{later} than it was on the disk'

    def round(self, number):
        # A hub leaves a device alone that it has just read, until that was off for a while; a new one does not.
        device = self.last = self.random.choice([device for device in self.devices if device is not self.last])
        until(f'{device.name} is waited for', lambda: self.hub.is_up() and self.is_waited_for(device))
        moments = [self.pending, self.connected, self.reading, self.upload, self.sent]
        moment = self.random.choice(moments + [self.transfer] * 2 if device.is_meter() else moments)
        if moment != self.pending and self.random.random() < 0.3:
            self.stand_still()
        device.mark()
        times, when = moment(device)
        say(f'{number}: {moment.__name__}: the hub was killed, {device.name}: {when}')
        for act in self.random.sample([self.start, self.server_goes_on, self.goes_on], 3):
            act(device)
        device.ask('advertise')
        self.arrives(device, times)
        until(f'{device.name} has sent everything', lambda: device.is_meter() or not device.ask('stats')['stored'])
        device.ask('silent')

    def start(self, device):
        self.hub.start()

    def server_goes_on(self, device):
        if self.is_still:
            self.go_on()

    def goes_on(self, device):
        # What it sends to a bluetoothd that nobody listens to would be confirmed and lost.
        device.until_left(self.before)
        device.ask('go')

    # What has to hold in the end.

    def expect_all(self):
        bad = 0
        for patient in self.hub.accounts:
            stored = sorted(each['time']['device_time'] for each in self.readings(patient))
            measured = sorted(time for device in self.devices if device.patient == patient for time in device.measured)
            if stored != measured:
                bad += 1
                say(f'{patient}: missing {sorted(set(measured) - set(stored))}; not theirs {sorted(set(stored) - set(measured))}; '
                    f'{len(stored) - len(set(stored))} twice')
            else:
                say(f'{patient}: {len(stored)} measurements, each once')
        if bad:
            raise Failure('the server has not what was measured')


def permissions(ward):
    """Root may ask the hub, another user may not."""
    text = ward.hub.command('status')
    assert 'bed-1' in text and 'bed-2' in text, text
    stranger = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups']
    text = run(*stranger, PROGRAM, 'hub', 'status', '--socket', Hub.SOCKET, expected=1)
    assert 'may not' in text and 'bed-1' not in text, text
    say('root sees the status, another user does not')


def drained(ward, device):
    """SIGTERM: what is being read is read, no lock is left."""
    device.mark()
    device.ask('hold')
    times = device.measure(2)
    device.ask('advertise')
    device.wait('confirmed')
    ward.hub.ask_to_end()
    ward.pause(1)
    device.ask('go')
    seconds = ward.hub.ended()
    device.ask('silent')
    assert len(device.seen('confirmed')) == 2, 'the reading under way was not read to its end'
    for patient in ward.hub.accounts:
        text = run(PROGRAM, 'queue', '--data', f'{ward.hub.folder}/{patient}')
        assert 'pending' in text, text
    again = ward.hub.restart()
    ward.arrives(device, times)
    say(f'SIGTERM: the hub has drained and ended in {seconds:.1f} s, its folders were free, the next one was up in {again:.1f} s')


def reloaded(ward):
    """SIGHUP: another patient."""
    ward.hub.add('bed-3')
    ward.hub.reload()
    until('bed-3 is there', lambda: (patient := ward.hub.patient('bed-3')) and patient['upload']['works'])
    device = ward.add('third', 'blood-pressure', 'bed-3', 5, '--drop')
    ward.enrol(device, 3000)
    say('SIGHUP: the third patient is read for')


def bluetoothd_restarted(ward, device):
    lab('bluetoothd', 'restart')
    ward.measures(device, 2)
    say('bluetoothd was restarted')


def switched_off(ward, device):
    lab('rfkill', 'block')
    until('the hub sees that Bluetooth is off', lambda: not ward.hub.status()['adapter']['works'])
    times = device.measure()
    device.ask('advertise')
    lab('rfkill', 'unblock')
    until('the hub sees that Bluetooth is on', lambda: ward.hub.status()['adapter']['works'])
    ward.arrives(device, times)
    device.ask('silent')
    say('Bluetooth was off and on')


def unplugged(ward, device):
    lab('adapter', 'unplug', '0')
    until('the hub sees that the adapter is gone', lambda: not ward.hub.status()['adapter']['works'])
    times = device.measure()
    device.ask('advertise')
    lab('adapter', 'plug', '0')
    ward.arrives(device, times)
    device.ask('silent')
    say('the adapter was away')


def bond_lost(ward, device):
    """A device that has forgotten the hub: it is said so, and it is read again once it was enrolled."""
    device.mark()
    device.ask('forget')
    times = device.measure()
    device.ask('advertise')
    status = until(f'{device.name} is shown as to be enrolled', lambda: (known := ward.hub.device(device.identifier))['state'] == 'unpaired' and known)
    assert 'hub enroll' in status['reason'], status
    until('the server is told of the lost bond', lambda: len(ward.told(device.patient)) == 1)
    ward.hub.enroll(device.identifier, device.patient, '--passkey', PASSKEY)
    ward.arrives(device, times)
    device.ask('silent')
    until('the server is told of the end of that', lambda: len(ward.told(device.patient)) == 2)
    say('a lost bond was shown and told to the server, and mended')


def decided(ward, device):
    """A reading of a person whom the device does not know waits until somebody decides."""
    ward.hub.kill()
    ward.hub.restart()      # the last one has just read it
    device.mark()
    times = device.measure(1, user=255)
    device.ask('advertise')
    waiting = until('a reading waits for a decision', lambda: ward.hub.patient(device.patient).get('decisions'))
    device.ask('silent')
    assert not ward.has(times, device.patient)
    ward.hub.kill()
    ward.hub.restart()
    assert [each['record'] for each in ward.hub.patient(device.patient)['decisions']] == [each['record'] for each in waiting]
    ward.hub.command('release', waiting[0]['record'])
    ward.arrives(device, times)
    say('a reading waited for a decision, over a kill, too')


def story(ward, rounds):
    for alias in ('bed-1', 'bed-2'):
        ward.hub.add(alias)
    assert 'no errors' in run(PROGRAM, 'hub', 'check', '--config', ward.hub.file)
    cuff = ward.add('cuff', 'blood-pressure', 'bed-1', 1, '--drop')
    monitor = ward.add('monitor', 'blood-pressure', 'bed-2', 2, '--drop', '--passkey', PASSKEY)
    meter = ward.add('meter', 'glucose', 'bed-1', 3)
    thermometer = ward.add('thermometer', 'thermometer', 'bed-2', 4, '--drop')
    for device in (meter, thermometer):
        device.ask('advertise')     # it is listened for devices once a minute
    say(f'the hub was up in {ward.hub.restart():.1f} s')
    permissions(ward)
    offered = {device: until(f'{device.name} is offered', lambda: ward.offered(model)) for device, model in ((meter, 1000), (thermometer, 4000))}
    for device in offered:
        device.ask('silent')
    ward.enrol(cuff, 3000)
    monitor.ask('advertise')
    ward.hub.enroll(3000, 'bed-2', '--passkey', '654321', expected=1)
    ward.enrol(monitor, 3000, '--passkey', PASSKEY)
    for device, identifier in offered.items():
        ward.enrol(device, identifier)

    ward.hub.kill()
    ward.hub.restart()
    for number in range(1, rounds + 1):
        ward.round(number)
    ward.hub.kill()
    ward.hub.restart()
    ward.expect_all()
    drained(ward, monitor)
    bluetoothd_restarted(ward, cuff)
    switched_off(ward, meter)
    unplugged(ward, thermometer)
    reloaded(ward)
    decided(ward, cuff)
    bond_lost(ward, monitor)
    ward.expect_all()
    ward.hub.ask_to_end()
    say(f'SIGTERM: the hub has ended in {ward.hub.ended():.1f} s')


def main():
    folder, rounds, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    say(f'{rounds} rounds, seed {seed}')
    ward = Ward(folder, seed)
    try:
        story(ward, rounds)
    except BaseException:
        if ward.is_still:
            ward.go_on()
        try:
            print(ward.hub.command('status', expected=None))
        except (OSError, subprocess.TimeoutExpired) as error:
            print(error)
        print(f'the same again: Scripts/bluez-lab --keep --rounds {rounds} --seed {seed} hub', flush=True)
        raise
    finally:
        ward.hub.process and ward.hub.process.kill()
        ward.server.process.kill()


main()

# SPDX-License-Identifier: Apache-2.0
# about: the commands doctor, scan, pair and read, as a person calls them, over bluetoothd
# limit: 240
export HOME=/run/person
mkdir -p "$HOME"
hub=$HOME/hub

# Runs the program, keeps what it says and shows whether its exit status is the one expected: STATUS WORD…
santorio() {
  local expected=$1 status=0
  shift
  "$SANTORIO_BUILD/santorio" "$@" >"$run/output" 2>"$run/error" || status=$?
  lab_say "santorio $* → $status"
  sed 's/^/            /' "$run/output" "$run/error"
  [[ $status == "$expected" ]] || { echo "the exit status should be $expected"; return 1; }
}

says() { grep -qE -- "$1" "$run/output" "$run/error" || { echo "it should say: $1"; return 1; }; }
printed() { [[ $(wc -l <"$run/output") == "$1" ]] || { echo "it should print $1 lines"; return 1; }; }

# bluetoothd ends a connection some seconds after the program that used it.
alone() { lab_ask cuff stats | grep -q '"connected": 0'; }

lab_bus
santorio 1 doctor
says '^problem  bluetoothd +bluetoothd does not run'
lab_record
lab_air 1
lab_bluetoothd start
santorio 0 doctor --data "$hub"
says '^ok       adapter +Found hci0 \(00:'
says '^ok       pairing agent'
says '^ok       advertising'
lab_rfkill block
wait_for 10 test "$(cat /sys/class/rfkill/rfkill*/soft)" = 1
santorio 1 doctor
says '→ sudo rfkill unblock bluetooth'
santorio 1 scan
says 'Bluetooth is switched off. "santorio doctor"'
lab_rfkill unblock
wait_for 20 lab_powered 0
lab_adapter unplug 0
santorio 1 doctor
says '^problem  adapter +This machine has no Bluetooth adapter'
lab_adapter plug 0

lab_peer cuff blood-pressure --name 'Lab cuff' --address F0:F1:F2:F3:F4:01 --passkey 123456
santorio 0 scan --seconds 3 --json
printed 1
says '"name":"Lab cuff","rssi":-?[0-9]+,"services":\[\{"uuid":"1810","name":"Blood Pressure"\}\],"catalogue":\{"id":3000'
identifier=$(sed -E 's/.*"identifier":"([^"]+)".*/\1/' "$run/output")

lab_say 'a passkey that is wrong, one that a person types, and readings that come at once'
santorio 1 pair 'Lab cuff' --passkey 654321
says 'not paired: Perhaps the passkey was wrong'
santorio 0 pair "$identifier" --with-memory --data "$hub" <<<'123 456'
says 'Enter the passkey that "Lab cuff" shows'
says "^paired  Blood pressure monitor  $identifier$"
says "held: [0-9]+ readings? of Blood pressure monitor, $identifier: [0-9]+ measured when another user may have had it"
printed 3

lab_say 'a reading, and the queue'
lab_ask cuff measure 167c0056006100e807061211111b33000000 >/dev/null
santorio 0 read "$identifier" --every-user --once --data "$hub" --json
says '"value":124'
santorio 0 queue --data "$hub"
says '^pending +4 records'

lab_say 'a bond that the device has lost'
lab_ask cuff measure 167c0056006100e807061011111b33000000 >/dev/null
wait_for 20 alone
lab_ask cuff forget >/dev/null
santorio 1 read "$identifier" --once
says 'no longer knows this machine'
santorio 0 pair "$identifier" --yes --with-memory --passkey 123456 --data "$hub"
says 'Remove the old bond and pair again\? yes, by --yes'
says "^paired  Blood pressure monitor  $identifier$"

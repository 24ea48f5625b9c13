# SPDX-License-Identifier: Apache-2.0
# about: santorio read as a service: each reading is on the server, once, over a killed bluetoothd and an unplugged adapter
# limit: 150
export HOME=/run/person SANTORIO_ADMIN_TOKEN=administrator-of-the-lab
mkdir -p "$HOME"
server=http://127.0.0.1:8080
santorio() { "$SANTORIO_BUILD/santorio" "$@"; }

# Asks the server: TOKEN PATH [BODY]
web() {
  /usr/bin/python3 - "$@" <<'PYTHON'
import sys, urllib.request
token, path, *body = sys.argv[1:]
request = urllib.request.Request('http://127.0.0.1:8080' + path, data=body[0].encode() if body else None,
                                 headers={'Authorization': f'Bearer {token}', 'Content-Type': 'application/json'})
print(urllib.request.urlopen(request, timeout=10).read().decode())
PYTHON
}

# The times of the readings on the server, in the order of their arrival.
times() {
  web "$SANTORIO_TOKEN" "/v1/organizations/lab/users/$user/records" | grep -oE '"device_time":"[^"]*"' | cut -d '"' -f 4
}

has() { [[ $(times | wc -l) == "$1" ]]; }
dump() { cat "$out/read.log"; }
trap dump EXIT

lab_up
santorio serve --data "$HOME/server" >"$out/serve.log" 2>&1 &
wait_for 20 web "$SANTORIO_ADMIN_TOKEN" /healthz
account=$(web "$SANTORIO_ADMIN_TOKEN" /v1/organizations/lab/users '{"uid": "bed-2"}')
user=$(sed -E 's/^\{"id": ?"([^"]+)".*/\1/' <<<"$account")
SANTORIO_TOKEN=$(sed -E 's/.*"token": ?"([^"]+)".*/\1/' <<<"$account")
export SANTORIO_TOKEN
options=(--data "$HOME/hub" --server "$server" --organization lab --user "$user")

lab_peer cuff blood-pressure --name 'Lab cuff' --address F0:F1:F2:F3:F4:01
santorio pair 'Lab cuff' --yes --with-memory "${options[@]}" >"$out/read.log" 2>&1
grep -q '^paired' "$out/read.log"
# One reading is of a user whom the monitor does not know: it waits for a decision.
grep -q '^held' "$out/read.log"
santorio queue release --data "$HOME/hub" $(santorio queue list held --data "$HOME/hub" | cut -d ' ' -f 1) >>"$out/read.log" 2>&1
# Not through the function: a signal has to reach the program and not the shell around it.
"$SANTORIO_BUILD/santorio" read --every-user "${options[@]}" >>"$out/read.log" 2>&1 &
reading=$!
wait_for 30 has 3
lab_say 'what was read while pairing is on the server'

lab_ask cuff hold >/dev/null
lab_ask cuff measure 167c0056006100e807061211111b33000000 >/dev/null
lab_ask cuff measure 167c0056006100e807061311111b33000000 >/dev/null
wait_for 30 has 4
lab_bluetoothd kill
lab_ask cuff go >/dev/null
lab_bluetoothd start
wait_for 60 has 5
lab_say 'bluetoothd was killed between two readings'

lab_adapter unplug 0
lab_ask cuff measure 167c0056006100e807061411111b33000000 >/dev/null
lab_adapter plug 0
wait_for 60 has 6
lab_say 'the adapter was away when a reading was taken'

times >"$out/times"
diff - "$out/times" <<'END'
2024-06-15T17:17:27
2024-06-16T07:30:00
2024-06-17T17:24:00
2024-06-18T17:17:27
2024-06-19T17:17:27
2024-06-20T17:17:27
END
kill -INT $reading
wait $reading

# SPDX-License-Identifier: Apache-2.0
# about: santorio simulate puts a monitor on the air, which a phone of another stack finds, pairs with and reads
lab_up
lab_central phone
log=$out/simulate.log
touch "$log"

# Asks the phone and looks at its answer: PATTERN WORD…
phone() {
  local pattern=$1 answer
  shift
  answer=$(lab_ask phone "$@") || { echo "$answer"; return 1; }
  lab_say "phone $* → $answer"
  grep -qE -- "$pattern" <<<"$answer" || { echo "the phone should answer: $pattern"; return 1; }
}

"$SANTORIO_BUILD/santorio" simulate ua-651ble >"$log" 2>&1 &
simulation=$!
trap 'cat "$log"' EXIT
wait_for 20 grep -q 'advertising as "A&D_UA-651BLE_400123"' "$log"
phone 'A&D_UA-651BLE_400123' scan 1810
phone '"mtu"' connect
phone '2A35' services
phone '55412d36353142' read 2A24
phone ok pair
phone ok subscribe 2A35 indicate
# 125/80 and 134/77 after two measurements that failed.
phone '16ff07.*16ff07.*167d0050006600e10701100c27364000.*1686004d006400e10701100d0018' values 2A35 4
phone ok disconnect
wait_for 20 grep -q '4 measurements were sent' "$log"
kill -INT $simulation
wait $simulation

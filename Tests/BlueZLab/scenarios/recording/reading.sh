# SPDX-License-Identifier: Apache-2.0
# about: records which functions a reading calls, for Scripts/build-small --add; needs valgrind, and is not run by default
# small: BlueZLabReader
lab_up
lab_peer cuff blood-pressure --open --silent
valgrind --tool=callgrind --demangle=no --callgrind-out-file="$out/callgrind" "$SANTORIO_SMALL/BlueZLabReader" >"$out/reader.log" &
wait_for 80 grep -q scanning "$out/reader.log"
lab_ask cuff advertise
wait $!
grep '^record' "$out/reader.log"

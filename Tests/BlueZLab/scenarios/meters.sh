# SPDX-License-Identifier: Apache-2.0
# about: the SDK and santorio pair with a glucose meter and a thermometer, read them, and later only what is new
# limit: 200
export HOME=/run/person
mkdir -p "$HOME"

# Pairs a device and keeps its identifier; what it sends at once goes to $run/lines: NAME
pairs() {
  "$SANTORIO_BUILD/santorio" pair "$1" --yes --with-memory --data "$HOME/hub" >"$run/lines" 2>>"$out/santorio.log"
  identifier=$(sed -nE 's/^paired .* ([0-9A-F-]{36})$/\1/p' "$run/lines")
  lab_say "santorio pair $1 → $identifier"
}

reads() { "$SANTORIO_BUILD/santorio" read "$identifier" --once --data "$HOME/hub" >"$run/lines" 2>>"$out/santorio.log"; }

# Whether the readings are those on standard input: each one's time and value.
are() {
  sed -nE 's/^([^ ]+) .* (blood glucose|body temperature) (.*(mg\/dL|°C)).*/\1 \3/p' "$run/lines" >"$run/readings"
  diff - "$run/readings"
  lab_say "read $(wc -l <"$run/readings"), as expected"
}

lab_up
run_suite 'Meters with BlueZ'

trap 'cat "$run/lines" "$out/santorio.log"' EXIT
lab_peer meter glucose --name 'Lab meter' --address F0:F1:F2:F3:F4:01
pairs 'Lab meter'
reads
are <<'END'
2024-02-29T00:05:00 88 mg/dL
2026-08-12T07:05:00 99.09 mg/dL
2026-08-12T07:05:00 100 mg/dL
2026-03-01T00:10:00 >600 mg/dL
END
lab_ask meter measure 020b00ea07080c07050001d011 >/dev/null
reads
are <<'END'
2026-08-12T07:05:00 100 mg/dL
END
lab_stop meter

lab_peer thermometer thermometer --name 'Lab thermometer' --address F0:F1:F2:F3:F4:02
pairs 'Lab thermometer'
[[ $(grep -c 'body temperature' "$run/lines") == 3 ]]
lab_ask thermometer measure 06920e00feea07091208000001 >/dev/null
reads
are <<'END'
2026-09-18T08:00:00 37.3 °C
END

# SPDX-License-Identifier: Apache-2.0
# about: the lab's own check: bleak reads a cuff, a thermometer and a glucose meter, over a killed bluetoothd too
check() { "$PYTHON" "$LAB/checks/records.py" "$@"; }

lab_up
lab_peer cuff blood-pressure --name "Lab cuff" --address F0:F1:F2:F3:F4:01
check cuff
check again
lab_stop cuff
lab_peer thermometer thermometer --name "Lab thermometer" --address F0:F1:F2:F3:F4:02 --drop
check thermometer
lab_stop thermometer
lab_peer glucose glucose --name "Lab meter" --address F0:F1:F2:F3:F4:03
check interrupted
lab_ask glucose go
check glucose

# SPDX-License-Identifier: Apache-2.0
# about: the lab's own check: bleak does at the bench what a radio has to do
lab_up
lab_peer bench bench --name "Lab bench"
"$PYTHON" "$LAB/checks/smoke.py"

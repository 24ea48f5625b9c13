# SPDX-License-Identifier: Apache-2.0
# about: what a process has in hand comes back in the next one
# limit: 100
lab_up
run_suite 'Before the end of a process'
run_suite 'After the start of the next process'

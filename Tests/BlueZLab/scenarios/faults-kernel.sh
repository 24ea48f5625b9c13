# SPDX-License-Identifier: Apache-2.0
# about: a kernel that makes no connections any more
# limit: 200
lab_up
run_suite 'A kernel that makes no connections'

# SPDX-License-Identifier: Apache-2.0
# about: a guest that only comes up
true

// SPDX-License-Identifier: Apache-2.0
#include <turbojpeg.h>

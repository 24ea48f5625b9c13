// SPDX-License-Identifier: Apache-2.0
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

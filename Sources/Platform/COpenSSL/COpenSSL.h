// SPDX-License-Identifier: Apache-2.0
// OpenSSL 3 deprecates AES on single blocks and digests by parts in favour of EVP.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/aes.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

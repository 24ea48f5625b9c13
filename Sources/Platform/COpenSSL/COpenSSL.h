// SPDX-License-Identifier: Apache-2.0
// AES on single blocks and digests by parts are among what OpenSSL 3 would rather have done by EVP.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/aes.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

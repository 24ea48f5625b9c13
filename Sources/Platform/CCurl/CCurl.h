// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <curl/curl.h>

// libcurl's setopt and getinfo are variadic, which Swift cannot call: one typed function per kind of value.

static inline CURLcode ccurl_easy_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_easy_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_easy_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_easy_pointer(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value);
}

// CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION: data, 1, its length, the pointer of WRITEDATA or HEADERDATA.
typedef size_t (*ccurl_sink)(char *data, size_t size, size_t count, void *context);

static inline CURLcode ccurl_easy_sink(CURL *handle, CURLoption option, ccurl_sink value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

// CURLOPT_PROTOCOLS_STR came with libcurl 7.85; Ubuntu 22.04 has 7.81.
static inline CURLcode ccurl_easy_http_only(CURL *handle) {
#if LIBCURL_VERSION_NUM < 0x075500
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#else
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#endif
}

static inline CURLMcode ccurl_multi_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

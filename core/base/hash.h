/* SPDX-License-Identifier: BSD-3-Clause */
/* FNV-1a, 64 bits: a quick hash that is the same on every machine. Not for hostile keys. */
#ifndef HG_BASE_HASH_H
#define HG_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Offset basis and prime of Fowler, Noll and Vo for 64 bits. */
#define HG_HASH_START UINT64_C(0xcbf29ce484222325)
#define HG_HASH_PRIME UINT64_C(0x100000001b3)

/** Goes on with a hash; begin with HG_HASH_START. */
static inline uint64_t hg_hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ p[i]) * HG_HASH_PRIME;
    }
    return hash;
}

/** One number in one step, for hashes that are made in every call. */
static inline uint64_t hg_hash_word(uint64_t hash, uint64_t word)
{
    hash ^= word;
    hash ^= hash >> 32;                   /* so that high bits reach the low ones */
    hash *= UINT64_C(0x9e3779b97f4a7c15); /* 2^64 over the golden ratio: spreads the bits */
    return hash ^ hash >> 29;
}

/** Takes the terminator along, so that "ab","c" and "a","bc" differ. */
static inline uint64_t hg_hash_text(uint64_t hash, const char *text)
{
    return hg_hash_bytes(hash, text, strlen(text) + 1);
}

#endif

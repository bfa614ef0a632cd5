/** How large an upload and its parts may be: what is beyond them is refused before it is unpacked. */

const MIB = 1024 * 1024

export const CHUNK_LIMITS = {
  /** sentry-cli up to 2.39 wants a power of two. */
  chunkBytes: 8 * MIB,
  chunksPerRequest: 64,
  requestBytes: 32 * MIB,
  /** Requests that a client has open at once. Each holds a chunk in memory. */
  concurrency: 4,
} as const

/** The whole upload as it is sent. */
export const MAX_BUNDLE_BYTES = 2 * 1024 * MIB
/** Clients cut into pieces of `chunkBytes`; smaller ones are fine as long as their list is not endless. */
export const MAX_CHUNKS = 4_096

export type BundleLimits = {
  readonly entries: number
  /** One file, unpacked. */
  readonly fileBytes: number
  /** All files, unpacked. */
  readonly totalBytes: number
  readonly manifestBytes: number
}
export const BUNDLE_LIMITS: BundleLimits = {
  entries: 100_000,
  // The largest maps of real builds have some 80 MB. Reading one takes about five times its size in memory.
  fileBytes: 128 * MIB,
  totalBytes: 4 * 1024 * MIB,
  // 100,000 files with long names.
  manifestBytes: 64 * MIB,
}

/** Source maps pack to a tenth; deflate's most is 1,030. */
export const MAX_RATIO = 250
/** Below it the ratio says nothing: a file of spaces is no attack. */
export const RATIO_FROM_BYTES = MIB

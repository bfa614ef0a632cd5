/** How large the body of a request may be, by what it carries. Whatever stands in front must let these through. */
import { CHUNK_LIMITS, MAX_CHUNKS } from '@sonde/commands'

const MIB = 1024 * 1024

export const API_BODY_BYTES = {
  /** Few requests have a long body; a longer one is refused before it is read. */
  json: 100_000,
  /** A set of commits with their files. */
  releaseJson: 16 * MIB,
  /** Of the pieces of an upload, 43 characters each, and names. */
  assembleJson: MAX_CHUNKS * 50 + 100_000,
  /** Pieces of an upload, what stands between them, and a piece that packing made longer. */
  chunks: CHUNK_LIMITS.requestBytes + CHUNK_LIMITS.chunksPerRequest * 1024 + 64 * 1024,
  /** One file, whole in memory and a few times its size while it is looked at. Larger ones go in chunks. */
  releaseFile: 33 * MIB,
} as const

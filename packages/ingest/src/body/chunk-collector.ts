/** Gathers the pieces of a body without letting tiny pieces cost more than their bytes. */

/** One buffer when there was one piece, a copy of all otherwise. Empties the collector. */
export type ChunkCollector = { add(chunk: Buffer): void; bytes(): number; take(): Buffer; drop(): void }

// Each Buffer object costs about 100 bytes: a chunked body of 1-byte chunks would take a hundred times its size.
const SMALL_BYTES = 4 * 1024
const BLOCK_BYTES = 64 * 1024

export function createChunkCollector(): ChunkCollector {
  let parts: Buffer[] = []
  let block: Buffer | undefined
  let filled = 0
  let total = 0
  const flushBlock = (): void => {
    if (block && filled > 0) parts.push(block.subarray(0, filled))
    block = undefined
    filled = 0
  }
  const drop = (): void => {
    parts = []
    block = undefined
    filled = 0
    total = 0
  }
  return {
    add(chunk) {
      total += chunk.length
      // The first piece is most often the whole body: not copied.
      if (chunk.length >= SMALL_BYTES || (parts.length === 0 && filled === 0)) {
        flushBlock()
        parts.push(chunk)
        return
      }
      if (block && filled + chunk.length > BLOCK_BYTES) flushBlock()
      block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES)
      chunk.copy(block, filled)
      filled += chunk.length
    },
    bytes: () => total,
    take() {
      flushBlock()
      const [first] = parts
      const whole = parts.length === 1 && first ? first : Buffer.concat(parts, total)
      drop()
      return whole
    },
    drop,
  }
}

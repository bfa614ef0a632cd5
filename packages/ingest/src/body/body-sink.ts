/** Where the bytes of a body go: kept as they are, or decompressed under bounds. */
import { type Refusal, refuse } from '../refusal.ts'
import { type Encoding, TOO_LARGE } from './decoders.ts'
import type { Lease } from './memory-budget.ts'

export type BodySink = {
  /** False: wait for `onDrain` before the next one. */
  write(chunk: Buffer): boolean
  end(): void
  /** Stops all work; nothing is called afterwards. */
  destroy(): void
}

export type SinkEvents = {
  onBody(body: Buffer): void
  onFail(refusal: Refusal): void
  onDrain(): void
}

// Zeros shrink 1000-fold and more; text and JSON 5- to 50-fold. Below a MiB nobody needs to care.
const SUSPICIOUS_BYTES = 1024 * 1024
const SUSPICIOUS_RATIO = 200
// 24 MiB at that ratio come from half of this; what shrank less by then is kept as it comes out.
const MAX_KEPT_INPUT_BYTES = 256 * 1024
// What most SDKs send. As a stream a decoder of these costs several times its work: buffers, turns of the event loop and a thread
// of libuv. Together they bound how long the event loop stands: some 256 kB are a millisecond.
const SMALL_INPUT_BYTES = 32 * 1024
const SMALL_OUTPUT_BYTES = 256 * 1024
/** What a decoder needs for itself (zlib: 32 kB window and tables). */
const DECODER_BYTES = 64 * 1024

export function plainSink(lease: Lease, maxBytes: number, events: SinkEvents): BodySink {
  const collector = createChunkCollector()
  return {
    write(chunk) {
      if (collector.bytes() + chunk.length > maxBytes) events.onFail(tooLarge(maxBytes))
      else if (!lease.take(chunk.length)) events.onFail(overloaded())
      else collector.add(chunk)
      return true
    },
    end: () => events.onBody(collector.take()),
    destroy: () => collector.drop(),
  }
}

/** A small body is decompressed at its end, at once; one that is larger, or comes to more, as a stream. */
export function inflatingSink(
  encoding: Encoding,
  lease: Lease,
  maxBytes: number,
  events: SinkEvents,
): BodySink {
  const input = createChunkCollector()
  let stream: BodySink | undefined
  const openStream = (bytes: Buffer): BodySink => {
    lease.give(bytes.length)
    stream = streamingSink(encoding, lease, maxBytes, events)
    if (bytes.length > 0) stream.write(bytes)
    return stream
  }
  const decodeNow = (bytes: Buffer): void => {
    let body: Buffer
    try {
      body = encoding.decodeNow(bytes, Math.min(maxBytes, SMALL_OUTPUT_BYTES))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === TOO_LARGE) openStream(bytes).end()
      else events.onFail(undecodable(encoding, error as Error))
      return
    }
    lease.give(bytes.length)
    if (lease.take(body.length)) events.onBody(body)
    else events.onFail(overloaded())
  }
  return {
    write(chunk) {
      if (stream) return stream.write(chunk)
      if (input.bytes() + chunk.length > SMALL_INPUT_BYTES) return openStream(input.take()).write(chunk)
      if (lease.take(chunk.length)) input.add(chunk)
      else events.onFail(overloaded())
      return true
    },
    end() {
      if (stream) stream.end()
      else decodeNow(input.take())
    },
    destroy() {
      input.drop()
      stream?.destroy()
    },
  }
}

/**
 * Decompresses while the bytes arrive and stops at the bound. A body that grows suspiciously is first
 * only counted, not kept; if it turns out to end within the bound, its few compressed bytes are
 * decompressed again. So a bomb costs a MiB for a moment, and an honest file of zeros still arrives.
 */
function streamingSink(encoding: Encoding, lease: Lease, maxBytes: number, events: SinkEvents): BodySink {
  const decoder = encoding.create()
  const input = createChunkCollector()
  const output = createChunkCollector()
  const perByte = encoding.keepsWindow ? 2 : 1
  let inputBytes = 0
  let outputBytes = 0
  let keepsInput = true
  let onlyCounts = false
  let over = false

  const destroy = (): void => {
    over = true
    decoder.destroy()
    input.drop()
    output.drop()
  }
  const fail = (refusal: Refusal): void => {
    destroy()
    events.onFail(refusal)
  }
  const stopKeepingOutput = (): void => {
    onlyCounts = true
    lease.give(output.bytes() * perByte)
    output.drop()
  }
  decoder.on('drain', () => over || events.onDrain())
  decoder.on('error', (error) => over || fail(undecodable(encoding, error)))
  decoder.on('data', (chunk: Buffer) => {
    if (over) return
    outputBytes += chunk.length
    if (outputBytes > maxBytes) return fail(tooLarge(maxBytes))
    if (onlyCounts) return
    if (outputBytes > SUSPICIOUS_BYTES && outputBytes > decoder.bytesWritten * SUSPICIOUS_RATIO && keepsInput)
      return stopKeepingOutput()
    if (!lease.take(chunk.length * perByte)) return fail(overloaded())
    output.add(chunk)
  })
  decoder.on('end', () => {
    if (over) return
    if (!onlyCounts) return events.onBody(output.take())
    if (!lease.take(outputBytes * perByte)) return fail(overloaded())
    encoding.decode(input.take(), maxBytes, (error, body) => {
      if (over) return
      if (error) fail(undecodable(encoding, error))
      else events.onBody(body)
    })
  })
  return {
    write(chunk) {
      inputBytes += chunk.length
      if (inputBytes === chunk.length && !lease.take(DECODER_BYTES)) fail(overloaded())
      if (over) return true
      if (keepsInput && !onlyCounts && inputBytes > MAX_KEPT_INPUT_BYTES) {
        keepsInput = false
        lease.give(input.bytes())
        input.drop()
      }
      if (keepsInput) {
        if (lease.take(chunk.length)) input.add(chunk)
        else fail(overloaded())
      }
      return over || decoder.write(chunk)
    },
    end: () => void decoder.end(),
    destroy,
  }
}

export function tooLarge(maxBytes: number): Refusal {
  return refuse(413, 'too_large', `the body is larger than ${maxBytes} bytes`)
}

function overloaded(): Refusal {
  // SDKs drop what gets a 503 and go on; the limit tells them to hold back the next ones.
  return refuse(503, 'overload', 'too much is being received at the moment', {
    retryAfterSec: 5,
    rateLimits: '5::organization:overload',
  })
}

function undecodable(encoding: Encoding, error: Error): Refusal {
  return refuse(400, 'bad_encoding', `the body is not valid ${encoding.name}`, { causes: [error.message] })
}

/** Gathers the pieces of a body without letting tiny pieces cost more than their bytes. */

/** One buffer when there was one piece, a copy of all otherwise. Empties the collector. */
type ChunkCollector = { add(chunk: Buffer): void; bytes(): number; take(): Buffer; drop(): void }

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

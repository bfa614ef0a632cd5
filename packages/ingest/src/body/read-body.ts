/** One request's body as one buffer: bounded in size, in memory, in time. */
import type { IncomingMessage } from 'node:http'
import { type Clock, steadyMs } from '@sonde/base'
import type { IngestLimits } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { type BodySink, inflatingSink, plainSink, type SinkEvents, tooLarge } from './body-sink.ts'
import { findEncoding } from './decoders.ts'
import type { Lease } from './memory-budget.ts'
import type { SlowClientGuard } from './slow-client-guard.ts'

/** Rejects with `Refusal` only. The lease stays taken: the caller releases it, also after a refusal. */
export type ReadBody = (req: IncomingMessage, lease: Lease) => Promise<Buffer>

export function createReadBody(limits: IngestLimits, guard: SlowClientGuard, clock: Clock): ReadBody {
  const { compressedBytes, envelopeBytes } = limits
  return (req, lease) =>
    new Promise((resolve, reject) => {
      const declared = req.headers['content-length']
      if (declared !== undefined && Number(declared) > compressedBytes) {
        reject(tooLarge(compressedBytes))
        return
      }
      let received = 0
      let over = false
      let ended = false
      const finish = (): void => {
        over = true
        guard.unwatch(guarded)
        req.off('data', onData)
        req.off('end', onEnd)
      }
      const fail = (refusal: Refusal): void => {
        if (over) return
        finish()
        sink.destroy()
        // What still comes is thrown away; a paused stream would hold its connection.
        req.resume()
        reject(refusal)
      }
      const events: SinkEvents = {
        onBody(body) {
          if (over) return
          finish()
          resolve(body)
        },
        onFail: fail,
        onDrain: () => void req.resume(),
      }
      const onData = (chunk: Buffer): void => {
        received += chunk.length
        if (received > compressedBytes) fail(tooLarge(compressedBytes))
        else if (!sink.write(chunk)) req.pause()
      }
      const onEnd = (): void => {
        ended = true
        guard.unwatch(guarded)
        sink.end()
      }
      // After the end, a stream closes as a matter of course, and its body is worth storing whoever is gone.
      const onGone = (): void => {
        if (!ended) fail(clientGone())
      }
      const guarded = {
        startedMs: steadyMs(clock),
        // While we let the sender wait, being slow is not its fault.
        receivedBytes: () => (req.isPaused() ? Infinity : received),
        giveUp: () => fail(tooSlow()),
      }
      const sink = openSink(req, lease, envelopeBytes, events)
      guard.watch(guarded)
      req.on('data', onData)
      req.on('end', onEnd)
      req.on('error', onGone)
      req.on('close', onGone)
    })
}

function openSink(req: IncomingMessage, lease: Lease, maxBytes: number, events: SinkEvents): BodySink {
  const encoding = findEncoding(req.headers['content-encoding'])
  return encoding ? inflatingSink(encoding, lease, maxBytes, events) : plainSink(lease, maxBytes, events)
}

function tooSlow(): Refusal {
  return refuse(408, 'body_too_slow', 'the body comes too slowly', { hangUp: true })
}

/** Nobody is left to read the answer; nothing was received, so nothing is counted as an item. */
function clientGone(): Refusal {
  return refuse(400, 'client_gone', 'the client closed the connection before the body was complete')
}

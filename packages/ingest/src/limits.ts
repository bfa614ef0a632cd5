/**
 * How much the endpoints accept. Sizes per item kind are in `@sonde/protocol` (`ITEM_MAX_BYTES`).
 * Upstream's numbers: https://docs.sentry.io/concepts/data-management/size-limits/
 */
import type { ServerOptions } from 'node:http'
import { ITEM_MAX_BYTES } from '@sonde/protocol'
import type { RefusalPace } from './http/refusal-pacer.ts'
import type { SpikeLimits } from './validate/spike-limits.ts'

const KIB = 1024
const MIB = 1024 * KIB

export type Quota = {
  /** 0 refuses everything; for no limit, leave the quota out. */
  readonly count: number
  readonly windowSec: number
}

export type IngestLimits = RefusalPace & {
  /** A body as it travels. */
  readonly compressedBytes: number
  /** A body once decompressed: the envelope. */
  readonly envelopeBytes: number
  readonly itemsPerEnvelope: number
  /** One attachment; never more than `ITEM_MAX_BYTES.attachment`. 0 takes empty ones alone. */
  readonly attachmentBytes: number
  /** Bodies held in memory at once, of all requests, until they are in the log. */
  readonly inFlightBytes: number
  /** The largest share of `inFlightBytes` that one project may hold: other projects keep working. */
  readonly keyShare: number
  /** A body that is not complete after `slowAfterMs` must have come at least this fast. */
  readonly minBodyBytesPerSec: number
  readonly slowAfterMs: number
  /** However fast it comes, a body that takes longer is given up. */
  readonly maxBodyMs: number
  /** How long, and how many bytes more, of a refused body are read and thrown away, so that its sender sees why. */
  readonly lingerMs: number
  readonly lingerBytes: number
  /** Of every project that has no limit of its own. */
  readonly spikes: SpikeLimits
  readonly relayTimeoutMs: number
  /** Tunnelled requests that wait for another region's answer. */
  readonly relaysAtOnce: number
}

export const DEFAULT_LIMITS: IngestLimits = {
  // Most SDKs do not compress: as much as the envelope itself may have.
  compressedBytes: 24 * MIB,
  // Upstream takes 200 MiB. Room for the largest attachment (20 MiB) and an event beside it; must stay
  // below what the log lets wait (32 MiB), else such a record could never be written.
  envelopeBytes: 24 * MIB,
  // Upstream's most for one kind is 100. An item costs about 1 kB once parsed.
  itemsPerEnvelope: 1_000,
  attachmentBytes: ITEM_MAX_BYTES.attachment,
  // Four envelopes of the largest size at once, or 15,000 of the usual 6 kB: more than the log lets wait.
  inFlightBytes: 96 * MIB,
  // Half: one project can fill this, and every other one still gets through.
  keyShare: 0.5,
  // A phone on GPRS sends 4 kB/s. Slower than 500 B/s is a stalled client or an attack.
  minBodyBytesPerSec: 500,
  slowAfterMs: 5_000,
  // 20 MB over a 1 Mbit/s uplink take 170 s; nobody waits for telemetry longer than this.
  maxBodyMs: 180_000,
  // Clients that read while they send see the answer at once; the others send the rest within moments or never.
  lingerMs: 5_000,
  lingerBytes: 64 * MIB,
  // A browser learns it once and holds back for as long as it is told; who sends on has a loop, or means it.
  refusalsPerSec: 50,
  refusalWaitMs: 1_000,
  refusalsWaiting: 1_000,
  // The composition root has them from the settings.
  spikes: {},
  // SDKs give up on their own after 5 to 30 s.
  relayTimeoutMs: 10_000,
  relaysAtOnce: 256,
}

/** What `http.createServer` needs besides our endpoints: a client that sends its headers slowly is cut off. */
export const HTTP_SERVER_OPTIONS: ServerOptions = {
  headersTimeout: 15_000,
  // Bodies have their own, stricter rules (`IngestLimits`); this one also covers uploads of other endpoints.
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
  // Longer than proxies keep an idle connection (60 s): else one of their requests meets a closed socket.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 32 * 1024,
}

/**
 * The HTTP doors: everything that SDKs and pages send, admitted and made durable. Runs on bare
 * node:http, since a framework would cost more than all of the rest.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock, Logger, Metrics } from '@sonde/base'
import type { LogWriter } from '@sonde/log'
import { OTLP_JSON } from '@sonde/protocol'
import { createReadRequestAuth } from './admit/authenticate.ts'
import { createKeyLookup, type KeyDirectory } from './admit/key-directory.ts'
import { NOBODY, startOutcomeTally } from './admit/outcome-tally.ts'
import { createRateLimiter } from './admit/rate-limiter.ts'
import { createMemoryBudget } from './body/memory-budget.ts'
import { startPace } from './body/pace.ts'
import { createReadBody } from './body/read-body.ts'
import { countRefusal } from './count-refusal.ts'
import { attachmentsDoor } from './doors/attachments-door.ts'
import { envelopeDoor } from './doors/envelope-door.ts'
import { createRegionRelay } from './doors/region-relay.ts'
import { otlpDoor } from './doors/otlp-door.ts'
import { otlpContentType, otlpStatus } from './doors/otlp/otlp-answer.ts'
import { securityDoor } from './doors/security-door.ts'
import { storeDoor } from './doors/store-door.ts'
import { createTunnelDoor } from './doors/tunnel-door.ts'
import { unsupportedDoor } from './doors/unsupported-door.ts'
import type { DiskSpace, DoorHandler, DoorTools, Visit } from './doors/visit.ts'
import { type RefusalBody, sendAnswer, sendRefusal } from './http/answer.ts'
import { createProxyTrust, type TrustProxy } from './http/client-address.ts'
import { preflightHeaders } from './http/cors.ts'
import { allowedMethods, type Door, matchDoor } from './http/door-path.ts'
import { createRequestMetrics } from './http/request-metrics.ts'
import { DEFAULT_LIMITS, type IngestLimits } from './limits.ts'
import { Refusal, refuse, type RefusalDetails } from './refusal.ts'

export type IngestOptions = {
  readonly log: LogWriter
  readonly keys: KeyDirectory
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly limits?: Partial<IngestLimits>
  /** `SONDE_REGION`: what `r` may say besides nothing. */
  readonly region?: string
  /** `SONDE_REGIONS`: other region → base URL of its ingest. */
  readonly regions?: Readonly<Record<string, string>>
  /** Whose X-Forwarded-For is believed; default: nobody's. */
  readonly trustProxy?: TrustProxy
  /** How much of the disk is free, from memory: asked once per request. Default: enough. */
  readonly diskSpace?: () => DiskSpace
}

export type Ingest = {
  /** False: not an ingest path, nothing was done. True: this request is or will be answered. Never throws. */
  handle(req: IncomingMessage, res: ServerResponse): boolean
  /** Writes the outcomes counted so far into the log. */
  flushOutcomes(): Promise<void>
  /** Call when no more requests come in and before the log is closed. */
  stop(): Promise<void>
}

/** Throws `ConfigError` for a bad region URL or proxy address. */
export function createIngest(options: IngestOptions): Ingest {
  const { log, keys, clock, logger, metrics } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const { clientAddress } = createProxyTrust(options.trustProxy ?? 0)
  const relay = createRegionRelay(options.regions ?? {}, limits)
  const pace = startPace(limits, clock)
  const tally = startOutcomeTally(log, clock, logger)
  const budget = createMemoryBudget(limits.inFlightBytes, limits.keyShare)
  const tools: DoorTools = {
    log,
    limits,
    clock,
    budget,
    tally,
    diskSpace: options.diskSpace ?? (() => 'enough'),
    limiter: createRateLimiter(limits.spikes, clock),
    readRequestAuth: createReadRequestAuth(),
    lookUpKey: createKeyLookup(keys, clock, logger),
    readBody: createReadBody(limits, pace, clock),
    clientAddress,
  }
  const doors: { readonly [kind in Door['kind']]: DoorHandler } = {
    envelope: envelopeDoor,
    store: storeDoor,
    security: securityDoor,
    attachments: attachmentsDoor,
    otlp: otlpDoor,
    tunnel: createTunnelDoor({ own: options.region, relay }),
    unsupported: unsupportedDoor,
  }
  const requestMetrics = createRequestMetrics(metrics, budget)

  const serve = async (req: IncomingMessage, res: ServerResponse, door: Door): Promise<void> => {
    const visit: Visit = { req, door, owner: NOBODY, lease: undefined }
    try {
      checkMethod(req, door)
      const answer = await doors[door.kind](tools, visit)
      requestMetrics.count(door.kind, answer.status, '')
      sendAnswer(res, answer)
    } catch (error) {
      if (error instanceof Refusal) {
        countRefusal(tally, visit.owner, error.details)
        requestMetrics.count(door.kind, error.details.status, error.details.reason)
        sendRefusal(req, res, error.details, limits, refusalBody(req, door))
      } else {
        logger.error({ err: error, door: door.kind }, 'a request failed for no fault of its own')
        requestMetrics.count(door.kind, 500, 'internal')
        countRefusal(tally, visit.owner, INTERNAL_ERROR)
        sendRefusal(req, res, INTERNAL_ERROR, limits, refusalBody(req, door))
      }
    } finally {
      visit.lease?.release()
    }
  }

  return {
    handle(req, res) {
      const door = matchDoor(req.url ?? '')
      if (!door) return false
      if (req.method === 'OPTIONS') {
        const asked = req.headers['access-control-request-headers']
        res.writeHead(204, preflightHeaders(allowedMethods(door), asked))
        res.end()
      } else void serve(req, res, door)
      return true
    },
    flushOutcomes: () => tally.flush(),
    async stop() {
      pace.stop()
      relay.stop()
      await tally.stop()
    },
  }
}

const INTERNAL_ERROR: RefusalDetails = { status: 500, reason: 'internal', detail: 'internal error' }

/** Undefined: as the SDKs read it. */
function refusalBody(req: IncomingMessage, door: Door): RefusalBody | undefined {
  if (door.kind !== 'otlp') return undefined
  return ({ detail }) => otlpStatus(otlpContentType(req.headers['content-type']) ?? OTLP_JSON, detail)
}

function checkMethod(req: IncomingMessage, door: Door): void {
  if (req.method === 'POST' || door.kind === 'unsupported') return
  const allow = `${allowedMethods(door)}, OPTIONS`
  throw refuse(405, 'bad_method', `use ${allowedMethods(door)}`, { allow, isCounted: true })
}

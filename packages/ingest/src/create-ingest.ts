/**
 * The ingest endpoints: everything that SDKs and pages send is validated and made durable. Runs on bare
 * node:http, since a framework would cost more than all of the rest.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Bus, Clock, Logger, Metrics } from '@sonde/base'
import type { LogWriter } from '@sonde/log'
import { OTLP_JSON, OUTCOME_REASONS, type OutcomeReason, type ReasonedOutcome } from '@sonde/protocol'
import type { KeySource } from '@sonde/stores/keys'
import { createMemoryBudget, type MemoryBudget } from './body/memory-budget.ts'
import { createReadBody } from './body/read-body.ts'
import { startSlowClientGuard } from './body/slow-client-guard.ts'
import { attachmentsEndpoint } from './endpoints/attachments.ts'
import { checkInEndpoint } from './endpoints/check-in.ts'
import { envelopeEndpoint } from './endpoints/envelope.ts'
import { createErrorPageEndpoint } from './endpoints/error-page.ts'
import { minidumpEndpoint } from './endpoints/minidump.ts'
import { otlpContentType, otlpEndpoint, otlpStatus } from './endpoints/otlp.ts'
import { createRegionRelay } from './endpoints/region-relay.ts'
import { securityEndpoint } from './endpoints/security.ts'
import { storeEndpoint } from './endpoints/store.ts'
import { createTunnelEndpoint } from './endpoints/tunnel.ts'
import { unrealEndpoint } from './endpoints/unreal.ts'
import { unsupportedEndpoint } from './endpoints/unsupported.ts'
import { userFeedbackEndpoint } from './endpoints/user-report.ts'
import { preflightHeaders, type RefusalBody, sendAnswer, sendRefusal } from './http/answer.ts'
import { createProxyTrust, type TrustProxy } from './http/client-address.ts'
import { allowedMethods, type Endpoint, matchEndpoint } from './http/endpoint-path.ts'
import { createRefusalPacer } from './http/refusal-pacer.ts'
import { DEFAULT_LIMITS, type IngestLimits } from './limits.ts'
import { Refusal, type RefusalDetails, type RefusalReason, refuse } from './refusal.ts'
import type { DiskSpace, EndpointHandler, EndpointTools, RequestContext } from './request-context.ts'
import { createSenderClock } from './sender-clock.ts'
import { createReadRequestAuth } from './validate/authenticate.ts'
import { startKeyDirectory } from './validate/key-directory.ts'
import {
  NOBODY,
  type OutcomeCounter,
  type OutcomeOwner,
  startOutcomeCounter,
} from './validate/outcome-counter.ts'
import { createQuotaWindows } from './validate/quota-windows.ts'
import { createRateLimiter } from './validate/rate-limiter.ts'
import { shareWindows } from './validate/share-windows.ts'

export type IngestOptions = {
  readonly log: LogWriter
  readonly keys: KeySource
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
  /** How much of the disk is free, from memory, read once per request. Default: enough. */
  readonly diskSpace?: () => DiskSpace
  /** Where other ingest processes are: limits hold for all of them together. */
  readonly bus?: Bus
  /** Code of the crash-report modal; undefined where nothing was built. */
  readonly reportDialog?: string | undefined
}

export type Ingest = {
  /** False: not an ingest path, nothing was done. True: this request is or will be answered. Never throws. */
  handle(req: IncomingMessage, res: ServerResponse): boolean
  /** Which project the key of these headers is of; undefined: there is none, or nobody knows it. Never throws. */
  projectOf(headers: IncomingHttpHeaders): Promise<number | undefined>
  /** False until the keys were read once: a request would be refused for a key that nobody could look up. */
  knowsKeys(): boolean
  /** How far the clock of this machine is ahead of those of senders; undefined: too few of them told. */
  clockAheadMs(): number | undefined
  /** Writes the outcomes counted so far into the log. */
  flushOutcomes(): Promise<void>
  /** Call when no more requests come in and before the log is closed. */
  stop(): Promise<void>
}

/** Throws `ConfigError` for a bad region URL or proxy address. */
export function createIngest(options: IngestOptions): Ingest {
  const { log, clock, logger, metrics } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const { clientAddress } = createProxyTrust(options.trustProxy ?? 0)
  const relay = createRegionRelay(options.regions ?? {}, limits)
  const slowClients = startSlowClientGuard(limits, clock)
  const outcomes = startOutcomeCounter(log, clock, logger)
  const keys = startKeyDirectory(options.keys, clock, logger)
  const budget = createMemoryBudget(limits.inFlightBytes, limits.keyShare)
  const windows = createQuotaWindows()
  const shared = options.bus && shareWindows({ windows, bus: options.bus, clock, logger, metrics })
  const senderClock = createSenderClock(clock)
  metrics.observed(
    'sonde_ingest_clock_ahead_seconds',
    'How far the clock of this machine is ahead of those of senders: the median of the last hundred envelopes',
    () => (senderClock.aheadMs() ?? Number.NaN) / 1_000,
  )
  const tools: EndpointTools = {
    log,
    limits,
    clock,
    senderClock,
    budget,
    outcomes,
    diskSpace: options.diskSpace ?? (() => 'enough'),
    limiter: createRateLimiter(limits.spikes, clock, windows),
    readRequestAuth: createReadRequestAuth(),
    lookUpKey: keys.lookUp,
    readBody: createReadBody(limits, slowClients, clock),
    clientAddress,
  }
  const endpoints: { readonly [kind in Endpoint['kind']]: EndpointHandler } = {
    envelope: envelopeEndpoint,
    store: storeEndpoint,
    security: securityEndpoint,
    attachments: attachmentsEndpoint,
    minidump: minidumpEndpoint,
    unreal: unrealEndpoint,
    otlp: otlpEndpoint,
    cron: checkInEndpoint,
    tunnel: createTunnelEndpoint({ own: options.region, relay }),
    unsupported: unsupportedEndpoint,
    'user-feedback': userFeedbackEndpoint,
    'error-page': createErrorPageEndpoint(options.reportDialog),
  }
  const requestMetrics = createRequestMetrics(metrics, budget)
  const pacer = createRefusalPacer(limits, clock)

  const serve = async (req: IncomingMessage, res: ServerResponse, endpoint: Endpoint): Promise<void> => {
    const context: RequestContext = { req, endpoint, owner: NOBODY, lease: undefined }
    try {
      checkMethod(req, endpoint)
      const answer = await endpoints[endpoint.kind](tools, context)
      requestMetrics.count(endpoint.kind, answer.status, '')
      sendAnswer(res, answer)
    } catch (error) {
      if (error instanceof Refusal) {
        countRefusal(outcomes, context.owner, error.details)
        requestMetrics.count(endpoint.kind, error.details.status, error.details.reason)
        context.lease?.release()
        if (isNotNow(error.details)) await pacer.wait(context.owner.projectId)
        sendRefusal(req, res, error.details, limits, refusalBody(req, endpoint))
      } else {
        logger.error({ err: error, endpoint: endpoint.kind }, 'a request failed for no fault of its own')
        requestMetrics.count(endpoint.kind, 500, 'internal')
        countRefusal(outcomes, context.owner, INTERNAL_ERROR)
        sendRefusal(req, res, INTERNAL_ERROR, limits, refusalBody(req, endpoint))
      }
    } finally {
      context.lease?.release()
    }
  }

  return {
    handle(req, res) {
      const endpoint = matchEndpoint(req.url ?? '')
      if (!endpoint) return false
      if (req.method === 'OPTIONS') {
        const requestedHeaders = req.headers['access-control-request-headers']
        res.writeHead(204, preflightHeaders(allowedMethods(endpoint), requestedHeaders))
        res.end()
      } else void serve(req, res, endpoint)
      return true
    },
    async projectOf(headers) {
      try {
        const auth = tools.readRequestAuth({ headers }, '')
        return auth && (await keys.lookUp(auth.publicKey)).projectId
      } catch {
        // The endpoint says what is wrong with it.
        return undefined
      }
    },
    knowsKeys: keys.wereRead,
    clockAheadMs: senderClock.aheadMs,
    flushOutcomes: () => outcomes.flush(),
    async stop() {
      slowClients.stop()
      pacer.stop()
      relay.stop()
      shared?.stop()
      await outcomes.stop()
    },
  }
}

const INTERNAL_ERROR: RefusalDetails = { status: 500, reason: 'internal', detail: 'internal error' }

const isNotNow = ({ status }: RefusalDetails): boolean => status === 429 || status === 503

/** Undefined: as the SDKs read it. */
function refusalBody(req: IncomingMessage, endpoint: Endpoint): RefusalBody | undefined {
  if (endpoint.kind !== 'otlp') return undefined
  return ({ detail }) => otlpStatus(otlpContentType(req.headers['content-type']) ?? OTLP_JSON, detail)
}

function checkMethod(req: IncomingMessage, endpoint: Endpoint): void {
  if (req.method === 'POST' || endpoint.kind === 'unsupported') return
  if (req.method === 'GET' && endpoint.kind === 'error-page') return
  if (req.method === 'GET' && endpoint.kind === 'cron') return
  const allow = `${allowedMethods(endpoint)}, OPTIONS`
  throw refuse(405, 'bad_method', `use ${allowedMethods(endpoint)}`, { allow, isCounted: true })
}

/** A request refused before its items are known still ends in an outcome: one of category `default`. */
function countRefusal(outcomes: OutcomeCounter, owner: OutcomeOwner, details: RefusalDetails): void {
  const { reason, isCounted } = details
  if (isCounted) return
  for (const outcome of ['filtered', 'invalid', 'rate_limited', 'failed'] as const)
    if (isReasonOf(outcome, reason)) outcomes.add(owner, 'default', outcome, reason, 1)
}

function isReasonOf<O extends ReasonedOutcome>(
  outcome: O,
  reason: RefusalReason,
): reason is RefusalReason & OutcomeReason<O> {
  return Object.hasOwn(OUTCOME_REASONS[outcome], reason)
}

type Child = { inc(): void }
type RequestMetrics = { count(endpoint: string, status: number, reason: string): void }

/** `reason` is empty for what was accepted. All label values come from small fixed sets. */
function createRequestMetrics(metrics: Metrics, budget: MemoryBudget): RequestMetrics {
  const requests = metrics.counter('sonde_ingest_requests_total', 'Requests at the ingest endpoints.', [
    'endpoint',
    'status',
    'reason',
  ])
  const inFlight = metrics.gauge('sonde_ingest_in_flight_bytes', 'Request bodies held in memory.')
  // prom-client calls `collect` when somebody reads the metrics: nothing to pay per request.
  Object.assign(inFlight, { collect: () => inFlight.set(budget.usedBytes()) })
  // prom-client hashes labels at each call; a child remembers its hash.
  const accepted = new Map<string, Child>()
  const others = new Map<string, Child>()
  return {
    count(endpoint, status, reason) {
      const isAccepted = status === 200 && reason === ''
      // Joining the labels costs more than all the rest; nearly every request is accepted.
      const children = isAccepted ? accepted : others
      const id = isAccepted ? endpoint : `${endpoint} ${status} ${reason}`
      let child = children.get(id)
      if (!child) {
        child = requests.labels({ endpoint, status: String(status), reason })
        children.set(id, child)
      }
      child.inc()
    },
  }
}

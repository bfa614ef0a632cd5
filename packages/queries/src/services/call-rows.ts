/** What the service map is made of: requests to and from services, and what services ask of stores and queues. */
import type { Grant } from '@sonde/access'
import { boundedQuery } from '../explore/bounded-query.ts'
import { FAILED } from '../explore/span-measures.ts'
import {
  type Conditions,
  performanceConditions,
  type PerformanceFilter,
  WEIGHT,
} from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'

/** A service: its name in OpenTelemetry, or else its project. */
export type ServiceKey = { readonly projectId: number; readonly service: string }

/** A root of a service, or a request that left one. */
export type CallRow = ServiceKey & {
  readonly trace: string
  readonly id: string
  readonly parent: string
  readonly root: number
  /** 1: it was taken from a queue. */
  readonly taken: number
  readonly platform: string
  /** Of a request that left: the host. Of what was taken from a queue: the queue. */
  readonly target: string
  readonly durationMs: number
  readonly failed: number
  /** How many it stands for. */
  readonly weight: number
}

export type StoreKind = 'database' | 'cache' | 'queue'
/** All spans of one service to one store or queue. */
export type StoreRow = ServiceKey & {
  readonly kind: StoreKind
  readonly system: string
  readonly target: string
  readonly count: number
  readonly failed: number
  readonly p95Ms: number
}
export type CallRows = {
  readonly calls: readonly CallRow[]
  readonly stores: readonly StoreRow[]
  /** One of so many traces was read: 1 is all of them. */
  readonly oneIn: number
  /** Not all rows of these traces fit. */
  readonly isCut: boolean
}

// Some 15 MB of rows; more do not change a percentile that anybody sees.
const MAX_CALLS = 50_000
const MAX_STORE_SPANS = 5_000_000
const MAX_STORES = 500

const text = (...names: readonly string[]): string =>
  `coalesce(${names.map((name) => `nullIf(strings['${name}'], '')`).join(', ')}, '')`

const SERVICE = "strings['service.name']"
const QUEUE = text('messaging.destination.name', 'messaging.destination')
const HOST = `coalesce(nullIf(${text('server.address', 'net.peer.name', 'http.host')}, ''),
  nullIf(domain(${text('url.full', 'http.url', 'url')}), ''), domain(extract(name, 'https?://[^ ]+')))`
const IS_EXIT = `(startsWith(op, 'http.client') OR op IN ('rpc.client', 'grpc.client', 'rpc', 'client'))`
const IS_TAKEN = `op IN ('queue.process', 'queue.receive', 'queue.task', 'consumer')`
const IS_CALL = `(is_segment = 1 OR ${IS_EXIT} OR ${IS_TAKEN})`
const IS_CACHE = `(startsWith(op, 'cache') OR startsWith(op, 'db.redis')
  OR ${text('db.system.name', 'db.system')} IN ('redis', 'memcached', 'valkey'))`
const IS_QUEUE = `op IN ('queue.publish', 'queue.create', 'queue.submit', 'producer')`
const IS_STORE = `(op = 'db' OR startsWith(op, 'db.') OR startsWith(op, 'cache') OR ${IS_QUEUE})`
const SAMPLED = 'cityHash64(trace_id) % {oneIn:UInt32} = 0'

/** Narrowed by project and time, the first and last of the key; ops are its third. Throws `ExploreError`. */
export async function callRows(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: PerformanceFilter,
): Promise<CallRows> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return { calls: [], stores: [], oneIn: 1, isCut: false }
  const [amount] = await boundedQuery<{ readonly calls: number; readonly stores: number }>(
    deps,
    `SELECT countIf(${IS_CALL}) AS calls, countIf(${IS_STORE}) AS stores FROM spans WHERE ${where.sql}`,
    where.params,
  )
  const { calls = 0, stores = 0 } = amount ?? {}
  const oneIn = Math.max(1, Math.ceil(calls / MAX_CALLS), Math.ceil(stores / MAX_STORE_SPANS))
  const sampled = { sql: `${where.sql} AND ${SAMPLED}`, params: { ...where.params, oneIn } }
  const [callList, storeList] = await Promise.all([readCalls(deps, sampled), readStores(deps, sampled)])
  // Traces differ in size, so some more than the limit may come; a single giant one is cut.
  const most = 2 * MAX_CALLS
  return { calls: callList.slice(0, most), stores: storeList, oneIn, isCut: callList.length > most }
}

const readCalls = (deps: Pick<QueryDeps, 'telemetry'>, { sql, params }: Conditions) =>
  boundedQuery<CallRow>(
    deps,
    `SELECT project_id AS projectId, ${SERVICE} AS service, toString(trace_id) AS trace,
       toString(span_id) AS id, parent_span_id AS parent, is_segment AS root, platform,
       ${IS_TAKEN} AS taken,
       multiIf(${IS_TAKEN}, ${QUEUE}, is_segment = 1, '', ${HOST}) AS target,
       duration_ms AS durationMs, ${FAILED} AS failed, 1 / sample_rate AS weight
     FROM spans WHERE ${sql} AND ${IS_CALL} LIMIT ${2 * MAX_CALLS + 1}`,
    params,
  )

const readStores = (deps: Pick<QueryDeps, 'telemetry'>, { sql, params }: Conditions) =>
  boundedQuery<StoreRow>(
    deps,
    `SELECT project_id AS projectId, ${SERVICE} AS service,
       multiIf(${IS_QUEUE}, 'queue', ${IS_CACHE}, 'cache', 'database') AS kind,
       if(${IS_QUEUE}, ${text('messaging.system')}, ${text('db.system.name', 'db.system')}) AS system,
       if(${IS_QUEUE}, ${QUEUE}, ${text('db.namespace', 'db.name')}) AS target,
       sum(1 / sample_rate) AS count, sumIf(1 / sample_rate, ${FAILED}) AS failed,
       quantileBFloat16Weighted(0.95)(duration_ms, ${WEIGHT}) AS p95Ms
     FROM spans WHERE ${sql} AND ${IS_STORE}
     GROUP BY projectId, service, kind, system, target ORDER BY count DESC LIMIT ${MAX_STORES}`,
    params,
  )

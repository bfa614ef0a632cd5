/** `node measure.ts <table> <rows>`: fills one table, asks what its screens ask, and prints JSON. */
import type { Grant } from '@sonde/access'
import {
  cronMonitors,
  cronRuns,
  listReplays,
  type LogsInput,
  listLogs,
  logPatterns,
  logSeries,
  profiledTransactions,
  releaseHealth,
  releasesHealth,
  slowFunctions,
} from '@sonde/queries'
import { LOG_STAGES } from '../../packages/pipeline/src/logs/log-stages.ts'
import { CHECK_IN_STAGES } from '../../packages/pipeline/src/monitors/check-in-stages.ts'
import { RECORDING_STAGES } from '../../packages/pipeline/src/replays/replay-stages.ts'
import { SESSION_STAGES } from '../../packages/pipeline/src/sessions/session-stages.ts'
import { RECEIVED, spanInput } from '../../packages/pipeline/test/spans/span-input-of.ts'
import { NOW_MS, openHarness } from '../../packages/queries/test/harness.ts'
import { median } from '../report/figure.ts'
import { fillRuns } from './monitor-runs.ts'
import { FIRST_PAGE, KINDS, RELEASES } from './rows.ts'

export type Question = { readonly name: string; readonly processorMs: number; readonly clockMs: number }
export type KindMeasured = {
  readonly kind: string
  readonly rows: number
  readonly bytesPerRow: number
  /** Undefined: its rows are made of another kind's items. */
  readonly itemsPerSecond: number | undefined
  readonly questions: readonly Question[]
}

const DAY_MS = 86_400_000
const AN_INSERT = 100_000
const ROUNDS = 7
const PROCESSED_ITEMS = 3_000

const [kindName, rowsText] = process.argv.slice(2)
const kind = KINDS.find(({ table }) => table === kindName)
if (!kind) throw new Error(`no kind is called ${kindName}`)
const rows = Number(rowsText)
const harness = await openHarness()
const { telemetry, deps } = harness
const org = await harness.org('acme')
const shop = await harness.project(org, 'shop')
const alerts = shop as unknown as Grant<'alert:read', 'project'>

const columns = kind.columns(rows, Math.floor(NOW_MS / 1000))
for (let first = 0; first < rows; first += AN_INSERT)
  await telemetry.command(
    `INSERT INTO ${kind.table} (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')}
     FROM numbers(${first}, ${Math.min(AN_INSERT, rows - first)}) 
     SETTINGS max_execution_time = 0, max_insert_threads = 1, max_insert_block_size = 50000, min_insert_block_size_rows = 50000`,
  )
await telemetry.command(`OPTIMIZE TABLE ${kind.table} FINAL SETTINGS max_execution_time = 0`)
const [size] = await telemetry.query<{ bytes: number; rows: number }>(
  `SELECT toFloat64(sum(bytes_on_disk)) AS bytes, toFloat64(sum(rows)) AS rows FROM system.parts
   WHERE active AND database = currentDatabase() AND table = {table:String}`,
  { table: kind.table },
)

const day = { fromMs: NOW_MS - DAY_MS, toMs: NOW_MS }
const week = { fromMs: NOW_MS - 7 * DAY_MS, toMs: NOW_MS }
const lines =
  (query: string, more: object = {}) =>
  () =>
    listLogs(deps, shop, { ...week, query, limit: 50, ...more })
const series = (query: string) => () => logSeries(deps, shop, { ...week, query } satisfies LogsInput)
const QUESTIONS: Readonly<Record<string, Readonly<Record<string, () => Promise<unknown>>>>> = {
  logs: {
    [FIRST_PAGE]: lines(''),
    'errors of one release': lines('severity:error release:shop@1.7.0'),
    'a word that half the pages have': lines('refused'),
    'a word of one line in a million': lines('zephyrqueue'),
    'an attribute': lines('server.address:web-3'),
    'lines over time by severity': series(''),
    'lines over time with a word': series('refused'),
    'patterns of the newest lines': () => logPatterns(deps, shop, week),
  },
  sessions: {
    'release health of twenty releases, 14 days': () =>
      releasesHealth(deps, shop, { fromMs: NOW_MS - 14 * DAY_MS, toMs: NOW_MS, releases: RELEASES }),
    'one release with its environments and days': () =>
      releaseHealth(deps, shop, {
        fromMs: NOW_MS - 14 * DAY_MS,
        toMs: NOW_MS,
        release: 'shop@1.7.0',
        before: 'shop@1.6.0',
      }),
  },
  profile_functions: {
    'slowest functions of 7 days': () => slowFunctions(deps, shop, week),
    'slowest functions of one transaction': () =>
      slowFunctions(deps, shop, { ...week, transaction: '/cart' }),
    'profiled transactions': () => profiledTransactions(deps, shop, week),
  },
  replays: {
    'newest replays of a day': () => listReplays(deps, shop, { ...day, limit: 50 }),
    'newest replays of 7 days': () => listReplays(deps, shop, { ...week, limit: 50 }),
    'replays of 7 days with errors, by their number': () =>
      listReplays(deps, shop, { ...week, query: 'errors:>0', sort: 'errors', limit: 50 }),
  },
  check_ins: {
    'monitors with their last day': () => cronMonitors(deps, alerts),
    'runs of one monitor': () => cronRuns(deps, alerts, { monitorId: 1, limit: 100 }),
  },
}

if (kind.table === 'check_ins') await fillRuns(deps.records, shop.projectId, rows)
const questions: Question[] = []
for (const [name, ask] of Object.entries(QUESTIONS[kind.table] ?? {})) {
  await ask()
  const times: { processorMs: number; clockMs: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [before, beganMs] = [process.cpuUsage(), performance.now()]
    await ask()
    const { user, system } = process.cpuUsage(before)
    times.push({ processorMs: (user + system) / 1_000, clockMs: performance.now() - beganMs })
  }
  questions.push({
    name,
    processorMs: median(times.map(({ processorMs }) => processorMs)),
    clockMs: median(times.map(({ clockMs }) => clockMs)),
  })
}
await harness.close()
const measured: KindMeasured = {
  kind: kind.table,
  rows: size?.rows ?? 0,
  bytesPerRow: (size?.bytes ?? 0) / (size?.rows ?? 1),
  itemsPerSecond: rate(kind.table),
  questions,
}
console.log(JSON.stringify(measured))

/** Rows that one thread makes of items in a second of its own processor time. */
function rate(table: string): number | undefined {
  const item = {
    logs: hundredLines,
    sessions: oneSession,
    check_ins: oneCheckIn,
    replays: oneSegment,
  }[table]
  if (!item) return undefined
  const inputs = Array.from({ length: PROCESSED_ITEMS }, (_, at) => item(at))
  const times = new Map()
  let made = 0
  const before = process.threadCpuUsage()
  for (const { input, rows: held, run } of inputs) {
    run(input, times)
    made += held
  }
  const { user, system } = process.threadCpuUsage(before)
  return (made / (user + system)) * 1e6
}

function hundredLines(seed: number) {
  const items = Array.from({ length: 100 }, (_, at) => ({
    timestamp: RECEIVED - at / 10,
    trace_id: (seed * 100 + at).toString(16).padStart(32, '0'),
    level: at % 10 === 0 ? 'error' : 'info',
    body: `order ${seed * 100 + at} of ${at} EUR placed`,
    attributes: {
      'sentry.release': { type: 'string', value: 'shop@1.7.0' },
      'sentry.environment': { type: 'string', value: 'production' },
      'server.address': { type: 'string', value: `web-${at % 12}` },
      'process.pid': { type: 'integer', value: 4_711 },
    },
  }))
  const header = { type: 'log', content_type: 'application/vnd.sentry.items.log+json' }
  return { input: spanInput({ header, payload: { items } }), rows: 100, run: LOG_STAGES.run }
}

function oneSession(seed: number) {
  const payload = {
    sid: seed.toString(16).padStart(32, '0'),
    init: true,
    started: new Date(RECEIVED * 1000 - 5_000).toISOString(),
    timestamp: new Date(RECEIVED * 1000).toISOString(),
    status: 'ok',
    errors: 0,
    attrs: { release: 'shop@1.7.0', environment: 'production' },
  }
  return { input: spanInput({ header: { type: 'session' }, payload }), rows: 1, run: SESSION_STAGES.run }
}

function oneCheckIn(seed: number) {
  const payload = {
    check_in_id: seed.toString(16).padStart(32, '0'),
    monitor_slug: `job-${seed % 200}`,
    status: seed % 2 === 0 ? 'in_progress' : 'ok',
    duration: seed % 2 === 0 ? undefined : 12.5,
    environment: 'production',
    release: 'shop@1.7.0',
    monitor_config: { schedule: { type: 'crontab', value: '*/5 * * * *' }, timezone: 'Europe/Berlin' },
  }
  return { input: spanInput({ header: { type: 'check_in' }, payload }), rows: 1, run: CHECK_IN_STAGES.run }
}

/** Five seconds of a visit: fifty changes of the page and as many moves of the mouse. */
function oneSegment(seed: number) {
  const events = Array.from({ length: 100 }, (_, at) => ({
    type: 3,
    timestamp: RECEIVED * 1000 - 5_000 + at * 50,
    data:
      at % 2 === 0
        ? {
            source: 0,
            texts: [{ id: at, value: `row ${seed} ${at}` }],
            attributes: [],
            removes: [],
            adds: [],
          }
        : { source: 1, positions: [{ x: at, y: at, id: 4, timeOffset: 0 }] },
  }))
  const input = spanInput({ header: { type: 'replay_recording' }, payload: '' })
  const payload = Buffer.from(`{"segment_id":${seed % 10}}\n${JSON.stringify(events)}`)
  const eventId = Math.floor(seed / 10)
    .toString(16)
    .padStart(32, '0')
  return { input: { ...input, payload, eventId }, rows: 1, run: RECORDING_STAGES.run }
}

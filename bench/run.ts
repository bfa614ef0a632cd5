/**
 * `npm run bench [part …] [--json]`: measures and prints one table. README.md says how each figure is made.
 * `--reporter` measures what the reporter costs a page.
 * `--idle [--minutes 10]` measures what a Sonde costs to which nothing comes.
 * `--distributed [--rounds 5] [--partitions 8]` measures what an event costs with the engines on servers, against embedded ones.
 * `--against DIST [--rounds 5]` measures start and idle memory against another build.
 * `--profile [--against DIST]` says what an event costs by thread and by function, against another build.
 * `--peers [--rounds 3]` measures rivals beside it, and prints the table of README.md.
 * `--scale` simulates days of traffic with the measured times.
 * `--noise [--door] [--events 1000000] [--users 50000]` measures what copies of one error cost, at the commit or from the door on.
 * `--maps` measures what source maps cost the pipeline.
 * `--uploads` measures the upload of a build of 20,000 files.
 * `--kinds [--rows 10M] [--only TEXT]` measures rows and screens of logs, sessions, profiles, check-ins and replays.
 * `--grouping` measures what 1,000 fingerprint rules cost an event.
 * `--alerts [--rules 10000]` measures what alert rules and a storm of new issues cost.
 * `--reprocessing [--events 100000]` measures how fast stored events are read again with a late source map.
 * `--pages [--issues N] [--events M] [--data DIR]` measures what a person waits for in the browser.
 * `--trace` measures the screen of a trace with 10,000 and 100,000 spans.
 * `--spans [--rows 10M] [--data DIR] [--only TEXT] [--requests R]` measures the screens of performance as they grow.
 * `--screens [--issues N] [--events M] [--data DIR] [--only TEXT] [--requests R]` measures the screens instead.
 */
import { parseArgs } from 'node:util'
import { accept } from './accept.ts'
import { alerts } from './alerts.ts'
import { distributed } from './distributed.ts'
import { grouping } from './grouping.ts'
import { idle } from './idle.ts'
import { kills } from './kills.ts'
import { kinds } from './kinds.ts'
import { maps } from './maps.ts'
import { noise, noiseAtDoor } from './noise.ts'
import { pages } from './pages.ts'
import { peers } from './peers.ts'
import { persist } from './persist.ts'
import { profile } from './profile.ts'
import type { Figure } from './report/figure.ts'
import { figureTable } from './report/table.ts'
import { reporter } from './reporter.ts'
import { reprocessing } from './reprocessing.ts'
import { scale } from './scale.ts'
import { screens } from './screens.ts'
import { rowCount, spans } from './spans.ts'
import { startAgainst } from './start-against.ts'
import { starts } from './starts.ts'
import { stored } from './stored.ts'
import { trace } from './trace.ts'
import { uploads } from './uploads.ts'

type Part = (say: (text: string) => void) => Promise<Figure[]>
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    reporter: { type: 'boolean', default: false },
    idle: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
    distributed: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    peers: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    partitions: { type: 'string', default: '8' },
    against: { type: 'string' },
    alerts: { type: 'boolean', default: false },
    rules: { type: 'string', default: '10000' },
    grouping: { type: 'boolean', default: false },
    kinds: { type: 'boolean', default: false },
    noise: { type: 'boolean', default: false },
    users: { type: 'string', default: '50000' },
    door: { type: 'boolean', default: false },
    scale: { type: 'boolean', default: false },
    maps: { type: 'boolean', default: false },
    uploads: { type: 'boolean', default: false },
    reprocessing: { type: 'boolean', default: false },
    pages: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    spans: { type: 'boolean', default: false },
    rows: { type: 'string', default: '10M' },
    screens: { type: 'boolean', default: false },
    issues: { type: 'string', default: '100000' },
    events: { type: 'string' },
    requests: { type: 'string' },
    data: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const USUAL_ROUNDS = 5
const PEER_ROUNDS = 3
if (values.scale) {
  console.log(scale())
  process.exit()
}
if (values.peers) {
  console.log(await peers((text) => console.error(`peers: ${text}`), Number(values.rounds ?? PEER_ROUNDS)))
  process.exit()
}
if (values.profile) {
  console.log(await profile((text) => console.error(`profile: ${text}`), values.against))
  process.exit()
}
const SCREENS_REQUESTS = 200
const SPANS_REQUESTS = 30
const SCREENS_EVENTS = 1_000_000
const REPROCESSED_EVENTS = 100_000
const USUAL: Readonly<Record<string, Part>> = { accept, persist, stored, kills, starts }
/** Loads ten million spans first. */
const SPANS: Readonly<Record<string, Part>> = {
  spans: (say) =>
    spans(say, {
      rows: rowCount(values.rows),
      requests: Number(values.requests ?? SPANS_REQUESTS),
      dataDir: values.data,
      only: values.only,
    }),
}
/** Loads a million events first: minutes, so only when it is asked for. */
const SCREENS: Readonly<Record<string, Part>> = {
  screens: (say) =>
    screens(say, {
      issues: Number(values.issues),
      events: Number(values.events ?? SCREENS_EVENTS),
      requests: Number(values.requests ?? SCREENS_REQUESTS),
      dataDir: values.data,
      only: values.only,
    }),
}
/** Loads a million events first. */
const PAGES: Readonly<Record<string, Part>> = {
  pages: (say) =>
    pages(say, {
      issues: Number(values.issues),
      events: Number(values.events ?? SCREENS_EVENTS),
      dataDir: values.data,
    }),
}
/** Stores a hundred thousand events first. */
const REPROCESSING: Readonly<Record<string, Part>> = {
  reprocessing: (say) => reprocessing(say, Number(values.events ?? REPROCESSED_EVENTS)),
}
/** Starts PostgreSQL, NATS, ClickHouse and S3 besides. */
const DISTRIBUTED: Readonly<Record<string, Part>> = {
  distributed: (say) =>
    distributed(say, {
      rounds: Number(values.rounds ?? USUAL_ROUNDS),
      partitions: Number(values.partitions),
    }),
}
const AGAINST: Readonly<Record<string, Part>> = {
  start: (say) => startAgainst(say, values.against ?? '', Number(values.rounds ?? USUAL_ROUNDS)),
}
/** Ten minutes of waiting. */
const IDLE: Readonly<Record<string, Part>> = { idle: (say) => idle(say, Number(values.minutes)) }
/** Fills each of their tables first. */
const KINDS: Readonly<Record<string, Part>> = {
  kinds: (say) => kinds(say, rowCount(values.rows), values.only),
}
/** A million events: minutes, from the door on ten and more. */
const NOISE: Readonly<Record<string, Part>> = {
  noise: (say) => {
    const sent = { copies: Number(values.events ?? 1_000_000), users: Number(values.users) }
    return values.door ? noiseAtDoor(say, sent) : noise(say, sent)
  },
}
const ALERTS: Readonly<Record<string, Part>> = { alerts: (say) => alerts(say, Number(values.rules)) }
const PARTS: Readonly<Record<string, Part>> = values.grouping
  ? { grouping }
  : values.noise
    ? NOISE
    : values.alerts
      ? ALERTS
      : values.kinds
        ? KINDS
        : values.reporter
          ? { reporter }
          : values.idle
            ? IDLE
            : values.against !== undefined
              ? AGAINST
              : values.distributed
                ? DISTRIBUTED
                : values.maps
                  ? { maps }
                  : values.uploads
                    ? { uploads }
                    : values.pages
                      ? PAGES
                      : values.trace
                        ? { trace }
                        : values.spans
                          ? SPANS
                          : values.screens
                            ? SCREENS
                            : values.reprocessing
                              ? REPROCESSING
                              : USUAL

const unknown = wanted.filter((name) => !(name in PARTS))
if (unknown.length > 0) {
  console.error(`no part is called ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`)
  process.exit(2)
}

const figures: Figure[] = []
for (const [name, run] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const startedMs = performance.now()
  try {
    figures.push(...(await run((text) => console.error(`${name}: ${text}`))))
  } catch (error) {
    // The other parts say what they have to say all the same.
    process.exitCode = 1
    console.error(`${name}: failed:`, error)
  }
  console.error(`${name}: ${((performance.now() - startedMs) / 1000).toFixed(0)} s`)
}
console.log(values.json ? JSON.stringify(figures, null, 2) : figureTable(figures))

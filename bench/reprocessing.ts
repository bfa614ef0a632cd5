/**
 * A source map comes after the events: how many of them are read again per second, and what that leaves of ingest. Three
 * windows of full load in one run: before, while it reprocesses, and after.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createProject } from '../tests/harness/api-client.ts'
import { sondeJson } from '../tests/harness/start-sonde.ts'
import { storeAll } from '../tests/harness/store-all.ts'
import { countedEvents, countedIssues } from '../tests/harness/stored-events.ts'
import { injectDebugIds, uploadBuild } from '../tests/harness/upload-build.ts'
import { type Generator, startGenerator } from './load/start-generator.ts'
import { idPrefix } from './load/template.ts'
import { type MeasuredSonde, startMeasuredSonde } from './measured-sonde.ts'
import { pythonLikeEnvelopes } from './payloads/python-like.ts'
import { atLeast, type Figure } from './report/figure.ts'
import { buildShop, ISSUES_AFTER, ISSUES_BEFORE, minifiedEnvelopes } from './reprocessing/minified-shop.ts'

type Say = (text: string) => void
const CONNECTIONS = 8
const WINDOW_MS = 15_000
const SETTLE_MS = 3_000
const LOOK_EVERY_MS = 200

export async function reprocessing(say: Say, events: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-reprocess-'))
  const sonde = await startMeasuredSonde()
  const generator = startGenerator()
  try {
    const dist = await buildShop(folder)
    injectDebugIds(dist)
    await generator.load('minified', minifiedEnvelopes(dist), sonde.target)
    const other = await otherProject(sonde)
    await generator.load('others', pythonLikeEnvelopes(), other.target)
    await fill(sonde, generator, events)
    say(`${events.toLocaleString('en')} events in ${ISSUES_BEFORE} issues are stored`)
    const before = await ingestPerSec(other, generator)
    say(`ingest before: ${before.toFixed(0)}/s`)

    await sleep(SETTLE_MS)
    await uploadBuild(dist, { url: sonde.running.url, project: 'acme/shop', token: buildToken(sonde) })
    await until(sonde, ({ dateStarted }) => dateStarted !== null)
    const began = await progress(sonde)
    const beganMs = performance.now()
    const during = await ingestPerSec(other, generator)
    const loaded = await progress(sonde)
    const loadedSec = (performance.now() - beganMs) / 1000
    if (loaded.dateFinished !== null) say('it was over before the window was: take more events')
    say(`ingest during: ${during.toFixed(0)}/s, ${(loaded.events.seen / events) * 100}% read again by then`)

    const aloneMs = performance.now()
    await until(sonde, ({ dateFinished }) => dateFinished !== null)
    const done = await progress(sonde)
    const aloneSec = (performance.now() - aloneMs) / 1000
    const after = await ingestPerSec(other, generator)
    say(`ingest after: ${after.toFixed(0)}/s; ${done.mergedIssues} issues merged`)
    const issues = (await countedIssues(sonde.api, sonde.project)).length
    if (issues !== ISSUES_AFTER || done.events.changed !== events || done.mergedIssues !== ISSUES_BEFORE - 1)
      throw new Error(`not everything was reprocessed: ${issues} issues, ${JSON.stringify(done)}`)
    await sonde.stop()
    const idle = (before + after) / 2
    const part = 'reprocessing'
    return [
      {
        part,
        name: `stored events read again, nothing else arrives`,
        value: (done.events.seen - loaded.events.seen) / aloneSec,
        unit: '/s',
      },
      {
        part,
        name: `stored events read again under full load`,
        value: (loaded.events.seen - began.events.seen) / loadedSec,
        unit: '/s',
      },
      {
        part,
        name: 'errors persisted while it reprocesses',
        value: during,
        unit: '/s',
        against: { name: 'before and after', value: idle },
        budget: atLeast(0.8, during / idle, '80 %'),
      },
    ]
  } finally {
    sonde.running.child.kill('SIGKILL')
    generator.stop()
    sonde.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

function buildToken({ running }: MeasuredSonde): string {
  const words = ['token', 'create', '--name', 'ci', '--org', 'acme', '--scopes', 'org:ci']
  return sondeJson<{ token: string }>(running.dataDir, words).token
}

type OtherProject = Pick<MeasuredSonde, 'target' | 'queryable'>

/** Of its own, so that its events can be counted among those that are reprocessed. */
async function otherProject({ running, api, target }: MeasuredSonde): Promise<OtherProject> {
  const project = createProject(running, 'acme/load', 'python')
  await storeAll(running, project)
  return {
    target: { ...target, path: `/api/${project.id}/envelope/`, publicKey: project.publicKey },
    queryable: () => countedEvents(api, project),
  }
}

async function fill(sonde: MeasuredSonde, generator: Generator, count: number): Promise<void> {
  const { ok } = await generator.run({
    target: sonde.target,
    payloads: 'minified',
    connections: CONNECTIONS,
    durationMs: 30 * 60_000,
    ratePerSec: undefined,
    count,
    idPrefix: idPrefix(),
    firstCounter: 0,
  })
  if (ok !== count) throw new Error(`${ok} of ${count} were accepted`)
  await sonde.untilQueryable(count)
}

/** Events that can be queried per second while more are offered than it takes; what waits is worked off afterwards. */
async function ingestPerSec(sonde: OtherProject, generator: Generator): Promise<number> {
  const before = await sonde.queryable()
  const beganMs = performance.now()
  const job = generator.run({
    target: sonde.target,
    payloads: 'others',
    connections: CONNECTIONS,
    durationMs: WINDOW_MS,
    ratePerSec: undefined,
    idPrefix: idPrefix(),
    firstCounter: 0,
  })
  await sleep(WINDOW_MS)
  const then = await sonde.queryable()
  const perSec = ((then - before) * 1000) / (performance.now() - beganMs)
  const { ok } = await job
  while ((await sonde.queryable()) < before + ok) await sleep(LOOK_EVERY_MS)
  return perSec
}

type Progress = {
  readonly dateStarted: string | null
  readonly dateFinished: string | null
  readonly events: { readonly seen: number; readonly changed: number }
  readonly mergedIssues: number
}

const PATH = '/api/0/projects/acme/shop/source-maps/reprocessing/'

async function progress(sonde: MeasuredSonde): Promise<Progress> {
  const { body } = await sonde.api.get<readonly Progress[]>(PATH)
  const [latest] = body
  if (!latest) throw new Error('nothing is reprocessed')
  return latest
}

const NEVER_MS = 3600_000
const until = (sonde: MeasuredSonde, done: (latest: Progress) => boolean): Promise<readonly Progress[]> =>
  sonde.api.until<readonly Progress[]>(PATH, ([latest]) => latest !== undefined && done(latest), NEVER_MS)

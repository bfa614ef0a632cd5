/**
 * A whole Sonde on shared servers that the files of this folder use one after the other, with two projects (one on each
 * ClickHouse shard) that get events all the time while a test runs, and people at the screens and programs at `/api/0`.
 */
import assert from 'node:assert/strict'
import { after, before, type TestContext } from 'node:test'
import { assertNothingLost, drained } from '../crash/nothing-lost.ts'
import { type Sender, startSender, underLoad } from '../crash/sender.ts'
import { type PlainPage, signedInPlain } from '../e2e/plain-page.ts'
import { messageEvent, sendEvent } from '../e2e/screens-events.ts'
import { type ApiClient, apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningCluster, startCluster } from '../harness/cluster/start-cluster.ts'
import { storeAll } from '../harness/store-all.ts'
import { type Watch, watchDoors } from './watch-doors.ts'

/** How often everything is done that is done once in `npm test`. */
export const ROUNDS = Number(process.env['SONDE_TEST_ROUNDS'] ?? 1)

/** Of each project: so few that all can be listed after each test. */
const RATE_PER_SEC = 25
const FETCHED = 20
const SEEN_WITHIN_MS = 60_000
/** More than ingest waits for NATS, and what a busy machine adds. */
const ANSWER_WITHIN_MS = 20_000

type Loaded = CreatedProject & {
  readonly sender: Sender
  /** As errors call it, from 1. */
  readonly shard: number
}
export type Whole = {
  readonly cluster: RunningCluster
  /** What the first start of all members wrote to standard error. */
  readonly logOfStart: string
  readonly api: ApiClient
  readonly page: PlainPage
  /** Under load. */
  readonly projects: readonly Loaded[]
  /** Get single events, to see how long they take. They are in several partitions, so that each pipeline has some. */
  readonly quiet: readonly CreatedProject[]
  readonly watch: Watch
}

let whole: Whole | undefined
let started: Promise<void> | undefined
let users = 0

/** Started before the tests of the first file that asks, stopped after those of the last. */
export function useWhole(): () => Whole {
  before(() => {
    users++
    return (started ??= start())
  })
  after(async () => {
    if (--users > 0) return
    await whole?.watch.stop()
    for (const { sender } of whole?.projects ?? []) sender.close()
    await whole?.cluster.stop()
  })
  return () => {
    if (!whole) throw new Error('it was not started')
    return whole
  }
}

async function start(): Promise<void> {
  const cluster = await startCluster()
  const logOfStart = cluster.log()
  const [first, second, ...quiet] = ['shop', 'desk', 'quiet', 'calm'].map((slug) =>
    createProject(cluster, `acme/${slug}`),
  )
  assert.ok(first && second)
  for (const project of [first, second]) await storeAll(cluster, project)
  const api = apiClient(cluster)
  const page = await signedInPlain(cluster.url)
  const loaded = async (project: CreatedProject): Promise<Loaded> => ({
    ...project,
    sender: await startSender(cluster.port, project, { timeoutMs: ANSWER_WITHIN_MS }),
    // The tables are distributed by the project's number.
    shard: (Number(project.id) % 2) + 1,
  })
  const projects = await Promise.all([first, second].map(loaded))
  assert.notEqual(projects[0]?.shard, projects[1]?.shard)
  const watch = watchDoors({
    api: () => api.download('/api/0/projects/acme/quiet/issues/'),
    screens: () =>
      fetch(`${cluster.url}/acme/quiet/issues`, { headers: { cookie: page.cookie(), accept: 'text/html' } }),
  })
  whole = { cluster, logOfStart, api, page, projects, quiet, watch }
  await secondsToSee(whole)
}

/** From sending events until `/api/0` gives them all. */
export async function secondsToSee({ api, quiet }: Whole): Promise<number> {
  const sentMs = performance.now()
  await Promise.all(
    quiet.map(async ({ dsn, org, project }) => {
      const id = await sendEvent(dsn, messageEvent(Date.now(), 'how long does it take'))
      await api.until(`/api/0/projects/${org}/${project}/events/${id}/`, () => true, SEEN_WITHIN_MS)
    }),
  )
  return (performance.now() - sentMs) / 1_000
}

/** More of each project was acknowledged than before. */
export async function goesOn({ projects }: Whole, more = RATE_PER_SEC): Promise<void> {
  await Promise.all(projects.map(({ sender }) => underLoad(sender, more)))
}

export type Sent = { readonly sent: number; readonly unanswered: number }

/**
 * Sends to both projects while `run` does what it does; then everything that was acknowledged is stored, once, and counted as
 * often, and nothing was refused. What met no answer in time is told.
 */
export async function whileSending(
  given: Whole,
  context: TestContext,
  run: () => Promise<void>,
): Promise<Sent> {
  const { cluster, api, projects, watch } = given
  watch.begin()
  for (const { sender } of projects) sender.start({ connections: 8, ratePerSec: RATE_PER_SEC })
  let results: Awaited<ReturnType<Sender['stop']>>[] = []
  try {
    await goesOn(given)
    await run()
  } finally {
    results = await Promise.all(projects.map(({ sender }) => sender.stop()))
  }
  await drained(cluster)
  const counts = await Promise.all(
    projects.map((project) => assertNothingLost(api, project, project.sender, { fetched: FETCHED })),
  )
  const stored = counts.reduce((total, count) => total + count, 0)
  const sum = (of: (result: (typeof results)[number]) => number): number =>
    results.reduce((total, result) => total + of(result), 0)
  const [sent, ok, refused] = [
    sum(({ scheduled }) => scheduled),
    sum((result) => result.ok),
    sum((result) => result.refused),
  ]
  const acknowledged = projects.reduce((total, { sender }) => total + sender.acknowledged.size, 0)
  const slowestMs = Math.max(...results.map(({ latencyMs }) => latencyMs.max))
  context.diagnostic(
    `${sent} sent, ${ok} acknowledged, ${refused} refused, slowest ${(slowestMs / 1_000).toFixed(1)} s; since the start ${acknowledged} acknowledged, ${stored} stored, 0 lost, 0 doubled`,
  )
  assert.equal(refused, 0, 'requests were refused')
  assert.equal(
    sum(({ wrong }) => wrong),
    0,
    'an answer was neither 200, 429 nor 503',
  )
  assert.equal(
    sum(({ failed }) => failed),
    0,
    'the load balancer was not reached',
  )
  return { sent, unanswered: sent - ok }
}

/** What very many copies of one error cost the disk, and what Sonde still knows of them and of the other issues. */
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { apiClient, type CreatedProject, createProject } from '../tests/harness/api-client.ts'
import {
  type RunningSonde,
  startSonde,
  temporaryDataDir,
  WITHOUT_SPIKE_LIMITS,
} from '../tests/harness/start-sonde.ts'
import { type Generator, startGenerator } from './load/start-generator.ts'
import { envelopesOf, idPrefix } from './load/template.ts'
import type { Committed } from './noise/commit-copies.ts'
import { sdkEnvelopes } from './payloads/sdk-envelopes.ts'
import { atMost, type Figure } from './report/figure.ts'
import type { StoredParts } from './stored/count-parts.ts'

const OTHER_ISSUES = 10
const OTHER_EVENTS = 1_000
const CONNECTIONS = 32
// What waits for others like it does so for half a minute; merges go on for a while after the last insert.
const COUNTED_WITHIN_MS = 120_000
const SETTLE_MS = 30_000

type Sent = { readonly copies: number; readonly users: number }
type Issue = { readonly title: string; readonly count: string; readonly userCount: number }

/** Through the commit alone: what is stored is the same, without the time that sending and processing take. */
export async function noise(say: (text: string) => void, { copies, users }: Sent): Promise<Figure[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'noise', 'commit-copies.ts'),
    String(copies),
    String(users),
  ])
  const found = JSON.parse(stdout) as Committed
  for (const [table, bytes] of Object.entries(found.bytes)) say(`${table}: ${bytes} B`)
  say(`${found.rows} copies are stored in full`)
  return figuresOf({
    copies,
    users,
    bytes: sum(found.bytes),
    counted: Math.min(found.counted, found.events),
    userCount: found.users,
    lost: found.otherSent - Math.min(found.otherRows, found.otherCounted),
  })
}

/** Through the door of a Sonde as it is installed. */
export async function noiseAtDoor(say: (text: string) => void, { copies, users }: Sent): Promise<Figure[]> {
  const [one = ''] = await sdkEnvelopes(1)
  const data = temporaryDataDir()
  const generator = startGenerator()
  let running: RunningSonde | undefined
  try {
    running = await startSonde({ dataDir: data.dir, env: WITHOUT_SPIKE_LIMITS })
    const project = createProject(running, 'acme/shop')
    const others = Array.from({ length: OTHER_ISSUES }, (_, at) => copyOf(one, at, `Other${at}`))
    await send(generator, running, project, others, OTHER_EVENTS / 2)
    await untilCounted(running, project, OTHER_EVENTS / 2)
    await stop(running)
    const before = await bytesOf(data.dir)
    running = await startSonde({ dataDir: data.dir, env: WITHOUT_SPIKE_LIMITS })
    const flood = Array.from({ length: users }, (_, at) => copyOf(one, at, 'Flood'))
    const beganMs = Date.now()
    await send(generator, running, project, flood, copies / 2)
    await send(generator, running, project, others, OTHER_EVENTS / 2)
    await send(generator, running, project, flood, copies / 2)
    const issues = await untilCounted(running, project, copies + OTHER_EVENTS)
    say(`${copies} copies from ${users} users in ${Math.round((Date.now() - beganMs) / 1000)} s`)
    await sleep(SETTLE_MS)
    await stop(running)
    const after = await bytesOf(data.dir)
    for (const [table, bytes] of Object.entries(after)) say(`${table}: ${bytes - (before[table] ?? 0)} B`)
    const grown = sum(after) - sum(before)
    const noisy = issues.find(({ title }) => title.includes('Flood'))
    const rest = issues.filter((issue) => issue !== noisy)
    const lost = rest.reduce((missing, { count }) => missing + OTHER_EVENTS / OTHER_ISSUES - Number(count), 0)
    return figuresOf({
      copies,
      users,
      bytes: grown,
      counted: Number(noisy?.count),
      userCount: noisy?.userCount ?? 0,
      lost,
    })
  } finally {
    running?.child.kill('SIGKILL')
    generator.stop()
    data.remove()
  }
}

type Found = Sent & {
  readonly bytes: number
  readonly counted: number
  readonly userCount: number
  /** Events of other issues that are not stored in full. */
  readonly lost: number
}

function figuresOf({ copies, users, bytes, counted, userCount, lost }: Found): Figure[] {
  const part = 'noise'
  const userError = Math.abs(1 - userCount / users) * 100
  return [
    {
      part,
      name: `bytes for ${copies.toLocaleString('en')} copies of one error`,
      value: bytes,
      unit: 'B',
      budget: atMost(5_000_000, bytes, '5 MB'),
    },
    {
      part,
      name: 'copies that are not counted',
      value: copies - counted,
      unit: 'events',
      budget: atMost(0, Math.abs(copies - counted), '0'),
    },
    {
      part,
      name: `error of its ${users.toLocaleString('en')} users`,
      value: userError,
      unit: '%',
      budget: atMost(2, userError, '2 %'),
    },
    {
      part,
      name: 'events that other issues lost',
      value: lost,
      unit: 'events',
      budget: atMost(0, Math.abs(lost), '0'),
    },
  ]
}

/** The same error of another user. */
function copyOf(envelope: string, user: number, type: string): string {
  const [head = '', , payload = ''] = envelope.split('\n')
  const event = JSON.parse(payload) as { exception: { values: { type: string }[] }; user?: object }
  const last = event.exception.values.at(-1)
  if (last) last.type = type
  event.user = { id: `user-${user}` }
  const text = JSON.stringify(event)
  return `${head}\n${JSON.stringify({ type: 'event', length: Buffer.byteLength(text) })}\n${text}\n`
}

async function send(
  generator: Generator,
  running: RunningSonde,
  project: CreatedProject,
  envelopes: readonly string[],
  count: number,
): Promise<void> {
  const target = envelopesOf(running.port, project)
  await generator.load('copies', envelopes, target)
  const { ok } = await generator.run({
    target,
    payloads: 'copies',
    connections: CONNECTIONS,
    durationMs: 3_600_000,
    ratePerSec: undefined,
    count,
    idPrefix: idPrefix(),
    firstCounter: 0,
  })
  if (ok !== count) throw new Error(`${ok} of ${count} were accepted`)
}

/** Counts move as long as the pipeline works. */
async function untilCounted(
  running: RunningSonde,
  { org, project }: CreatedProject,
  events: number,
): Promise<readonly Issue[]> {
  const api = apiClient(running)
  let seen = -1
  let movedMs = Date.now()
  for (;;) {
    const { body } = await api.get<Issue[]>(`/api/0/projects/${org}/${project}/issues/?limit=100`)
    const now = body.reduce((total, { count }) => total + Number(count), 0)
    if (now >= events) return body
    if (now !== seen) movedMs = Date.now()
    if (Date.now() - movedMs > COUNTED_WITHIN_MS)
      throw new Error(`${now} of ${events} events are counted, and no more come\n${running.log()}`)
    seen = now
    await sleep(500)
  }
}

async function stop(running: RunningSonde): Promise<void> {
  const code = await running.stop()
  if (code !== 0) throw new Error(`Sonde ended with ${code}\n${running.log()}`)
}

/** By table, and of the records. */
async function bytesOf(dataDir: string): Promise<Readonly<Record<string, number>>> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'stored', 'count-parts.ts'),
    join(dataDir, 'telemetry'),
  ])
  const { tables } = JSON.parse(stdout) as StoredParts
  return { ...tables, records: statSync(join(dataDir, 'records.sqlite')).size }
}

const sum = (bytes: Readonly<Record<string, number>>): number =>
  Object.values(bytes).reduce((total, each) => total + each, 0)

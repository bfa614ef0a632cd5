/** One of everything that an SDK sends, to a Sonde of any version: what one does not know yet it counts and drops. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEnvelope, serializeEnvelope } from '@sonde/protocol'
import { element, pageOf, sendReplay } from '../../harness/replay-events.ts'
import { uploadBuild } from '../../harness/upload-build.ts'

const SAMPLES = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'sentry-event-samples')
const ERRORS = ['python', 'java', 'php', 'ruby'] as const
/** Each is an issue; feedback is not among them. */
export const SENT_ERRORS = ERRORS.length + 1
const RELEASE = 'shop@1.0.0'

export type Sent = {
  readonly org: string
  readonly project: string
  readonly projectId: string
  /** With an attachment. */
  readonly event: string
  readonly attachment: string
  readonly trace: string
  readonly replay: string
  readonly monitor: string
  /** Whether the version took an upload of source maps. */
  readonly hasSourceMaps: boolean
}

type Target = { readonly url: string; readonly dsn: string; readonly projectId: string }
type Item = { readonly header: { readonly type: string }; readonly payload: Buffer }

const newId = (): string => randomUUID().replaceAll('-', '')
const json = (type: string, payload: object, header: object = {}): Item => ({
  header: { type, ...header },
  payload: Buffer.from(JSON.stringify(payload)),
})

/** Answered with 200, or it throws: also by a version that drops it. */
export async function sendItems(
  { url, dsn, projectId }: Target,
  items: readonly Item[],
  header: object = {},
) {
  const body = serializeEnvelope(createEnvelope({ sent_at: new Date().toISOString(), ...header }, items))
  const { username } = new URL(dsn)
  const answer = await fetch(`${url}/api/${projectId}/envelope/?sentry_key=${username}`, {
    method: 'POST',
    body: new Uint8Array(body),
  })
  if (answer.status !== 200) throw new Error(`the door answered ${answer.status}: ${await answer.text()}`)
}

/** An error with an attachment; returns its id. */
export async function sendError(target: Target, message: string, attachment: string): Promise<string> {
  const event = newId()
  const error = {
    type: 'UpgradeError',
    value: message,
    stacktrace: { frames: [{ function: 'main', in_app: true }] },
  }
  const sent = {
    event_id: event,
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    release: RELEASE,
    environment: 'production',
    user: { id: 'u-1', email: 'u-1@example.com' },
    tags: { plan: 'team' },
    exception: { values: [error] },
  }
  const file = { header: { type: 'attachment', filename: 'notes.txt' }, payload: Buffer.from(attachment) }
  await sendItems(target, [json('event', sent), file], { event_id: event })
  return event
}

export async function sendEverything(
  target: Target,
  org: string,
  project: string,
): Promise<Omit<Sent, 'hasSourceMaps'>> {
  const nowSec = Date.now() / 1000
  const attachment = 'kept through every upgrade'
  const event = await sendError(target, 'the first one', attachment)
  for (const name of ERRORS) {
    const sample = JSON.parse(readFileSync(join(SAMPLES, `${name}.json`), 'utf8')) as object
    await sendItems(target, [json('event', { ...sample, event_id: newId(), timestamp: nowSec })])
  }
  const trace = await sendTrace(target, nowSec)
  const line = {
    timestamp: nowSec,
    trace_id: trace,
    level: 'info',
    body: 'cart priced',
    severity_number: 9,
    attributes: {},
  }
  const metric = {
    timestamp: nowSec,
    trace_id: trace,
    name: 'cart.size',
    type: 'distribution',
    value: 3,
    attributes: {},
  }
  const container = (kind: string) => ({
    item_count: 1,
    content_type: `application/vnd.sentry.items.${kind}+json`,
  })
  await sendItems(target, [json('log', { items: [line] }, container('log'))])
  await sendItems(target, [json('trace_metric', { items: [metric] }, container('trace-metric'))])
  const session = {
    sid: randomUUID(),
    did: 'u-1',
    init: true,
    status: 'exited',
    errors: 0,
    started: new Date(nowSec * 1000).toISOString(),
    timestamp: new Date(nowSec * 1000).toISOString(),
    attrs: { release: RELEASE, environment: 'production' },
  }
  await sendItems(target, [json('session', session)])
  const monitor = 'nightly'
  const run = {
    check_in_id: newId(),
    monitor_slug: monitor,
    environment: 'production',
    monitor_config: { schedule: { type: 'interval', value: 1, unit: 'year' } },
  }
  await sendItems(target, [json('check_in', { ...run, status: 'in_progress' })])
  await sendItems(target, [json('check_in', { ...run, status: 'ok', duration: 0.5 })])
  const feedback = {
    event_id: newId(),
    timestamp: nowSec,
    platform: 'javascript',
    contexts: { feedback: { message: 'the cart is slow', contact_email: 'u-1@example.com', name: 'U' } },
  }
  await sendItems(target, [json('feedback', feedback)], { event_id: feedback.event_id })
  const sampled = {
    samples: [0, 0.01].map((at) => ({ stack_id: 0, thread_id: '1', timestamp: nowSec + at })),
    stacks: [[0]],
    frames: [{ function: 'priceCart', in_app: true }],
  }
  await sendItems(target, [
    json('profile_chunk', {
      version: '2',
      profiler_id: newId(),
      chunk_id: newId(),
      platform: 'node',
      release: RELEASE,
      profile: sampled,
    }),
  ])
  const replay = newId()
  const page = pageOf(nowSec * 1000, { body: [element('p', {}, 'the cart')] })
  await sendReplay(target.dsn, { replayId: replay, segment: 0, user: { id: 'u-1' } }, page)
  const projectId = target.projectId
  return { org, project, projectId, event, attachment, trace, replay, monitor }
}

/** A load of a page with its vitals and a query. */
async function sendTrace(target: Target, nowSec: number): Promise<string> {
  const [trace_id, root] = [newId(), newId().slice(0, 16)]
  const query = {
    trace_id,
    span_id: newId().slice(0, 16),
    parent_span_id: root,
    op: 'db',
    description: 'SELECT * FROM cart WHERE id = 7',
    start_timestamp: nowSec - 0.9,
    timestamp: nowSec - 0.5,
  }
  const load = {
    event_id: newId(),
    type: 'transaction',
    platform: 'javascript',
    transaction: '/cart',
    release: RELEASE,
    environment: 'production',
    start_timestamp: nowSec - 1,
    timestamp: nowSec,
    contexts: { trace: { trace_id, span_id: root, op: 'pageload', status: 'ok' } },
    measurements: { lcp: { value: 900, unit: 'millisecond' }, cls: { value: 0.01, unit: '' } },
    spans: [query],
  }
  await sendItems(target, [json('transaction', load)])
  return trace_id
}

/** False: the version has no such address yet. */
export async function uploadMaps(url: string, token: string, project: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-maps-'))
  try {
    writeFileSync(join(folder, 'app.js'), 'function a(){throw new Error("x")}\n')
    const map = {
      version: 3,
      sources: ['app.ts'],
      sourcesContent: ['export function a() {}'],
      names: [],
      mappings: 'AAAA',
    }
    writeFileSync(join(folder, 'app.js.map'), JSON.stringify(map))
    await uploadBuild(folder, { url, token, project, release: RELEASE })
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

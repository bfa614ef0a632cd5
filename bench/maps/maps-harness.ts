/** A log, records, telemetry and blobs in a temporary folder, a pipeline on them, and one application that was uploaded. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMetrics, silentLogger as logger, systemClock as clock } from '@sonde/base'
import { encodeIntakeRecord, openLogReader, openLogWriter } from '@sonde/log'
import { type PipelineOptions, startPipeline } from '@sonde/pipeline'
import { type Blobs, openBlobs, openRecords, openTelemetry, packContent, type Records } from '@sonde/stores'
import type { BigApp } from './big-app.ts'

export type MapsHarness = Awaited<ReturnType<typeof openMapsHarness>>
export type Cold = { readonly tookMs: number; readonly cpuMs: number }
export type Stored = {
  readonly perSec: number
  /** Of all threads of this process, per event. */
  readonly cpuMs: number
  /** Of the stage, per event. */
  readonly symbolicateMs: number
}

const URL = 'https://shop.test/assets/app.js'
const DEBUG_ID = '11111111-2222-4333-8444-555555555555'
const POLL_MS = 2
/** As many errors as a large application has at a time; each is met again and again. */
const DISTINCT_STACKS = 100
/** Of an issue every event is stored: else those above a thousand a day would cost next to nothing. docs/noise.md */
const SETTINGS = JSON.stringify({ noise: { fullPerDay: 0 } })

export async function openMapsHarness(app: BigApp) {
  const dir = await mkdtemp(join(tmpdir(), 'sonde-bench-maps-'))
  const { db: records, close: closeRecords } = await openRecords(
    { file: join(dir, 'records.sqlite') },
    { logger },
  )
  const telemetry = await openTelemetry({ dir: join(dir, 'telemetry') }, { logger })
  const blobs = openBlobs({ dir: join(dir, 'blobs') })
  const logDir = join(dir, 'log')
  const writer = await openLogWriter({ dir: logDir, logger })
  const projects = {
    with: await createProject(records, 'with-maps'),
    without: await createProject(records, 'without-maps'),
  }
  await uploadApp(records, blobs, projects.with, app)
  const metrics = createMetrics()
  const start = async (more: Partial<PipelineOptions> = {}) => {
    const log = await openLogReader({ dir: logDir, logger, pollMs: POLL_MS })
    const pipeline = await startPipeline({ log, records, telemetry, blobs, clock, logger, ...more })
    const stop = async (): Promise<void> => {
      await pipeline.stop()
      await log.close()
    }
    return { pipeline, stop }
  }
  // A log has one reader: it begins after the cold ones.
  let running: Awaited<ReturnType<typeof start>> | undefined

  return {
    /** A pipeline of its own on this thread, which has no map yet; until the answer is there. */
    async cold(): Promise<Cold> {
      const { pipeline, stop } = await start({ workers: { threads: 0 } })
      const position = { projectId: projects.with.id, url: URL }
      const [place] = app.places
      if (!place) throw new Error('the application throws nowhere')
      // Without a debug id nothing is found: the way there is warm, the files are not.
      await pipeline.resolvePositions([{ ...position, at: place }])
      const cpuBefore = process.cpuUsage()
      const beganMs = performance.now()
      const [answer] = await pipeline.resolvePositions([{ ...position, debugId: DEBUG_ID, at: place }])
      const tookMs = performance.now() - beganMs
      const cpu = process.cpuUsage(cpuBefore)
      await stop()
      if (!answer?.ok) throw new Error(`the position was not found: ${JSON.stringify(answer)}`)
      return { tookMs, cpuMs: (cpu.user + cpu.system) / 1000 }
    },
    /** Until the last of them is committed. */
    async store(kind: 'with' | 'without', frames: number, count: number): Promise<Stored> {
      const { pipeline } = (running ??= await start({ metrics }))
      const project = projects[kind]
      const bodies = Array.from({ length: count }, (_, at) =>
        errorEnvelope(app, frames, (at % DISTINCT_STACKS) * frames),
      )
      const before = { ...pipeline.state(), stage: await stageSeconds(metrics) }
      const cpuBefore = process.cpuUsage()
      const beganMs = performance.now()
      await Promise.all(
        bodies.map((body) => {
          const receivedMs = clock.nowMs()
          const meta = { v: 1, kind: 'envelope', receivedMs, projectId: project.id, keyId: 1 } as const
          return writer.append(encodeIntakeRecord(meta, body))
        }),
      )
      while (pipeline.state().records < before.records + count) await sleep(POLL_MS)
      const tookMs = performance.now() - beganMs
      const stored = pipeline.state().events - before.events
      if (stored !== count) throw new Error(`of ${count} events ${stored} were stored`)
      const cpu = process.cpuUsage(cpuBefore)
      const stage = await stageSeconds(metrics)
      return {
        perSec: (count / tookMs) * 1000,
        cpuMs: (cpu.user + cpu.system) / 1000 / count,
        symbolicateMs: ((stage - before.stage) * 1000) / count,
      }
    },
    async close(): Promise<void> {
      await running?.stop()
      await writer.close()
      await telemetry.close()
      await closeRecords()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function createProject(records: Records, slug: string): Promise<{ id: number; orgId: number }> {
  const named = { slug, name: slug, created_ms: 0 }
  const org = await records.insertInto('organization').values(named).returning('id').executeTakeFirstOrThrow()
  const { id } = await records
    .insertInto('project')
    .values({ ...named, org_id: org.id, platform: 'javascript' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const setting = { project_id: id, value: SETTINGS, updated_ms: 0 }
  await records.insertInto('project_setting').values(setting).execute()
  return { id, orgId: org.id }
}

async function uploadApp(
  records: Records,
  blobs: Blobs,
  { id: projectId, orgId }: { readonly id: number; readonly orgId: number },
  { code, map }: BigApp,
): Promise<void> {
  const bundle = { org_id: orgId, kind: 'bundle' as const, checksum: '', debug_id: '', release: '', dist: '' }
  const { id } = await records
    .insertInto('artifact_bundle')
    .values({ ...bundle, actor: 'operator:cli', created_ms: 0, last_used_ms: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await records
    .insertInto('artifact_bundle_project')
    .values({ bundle_id: id, project_id: projectId })
    .execute()
  for (const [type, url, content] of [
    ['minified_source', '~/assets/app.js', code],
    ['source_map', '~/assets/app.js.map', map],
  ] as const) {
    const bytes = Buffer.from(content)
    const packed = await packContent(bytes)
    const sha1 = createHash('sha1').update(bytes).digest('hex')
    await blobs.put(`artifacts/${sha1}`, packed)
    const file = { bundle_id: id, org_id: orgId, type, url, debug_id: DEBUG_ID, map_ref: '', headers: '{}' }
    const stored = { blob: `artifacts/${sha1}`, bytes: bytes.length, stored_bytes: packed.length, sha1 }
    await records
      .insertInto('artifact_file')
      .values({ ...file, ...stored, problem: '', problem_detail: '', created_ms: 0 })
      .execute()
  }
}

/** As @sentry/browser sends it; the frames are others in each. */
function errorEnvelope({ places }: BigApp, count: number, first: number): Buffer {
  const event_id = randomBytes(16).toString('hex')
  const frames = Array.from({ length: count }, (_, at) => {
    const place = places[((first + at) * 7919) % places.length]
    return { filename: URL, function: 'e', in_app: true, lineno: place?.line, colno: place?.column }
  })
  const breadcrumbs = Array.from({ length: 20 }, (_, at) => ({
    timestamp: Date.now() / 1000 - at,
    category: 'ui.click',
    message: `div.page > main#content > section.cart > button.remove[title="Remove ${at}"]`,
  }))
  const event = {
    event_id,
    platform: 'javascript',
    timestamp: Date.now() / 1000,
    environment: 'production',
    sdk: { name: 'sentry.javascript.browser', version: '10.0.0' },
    request: { url: 'https://shop.test/cart', headers: { 'User-Agent': 'Mozilla/5.0 Chrome/140.0.0.0' } },
    debug_meta: { images: [{ type: 'sourcemap', code_file: URL, debug_id: DEBUG_ID }] },
    exception: { values: [{ type: 'RangeError', value: 'out of range', stacktrace: { frames } }] },
    breadcrumbs,
  }
  return Buffer.from(`${JSON.stringify({ event_id })}\n{"type":"event"}\n${JSON.stringify(event)}\n`)
}

async function stageSeconds(metrics: ReturnType<typeof createMetrics>): Promise<number> {
  const line = /^sonde_pipeline_stage_seconds_total\{stage="symbolicate"\} (\S+)$/m.exec(await metrics.text())
  return Number(line?.[1] ?? 0)
}

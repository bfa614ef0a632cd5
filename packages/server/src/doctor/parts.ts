/** Lines of the doctor. The attachments: how much each organization stores of its quota. */
import type { Clock } from '@sonde/base'
import { wentText } from '@sonde/commands'
import type { PipelineState } from '@sonde/pipeline'
import { attachmentUsages, type DiskWatchState, type OpenRecords, type Records } from '@sonde/stores'
import { diskSpace, type FreeShares, type Space, wantedBytes } from '../front/disk-guard.ts'
import type { DoctorReport, PartReport } from './report.ts'

/** The pipeline's state as a line of the doctor. */
export function pipelinePart(state: PipelineState, clock: Clock): PartReport {
  const { trouble, events, duplicates } = state
  if (trouble) {
    const seconds = Math.round((clock.nowMs() - trouble.sinceMs) / 1000)
    return {
      name: 'pipeline',
      state: 'degraded',
      detail: `retrying to ${trouble.operation} for ${seconds} s (${trouble.attempts} attempts): ${trouble.message}. New data is queued in the log.`,
    }
  }
  return {
    name: 'pipeline',
    state: 'ok',
    detail: `${countOf(events, 'event')} and ${countOf(duplicates, 'duplicate')} processed since start`,
  }
}

const countOf = (count: number, one: string): string =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`

/** Reprocessing after late source maps as a line of the doctor. */
type Row = {
  readonly started_ms: number | null
  readonly total_count: number | null
  readonly seen_count: number
  readonly trouble: string
}

export async function reprocessingPart(records: Records): Promise<PartReport> {
  const open = await records
    .selectFrom('repair')
    .select(['started_ms', 'total_count', 'seen_count', 'trouble'])
    .where('finished_ms', 'is', null)
    .orderBy('id')
    .execute()
  return describeReprocessing(open)
}

export function describeReprocessing(open: readonly Row[]): PartReport {
  const name = 'reprocessing'
  const [first] = open
  if (!first) return { name, state: 'ok', detail: 'idle' }
  const { trouble, started_ms: startedMs, total_count: total, seen_count: seen } = first
  const waiting = open.length === 1 ? '' : `; ${count(open.length - 1)} more queued`
  if (trouble !== '')
    return {
      name,
      state: 'degraded',
      detail: `failed: ${trouble}. Nothing is lost; it is retried automatically${waiting}.`,
    }
  if (startedMs === null) return { name, state: 'ok', detail: `${count(open.length)} queued` }
  const of = total === null ? '' : ` of ${count(Math.max(total, seen))}`
  return {
    name,
    state: 'ok',
    detail: `${count(seen)}${of} events reprocessed with new source maps${waiting}`,
  }
}

/** Of records on a server, behind what is in them; those in the data folder count with the disk. */
export async function recordsPlace({
  engine: { name, version, place, schema },
  sizeBytes,
}: Pick<OpenRecords, 'engine' | 'sizeBytes'>): Promise<string> {
  if (name === 'SQLite') return ''
  return `; ${name} ${version} at ${place}, schema ${schema}, ${sizeText(await sizeBytes())}`
}

const count = (number: number): string => number.toLocaleString('en')

/** The log and the disk as lines of the doctor: what a red one means and what to do about it. */
// People look at a screen again within a minute; a burst is worked off in seconds.
const LATE_MS = 60_000

export function logPart({ depthBytes, oldestAgeMs }: DoctorReport['log']): PartReport {
  if (depthBytes === 0) return { name: 'log', state: 'ok', detail: 'no backlog' }
  const backlog = `backlog of ${depthBytes.toLocaleString('en')} bytes, oldest ${(oldestAgeMs / 1000).toFixed(1)} s`
  if (oldestAgeMs < LATE_MS) return { name: 'log', state: 'ok', detail: backlog }
  const detail = `${backlog}. Nothing is lost, but new events appear late. If the pipeline is healthy, this machine receives more than it can process: lower the rate limits of the busiest project, or add cores. Otherwise, see the details of the pipeline.`
  return { name: 'log', state: 'degraded', detail }
}

const GB = 1_000_000_000
/** Merging tables needs room for a copy of the parts that it merges. */
const LITTLE = { share: 0.05, bytes: 2 * GB }
const NEXT_TO_NOTHING_BYTES = 0.2 * GB

/** `shares`: below which the front refuses; undefined: what is stored is on servers, and nothing is refused. */
export function diskPart(
  space: Space,
  shares: FreeShares | undefined,
  watch?: { readonly marks: DiskMarks; readonly state: DiskWatchState | undefined; readonly nowMs: number },
): PartReport {
  const part = roomPart(space, shares)
  if (!watch || !shares) return part
  const said = markText(space, watch.marks)
  const went = watch.state && wentLately(watch.state, watch.nowMs)
  const state = part.state === 'ok' && said !== '' ? 'degraded' : part.state
  return { ...part, state, detail: [part.detail, said, went].filter(Boolean).join(' · ') }
}

/** Shares of the disk that are used: from when on operators are told, and the oldest data goes. 0: never. */
export type DiskMarks = { readonly warn: number; readonly delete: number }

function markText({ freeBytes, sizeBytes }: Space, marks: DiskMarks): string {
  const share = (sizeBytes - freeBytes) / Math.max(1, sizeBytes)
  const used = `${Math.floor(share * 100)}% of the disk is used`
  const mark = Math.round(marks.delete * 100)
  if (marks.delete > 0 && share >= marks.delete)
    return `${used}: the oldest data is deleted until it is ${mark - 2}% (SONDE_DISK_DELETE), unless other files fill the disk. See Storage.`
  if (marks.warn === 0 || share < marks.warn) return ''
  const then = marks.delete > 0 ? ` At ${mark}% the oldest data is deleted (SONDE_DISK_DELETE).` : ''
  return `${used}. Free up space, or keep less: data retention of projects, SONDE_RETENTION_DAYS.${then}`
}

const SHOWN_MS = 7 * 86_400_000

function wentLately({ steps = [], sinceMs, state }: DiskWatchState, nowMs: number): string {
  if (steps.length === 0 || (state !== 'deleting' && nowMs - sinceMs > SHOWN_MS)) return ''
  return `Deleted because the disk was nearly full: ${wentText(steps)}.`
}

function roomPart(space: Space, shares: FreeShares | undefined): PartReport {
  const { freeBytes, sizeBytes } = space
  const free = `${(freeBytes / GB).toFixed(1)} GB of ${(sizeBytes / GB).toFixed(1)} GB free`
  if (!shares) return { name: 'disk', state: 'ok', detail: `${free}; data is stored on servers` }
  const refused = diskSpace(shares, space)
  const wanted = wantedBytes(shares, sizeBytes)
  if (refused === 'enough' && (freeBytes >= LITTLE.bytes || freeBytes >= sizeBytes * LITTLE.share))
    return { name: 'disk', state: 'ok', detail: free }
  const what = {
    enough: 'when it is full, new data is rejected with 503',
    little: `attachments are rejected until ${gb(wanted.attachments)} are free (SONDE_MIN_FREE_ATTACHMENTS)`,
    'too-little': `all data is rejected with 503 until ${gb(wanted.everything)} are free (SONDE_MIN_FREE)`,
  }[refused]
  const detail = `${free}: ${what}. Free up space, move SONDE_DATA_DIR to a larger disk, or lower SONDE_RETENTION_DAYS (takes effect within a day).`
  const isDown = refused === 'too-little' || freeBytes < NEXT_TO_NOTHING_BYTES
  return { name: 'disk', state: isDown ? 'down' : 'degraded', detail }
}

const gb = (bytes: number): string => `${(bytes / GB).toFixed(1)} GB`

const MB = 1_000_000
/** Room for some days yet, where a week brings as much as the weeks before. */
const NEARLY_FULL = 0.9
const SHOWN = 5

export async function attachmentPart(records: Records, quotaBytes: number): Promise<PartReport> {
  const usages = await attachmentUsages(records)
  const used = usages.filter(({ bytes }) => bytes > 0)
  const name = 'attachments'
  const quota = sizeText(quotaBytes)
  if (used.length === 0) return { name, state: 'ok', detail: `none stored (quota ${quota} per organization)` }
  const list = used.slice(0, SHOWN).map(({ org, bytes }) => `${org} ${sizeText(bytes)}`)
  const more = used.length > SHOWN ? ` and ${used.length - SHOWN} more` : ''
  const detail = `${list.join(', ')}${more} (quota ${quota} per organization)`
  const full = used.filter(({ bytes }) => bytes >= quotaBytes * NEARLY_FULL)
  if (full.length === 0) return { name, state: 'ok', detail }
  return {
    name,
    state: 'degraded',
    detail: `${detail}. Attachments over the quota are dropped (reason attachment_quota); their events are kept. Raise SONDE_ATTACHMENT_QUOTA_BYTES, or delete attachments of ${full.map(({ org }) => org).join(', ')}.`,
  }
}

const sizeText = (bytes: number): string => {
  if (bytes < MB) return `${(bytes / 1_000).toFixed(1)} kB`
  return bytes < 1_000 * MB ? `${(bytes / MB).toFixed(1)} MB` : `${(bytes / MB / 1_000).toFixed(1)} GB`
}

/**
 * The way of session replays, from the bytes of an item to rows and the recording that is kept. Pure: runs on worker
 * threads. An SDK sends two items of each segment: what it knows of the visit, and the recording.
 */
import { hash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { normalizeEventId } from '@sonde/protocol/event-id'
import { encodeReplayRow, type OutcomeFields, type ReplayFields } from '@sonde/stores'
import { hexId } from '../normalize/contexts.ts'
import { normalizeEvent, parseEventJson } from '../normalize/index.ts'
import { isObject, lenientNumber, lenientText, type RawObject } from '../normalize/read-fields.ts'
import { clockShiftSec, parseTimestamp } from '../normalize/timestamp.ts'
import type { ProcessedRows, ProcessedVideo } from '../process/processed.ts'
import { scrubEnvelope, scrubEvent } from '../scrub/index.ts'
import { scrubText } from '../scrub/scrub-text.ts'
import { keyRulesOf, type ScrubSettings } from '../scrub/settings.ts'
import { factsOfAttributes, factsOfEvent } from '../spans/facts-of-attributes.ts'
import { chain, drop, type Stage } from '../stage-runner.ts'
import type { ItemInput } from '../stages/event-input.ts'
import { filterReason } from '../stages/filter.ts'
import { cleanRecording } from './clean-recording.ts'
import { maskRecording } from './mask-recording.ts'
import { type ReadRecording, readRecording } from './read-recording.ts'
import { videoTimesOf } from './read-replay-video.ts'
import { factsOfRecording, type RecordingFacts } from './recording-facts.ts'

export type ProcessedReplay = { readonly item: ProcessedRows; readonly outcomes: readonly OutcomeFields[] }
type Own = { readonly replayId: string; readonly segmentId: number }

const DAY_MS = 86_400_000
const MAX_SEGMENT_ID = 100_000
const MAX_LISTED = 100
const MAX_URL = 2_000

/** A page's clock may be wrong by anything; then the part is of when it came. */
function withinReach(atMs: number, { receivedMs, context }: ItemInput): number {
  const shifted = atMs + clockShiftSec(context) * 1000
  return Math.abs(shifted - receivedMs) < DAY_MS ? Math.round(shifted) : receivedMs
}

const NOTHING = {
  userName: '',
  timeZone: '',
  replayType: '',
  urls: [],
  errorIds: [],
  traceIds: [],
  clicks: 0,
  rageClicks: 0,
  deadClicks: 0,
  rageSelectors: [],
  deadSelectors: [],
  navigations: 0,
  requests: 0,
  failedRequests: 0,
  consoleLines: 0,
  vitals: 0,
  mutations: 0,
  rrwebEvents: 0,
  rawBytes: 0,
} as const satisfies Partial<ReplayFields>

type RowFields = Omit<
  ReplayFields,
  'projectId' | 'receivedMs' | 'logPartition' | 'logPosition' | 'itemIndex' | 'replayId' | 'segment' | 'kind'
>

function replayItem(
  input: ItemInput,
  kind: 'event' | 'recording',
  { replayId, segmentId }: Own,
  fields: RowFields,
): ProcessedRows {
  const { partition: logPartition, position, itemIndex, projectId, keyId, receivedMs } = input
  const origin = { projectId, receivedMs, logPartition, logPosition: position, itemIndex }
  return {
    position,
    itemIndex,
    projectId,
    keyId,
    // Sent again it is the same segment, whatever its bytes are.
    eventId: hash('sha256', `replay ${replayId} ${segmentId} ${kind}`, 'hex').slice(0, 32),
    category: 'replay',
    receivedMs,
    timestampMs: fields.timestampMs,
    releases: fields.release === '' ? [] : [fields.release],
    counts: [{ category: 'replay', quantity: 1 }],
    rows: { replays: encodeReplayRow({ ...origin, replayId, segment: segmentId, kind, ...fields }) },
  }
}

type ReadEvent = ItemInput & { readonly raw: RawObject; readonly own: Own }

const readEvent: Stage<ItemInput, ReadEvent> = {
  name: 'read replay',
  run(input) {
    const parsed = parseEventJson(input.payload)
    if (!parsed.ok)
      return drop('invalid', parsed.reason === 'too_large' ? 'too_large' : 'bad_json', parsed.detail)
    const raw = parsed.value
    if (!isObject(raw)) return drop('invalid', 'bad_payload')
    const replayId = normalizeEventId(raw.replay_id) ?? normalizeEventId(raw.event_id) ?? input.eventId
    const segmentId = lenientNumber(raw.segment_id)
    const isSegment = Number.isInteger(segmentId) && segmentId >= 0 && segmentId <= MAX_SEGMENT_ID
    if (replayId === undefined || !isSegment) return drop('invalid', 'bad_payload')
    return { ...input, raw, own: { replayId, segmentId } }
  },
}

const encodeEvent: Stage<ReadEvent, ProcessedReplay> = {
  name: 'encode replay',
  run(input) {
    const { raw, own, receivedMs, settings, context } = input
    const { retentionDays } = settings
    const normalized = normalizeEvent(raw, { ...context, eventId: own.replayId, retentionDays })
    const reason = filterReason(normalized, settings.filters)
    if (reason !== undefined) return drop('filtered', reason)
    const event = scrubEvent(normalized, settings.scrub)
    const startedSec = parseTimestamp(raw.replay_start_timestamp)
    const endedSec = parseTimestamp(raw.timestamp)
    const finishedMs = endedSec === undefined ? receivedMs : withinReach(endedSec * 1000, input)
    const startedMs = startedSec === undefined ? finishedMs : withinReach(startedSec * 1000, input)
    const { segmentName: _, ...facts } = factsOfEvent(event, {}, context.trace)
    const { username, email, id } = event.user ?? {}
    const item = replayItem(input, 'event', own, {
      ...NOTHING,
      ...facts,
      // Each is itself, whatever its trace was kept at.
      sampleRate: 1,
      timestampMs: Math.min(startedMs, finishedMs),
      finishedMs,
      userName: [username, email, id].find((each) => typeof each === 'string' && each !== '') ?? '',
      timeZone: timeZoneOf(event),
      replayType: raw.replay_type === 'buffer' ? 'buffer' : 'session',
      urls: urlsOf(raw.urls, settings.scrub),
      errorIds: idsOf(raw.error_ids),
      traceIds: idsOf(raw.trace_ids),
    })
    return { item, outcomes: [] }
  },
}

/** As browsers and mobile SDKs tell it. Whether it is one, the reader's browser knows. */
function timeZoneOf({ contexts }: Pick<NormalizedEvent, 'contexts'>): string {
  const named = contexts?.['culture']?.['timezone'] ?? contexts?.['device']?.['timezone']
  return typeof named === 'string' && /^[A-Za-z][\w+/-]{0,63}$/.test(named) ? named : ''
}

const listOf = (raw: unknown): readonly unknown[] => (Array.isArray(raw) ? raw.slice(0, MAX_LISTED) : [])
const idsOf = (raw: unknown): readonly string[] => [
  ...new Set(listOf(raw).flatMap((each) => hexId(each, 32) ?? normalizeEventId(each) ?? [])),
]

function urlsOf(raw: unknown, settings: ScrubSettings): readonly string[] {
  return listOf(raw).flatMap((each) => {
    const text = lenientText(each)?.slice(0, MAX_URL)
    if (text === undefined || text === '') return []
    return settings.enabled ? (scrubText(text, keyRulesOf(settings))?.text ?? text) : text
  })
}

export const REPLAY_EVENT_STAGES = chain([readEvent, encodeEvent])

/** A video that came with it. */
type Film = Pick<ProcessedVideo, 'content' | 'type'>
type RecordingInput = ItemInput & { readonly film?: Film | undefined }
type WithRecording = RecordingInput & { readonly own: Own; readonly read: ReadRecording }
type Cleaned = WithRecording & {
  readonly facts: RecordingFacts
  readonly text: string
  readonly video: ProcessedVideo | undefined
}

const read: Stage<RecordingInput, WithRecording> = {
  name: 'read recording',
  run(input) {
    const replayId = input.eventId
    if (replayId === undefined) return drop('invalid', 'missing_event_id')
    const found = readRecording(input.payload)
    return typeof found === 'string'
      ? drop('invalid', found)
      : { ...input, own: { replayId, segmentId: found.segmentId }, read: found }
  },
}

const filter: Stage<WithRecording, WithRecording> = {
  name: 'filter recording',
  run(input) {
    const { envelope, settings } = input
    const agent = envelope.userAgent ?? ''
    const release = factsOfAttributes({}, envelope).release
    const reason = filterReason({ release, request: { headers: [['User-Agent', agent]] } }, settings.filters)
    return reason === undefined ? input : drop('filtered', reason)
  },
}

const scrub: Stage<WithRecording, Cleaned> = {
  name: 'scrub recording',
  run(input) {
    const { scrub: rules } = input.settings
    const events = maskRecording(cleanRecording(input.read.events, rules), rules)
    if (events.length === 0) return drop('invalid', 'bad_payload')
    const facts = factsOfRecording(events)
    const { startedMs, finishedMs } = facts
    const times = videoTimesOf(events) ?? { startedMs, durationMs: Math.max(1, finishedMs - startedMs) }
    // Pictures cannot be masked: where texts or inputs must be, they are not kept.
    const isKept = input.film && !rules.maskReplayTexts && !rules.maskReplayInputs
    const video = isKept ? { ...input.film, ...times } : undefined
    return { ...input, facts, text: JSON.stringify(events), video }
  },
}

const encode: Stage<Cleaned, ProcessedReplay> = {
  name: 'encode recording',
  run(input) {
    const { own, facts, text, settings, video } = input
    const { startedMs, finishedMs, ...counts } = facts
    const from = withinReach(startedMs, input)
    const { segmentName: _, ...shared } = factsOfAttributes({}, scrubEnvelope(input.envelope, settings.scrub))
    const content = deflateSync(text)
    const rawBytes = Buffer.byteLength(text)
    const item = replayItem(input, 'recording', own, {
      ...NOTHING,
      ...shared,
      ...counts,
      sampleRate: 1,
      timestampMs: from,
      finishedMs: from + Math.min(finishedMs - startedMs, DAY_MS),
      rrwebEvents: input.read.events.length,
      rawBytes,
    })
    const recording = {
      ...own,
      // A copy of its own length: what crosses threads is the whole buffer under a view.
      content: Uint8Array.from(content),
      rawBytes,
      startedMs,
      finishedMs,
      ...(video && { video: { ...video, content: Uint8Array.from(video.content) } }),
    }
    return { item: { ...item, recording }, outcomes: [] }
  },
}

export const RECORDING_STAGES = chain([read, filter, scrub, encode])

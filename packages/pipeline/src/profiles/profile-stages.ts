/** The way of profiles and chunks, from the bytes of their item to rows. Pure: runs on worker threads. */
import { hash } from 'node:crypto'
import type { JsonObject } from '@sonde/protocol/event'
import { normalizeEventId } from '@sonde/protocol/event-id'
import { encodeProfileFunctionRow, encodeProfileRow, type OutcomeFields } from '@sonde/stores'
import { isMissingFiles, type MissingFiles } from '../maps/file-requests.ts'
import { hexId } from '../normalize/contexts.ts'
import { parseEventJson } from '../normalize/index.ts'
import { isObject, lenientText, objectOf, type RawObject } from '../normalize/read-fields.ts'
import { isReleaseName } from '../normalize/release.ts'
import { clockShiftSec, parseTimestamp, unreachableByMs } from '../normalize/timestamp.ts'
import { eventIdFromPosition, type ProcessedRows } from '../process/processed.ts'
import { scrubEnvelope, scrubLog } from '../scrub/index.ts'
import { factsOfAttributes } from '../spans/facts-of-attributes.ts'
import { chain, drop, type Stage } from '../stage-runner.ts'
import type { ItemInput } from '../stages/event-input.ts'
import { filterReason } from '../stages/filter.ts'
import { functionsOf } from './profile-functions.ts'
import { symbolicateFrames } from './profile-symbols.ts'
import { bodyOf, type Profile } from './profile.ts'
import { readProfile } from './read-profile.ts'

type About = {
  readonly profileId: string
  /** Empty: of one transaction. */
  readonly profilerId: string
  readonly transaction: string
  readonly transactionId: string
  readonly traceId: string
  readonly threadId: string
  readonly attributes: Readonly<Record<string, string | number>>
}
type ReadProfile = ItemInput & { readonly raw: RawObject; readonly about: About; readonly profile: Profile }
type EncodedProfile = { readonly item: ProcessedRows; readonly outcomes: readonly OutcomeFields[] }

/** As of events: what is larger is no half a minute of anything. Stacks nest four deep. */
const LIMITS = { maxBytes: 20 * 1024 * 1024, maxDepth: 12 }

const read: Stage<ItemInput, ReadProfile> = {
  name: 'read profile',
  run(input) {
    const parsed = parseEventJson(input.payload, LIMITS)
    if (!parsed.ok)
      return drop('invalid', parsed.reason === 'too_large' ? 'too_large' : 'bad_json', parsed.detail)
    const raw = parsed.value
    if (!isObject(raw)) return drop('invalid', 'bad_payload')
    const about = aboutOf(raw, input)
    const sentMs = (parseTimestamp(raw.timestamp) ?? input.receivedMs / 1000) * 1000
    const profile = readProfile(raw.profile, text(raw.platform), about.profilerId === '' ? sentMs : undefined)
    if (profile === undefined) return drop('invalid', 'bad_payload')
    const startMs = profile.startMs + clockShiftSec(input.context) * 1000
    const { receivedMs, settings } = input
    const aheadMs = unreachableByMs(startMs + profile.durationMs, receivedMs, settings.retentionDays)
    return { ...input, raw, about, profile: { ...profile, startMs: startMs - aheadMs } }
  },
}

const MAX_TEXT = 200
const text = (value: unknown): string => (lenientText(value) ?? '').slice(0, MAX_TEXT)

function aboutOf(raw: RawObject, input: ItemInput): About {
  // Old SDKs sent a list of transactions, or their members beside the profile.
  const listed: unknown = Array.isArray(raw.transactions) ? raw.transactions[0] : undefined
  const transaction = objectOf(raw.transaction ?? listed)
  const isChunk = input.header.type !== 'profile'
  const ownId = normalizeEventId(isChunk ? raw.chunk_id : (raw.event_id ?? raw.profile_id))
  const agent = text(objectOf(objectOf(raw.request).headers)['User-Agent'])
  const os = objectOf(raw.os)
  const sdk = objectOf(raw.client_sdk)
  return {
    profileId: ownId ?? eventIdFromPosition(input),
    profilerId: isChunk ? (normalizeEventId(raw.profiler_id) ?? ownId ?? eventIdFromPosition(input)) : '',
    transaction: isChunk ? '' : text(transaction.name ?? raw.transaction_name) || '<unlabeled transaction>',
    transactionId: normalizeEventId(transaction.id ?? raw.transaction_id) ?? '',
    traceId: hexId(transaction.trace_id ?? raw.trace_id, 32) ?? normalizeEventId(raw.trace_id) ?? '',
    threadId: text(transaction.active_thread_id),
    attributes: known({
      'sentry.release': text(raw.release),
      'sentry.environment': text(raw.environment),
      'sentry.platform': text(raw.platform),
      'sentry.sdk.name': text(sdk.name),
      'sentry.sdk.version': text(sdk.version),
      'os.name': text(os.name),
      'user_agent.original': agent,
    }),
  }
}

const known = (attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''))

const filter: Stage<ReadProfile, ReadProfile> = {
  name: 'filter profile',
  run(input) {
    const release = text(input.raw.release)
    const headers: [string, string][] = [['User-Agent', input.envelope.userAgent ?? '']]
    const reason = filterReason({ release, request: { headers } }, input.settings.filters)
    return reason === undefined ? input : drop('filtered', reason)
  },
}

const symbolicate: Stage<ReadProfile, ReadProfile, MissingFiles> = {
  name: 'symbolicate profile',
  run(input) {
    const { files, projectId, raw, profile } = input
    if (!files) return input
    const frames = symbolicateFrames(
      profile.frames,
      {
        projectId,
        platform: text(raw.platform),
        release: text(raw.release),
        dist: text(raw.dist) || undefined,
        debugMeta: isObject(raw.debug_meta) ? (raw.debug_meta as JsonObject) : undefined,
      },
      files,
    )
    if (isMissingFiles(frames)) return frames
    return { ...input, profile: { ...profile, frames } }
  },
}

const encode: Stage<ReadProfile, EncodedProfile> = {
  name: 'encode profile',
  run({ about, profile, header, ...input }) {
    const { partition, position, itemIndex, projectId, keyId, receivedMs, settings } = input
    const category = header.type === 'profile' ? 'profile' : 'profile_chunk'
    const transaction = scrubbed(about.transaction, input)
    const shared = {
      projectId,
      receivedMs,
      logPartition: partition,
      logPosition: position,
      itemIndex,
      profileId: about.profileId,
      // Which traces are stored says nothing of which were profiled: each stands for itself.
      ...factsOfAttributes(about.attributes, scrubEnvelope(input.envelope, settings.scrub)),
      sampleRate: 1,
      transaction,
      timestampMs: profile.startMs,
    }
    const body = bodyOf(profile)
    const row = encodeProfileRow({
      ...shared,
      profilerId: about.profilerId,
      transactionId: about.transactionId,
      traceId: about.traceId,
      threadId: about.threadId,
      durationMs: profile.durationMs,
      samples: profile.samples.length / 3,
      frames: profile.frames.length,
      threads: profile.threads.length,
      remark: profile.remark,
      bodySize: Buffer.byteLength(body),
      body,
    })
    const functions = functionsOf(profile, about.threadId).map((each) =>
      encodeProfileFunctionRow({ ...shared, ...each }),
    )
    return {
      item: {
        position,
        itemIndex,
        projectId,
        keyId,
        // Its transaction may have the same id.
        eventId: hash('sha256', `${category} ${about.profilerId} ${about.profileId}`, 'hex').slice(0, 32),
        category,
        receivedMs,
        timestampMs: Math.round(profile.startMs),
        releases: [shared.release].filter(isReleaseName),
        counts: [{ category, quantity: 1 }],
        rows: {
          profiles: row,
          ...(functions.length > 0 && { profile_functions: functions.join('\n') }),
        },
      },
      outcomes: [],
    }
  },
}

function scrubbed(name: string, { settings }: Pick<ItemInput, 'settings'>): string {
  const line = { traceId: '', spanId: '', timestampMs: 0, sequence: 0, severity: '', severityNumber: 0 }
  return scrubLog({ ...line, body: name, attributes: {} }, settings.scrub).body
}

export const PROFILE_STAGES = chain([read, filter, symbolicate, encode])

/** The way of sessions, from the bytes of their item to rows. Pure: runs on worker threads. */
import { hash } from 'node:crypto'
import { normalizeEventId } from '@sonde/protocol/event-id'
import { encodeSessionRow, type OutcomeFields } from '@sonde/stores'
import { parseEventJson } from '../normalize/index.ts'
import { createRemarks, rootScope } from '../normalize/meta-remarks.ts'
import { isObject, lenientText, type RawObject } from '../normalize/read-fields.ts'
import { readReleaseFields } from '../normalize/release.ts'
import { clockShiftSec } from '../normalize/timestamp.ts'
import { eventIdFromPosition, type ProcessedRows } from '../process/processed.ts'
import { chain, drop, type Stage } from '../stage-runner.ts'
import type { ItemInput } from '../stages/event-input.ts'
import { filterReason } from '../stages/filter.ts'
import { readAggregate, readSession, type Session, wholeQuarters } from './session.ts'

type ParsedSessions = ItemInput & { readonly raw: RawObject; readonly attrs: RawObject }
type ReadSessions = ParsedSessions & {
  readonly sessions: readonly Session[]
  readonly release: string
  readonly environment: string
  /** Counts that could not be read, and that were more than one item may hold. */
  readonly bad: number
  readonly tooMany: number
}
type EncodedSessions = { readonly item: ProcessedRows; readonly outcomes: readonly OutcomeFields[] }

const parse: Stage<ItemInput, ParsedSessions> = {
  name: 'parse sessions',
  run(input) {
    const parsed = parseEventJson(input.payload)
    if (!parsed.ok)
      return drop('invalid', parsed.reason === 'too_large' ? 'too_large' : 'bad_json', parsed.detail)
    const raw = parsed.value
    return isObject(raw) && isObject(raw.attrs)
      ? { ...input, raw, attrs: raw.attrs }
      : drop('invalid', 'bad_payload')
  },
}

/** A minute of a server has a few, one for each of its users; an item has room for forty thousand. */
const MAX_AGGREGATES = 10_000

const read: Stage<ParsedSessions, ReadSessions> = {
  name: 'read sessions',
  run(input) {
    const { raw, attrs, header, receivedMs, context } = input
    // Sessions are of a release or of nothing; names that could be none of an event's are none of theirs.
    const { release, environment = '' } = readReleaseFields(rootScope(createRemarks()), attrs)
    if (release === undefined) return drop('invalid', 'bad_payload')
    const shiftMs = wholeQuarters(clockShiftSec({ receivedMs, sentAtMs: context.sentAtMs }))
    const clock = { receivedMs, shiftMs }
    const base = { ...input, release, environment }
    if (header.type === 'session') {
      const session = readSession(raw, clock)
      return session ? { ...base, sessions: [session], bad: 0, tooMany: 0 } : drop('invalid', 'bad_payload')
    }
    if (!Array.isArray(raw.aggregates)) return drop('invalid', 'bad_payload')
    const list: readonly unknown[] = raw.aggregates
    const results = list.slice(0, MAX_AGGREGATES).map((each) => readAggregate(each, clock))
    const sessions = results.filter((each) => each !== undefined && each !== 'none')
    const bad = results.filter((each) => each === undefined).length
    if (sessions.length === 0) return drop('invalid', 'bad_payload')
    return { ...base, sessions, bad, tooMany: list.length - results.length }
  },
}

const filter: Stage<ReadSessions, ReadSessions> = {
  name: 'filter sessions',
  run(input) {
    const { release, attrs, envelope, settings } = input
    const agent = lenientText(attrs.user_agent) ?? envelope.userAgent ?? ''
    const reason = filterReason({ release, request: { headers: [['User-Agent', agent]] } }, settings.filters)
    return reason === undefined ? input : drop('filtered', reason)
  },
}

const encode: Stage<ReadSessions, EncodedSessions> = {
  name: 'encode sessions',
  run(input) {
    const { partition: logPartition, position, itemIndex, projectId, keyId, receivedMs } = input
    const { sessions, release, environment, bad, tooMany, envelope } = input
    const eventId = repeatIdOf(input)
    const shared = {
      projectId,
      receivedMs,
      logPartition,
      logPosition: position,
      itemIndex,
      release,
      environment,
    }
    const sdkName = envelope.sdk?.name ?? envelope.sdkClient?.split('/')[0] ?? ''
    const lines = sessions.map(({ sessionId, user, ...session }, at) =>
      encodeSessionRow({
        ...shared,
        ...session,
        sdkName: sdkName.slice(0, MAX_SDK_CHARS),
        sessionId: idOf(sessionId, `${eventId} ${at}`),
        // Who it was is shown nowhere, so it is not kept: only that it is the same one.
        userHash: user === '' ? '' : hash('sha256', `${projectId} ${user}`, 'hex').slice(0, 16),
      }),
    )
    const lost = [
      { reason: 'bad_payload' as const, quantity: bad },
      { reason: 'too_many_items' as const, quantity: tooMany },
    ]
    const by = { atMs: receivedMs, projectId, keyId, category: 'session', outcome: 'invalid' as const }
    return {
      item: {
        position,
        itemIndex,
        projectId,
        keyId,
        eventId,
        category: 'session',
        receivedMs,
        timestampMs: sessions[0]?.startedMs ?? receivedMs,
        releases: [release],
        counts: [{ category: 'session', quantity: sessions.length }],
        rows: { sessions: lines.join('\n') },
      },
      outcomes: lost.flatMap((each) => (each.quantity > 0 ? [{ ...by, ...each }] : [])),
    }
  },
}

const MAX_SDK_CHARS = 100

/** SDKs name sessions by UUIDs; whatever else stands there tells them apart as well. */
const idOf = (sessionId: string | undefined, otherwise: string): string =>
  normalizeEventId(sessionId) ?? hash('sha256', sessionId ?? otherwise, 'hex').slice(0, 32)

/**
 * What tells that an item came before. The bytes of an update do: it names its session. Counts do not, since two servers
 * count the same in the same minute: with when and by whom they were sent they do, and without that nothing does.
 */
function repeatIdOf({ payload, header, context, partition, position, itemIndex, keyId }: ItemInput): string {
  const own = hash('sha256', payload, 'hex')
  if (header.type === 'session') return own.slice(0, 32)
  if (context.sentAtMs === undefined) return eventIdFromPosition({ partition, position, itemIndex })
  const sent = `${own} ${context.sentAtMs} ${keyId} ${context.clientIp ?? ''}`
  return hash('sha256', sent, 'hex').slice(0, 32)
}

export const SESSION_STAGES = chain([parse, read, filter, encode])

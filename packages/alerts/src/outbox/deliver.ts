/**
 * Takes what is due out of the outbox and delivers it. Each is marked before it is sent and noted afterwards: a crash between
 * the two sends it once more, under the same key. One process at a time runs this, by lease.
 */
import { type Clock, forEachAtOnce, type Logger } from '@sonde/base'
import { type MailPace, type Records, seesProject, writeTransaction } from '@sonde/stores'
import { sql } from 'kysely'
import type { DeliveryResult } from '../channels/channel.ts'
import { type ChannelDeps, deliverToChannel, isPager } from '../channels/channels.ts'
import type { Mailer } from '../mail/mailer.ts'
import { unsubscribeToken } from '../mail/unsubscribe.ts'
import { digestOf, readMessage } from '../messages/message.ts'
import type { Pusher } from '../push/pusher.ts'
import { nextAttemptMs } from './retry.ts'
import { keepThread, threadOf, threadPlace } from './threads.ts'

export type DeliverDeps = {
  readonly records: Records
  readonly clock: Clock
  readonly logger: Logger
  readonly publicUrl: string
  readonly channels: ChannelDeps
  /** Undefined: mail is not set up. */
  readonly mailer: Mailer | undefined
  readonly pusher: Pusher
  /** Called after each step of a delivery; tests end the process here. */
  readonly afterStep?: (step: DeliveryStep) => void | Promise<void>
}

const DELIVERY_STEPS = ['claimed', 'delivered', 'noted'] as const
export type DeliveryStep = (typeof DELIVERY_STEPS)[number]

/** More to one place within a minute become one message. */
const SINGLE_A_MINUTE = 10
const MINUTE_MS = 60_000
const HOLD_MS = 10_000

const DUE_AT_ONCE = 2_000
const PLACES_AT_ONCE = 8

/** Of those that are waiting or, because their sender died, still marked as being sent. */
export const nextDueMs = async (records: Records): Promise<number | undefined> => {
  const row = await records
    .selectFrom('notification')
    .select((eb) => eb.fn.min('next_attempt_ms').as('at'))
    .where('state', 'in', ['waiting', 'sending'])
    .executeTakeFirst()
  return row?.at ?? undefined
}

type Due = Awaited<ReturnType<typeof readDue>>[number]

const SEES_PROJECT = sql<0 | 1>`CASE WHEN notification.project_id IS NULL
  OR ${seesProject(sql.ref('notification.user_id'), sql.ref('notification.project_id'))} THEN 1 ELSE 0 END`

/** Whoever lost access since it was written is not told any more. */
const isLost = ({ medium, role, disabledMs, seesProject: sees }: Due): boolean =>
  (medium === 'email' || medium === 'push') && (role === null || disabledMs !== null || sees === 0)

const readDue = (records: Records, nowMs: number) =>
  records
    .selectFrom('notification')
    .leftJoin('notification_channel', 'notification_channel.id', 'notification.channel_id')
    .leftJoin('user', 'user.id', 'notification.user_id')
    .leftJoin('member', (join) =>
      join
        .onRef('member.user_id', '=', 'notification.user_id')
        .onRef('member.org_id', '=', 'notification.org_id'),
    )
    .leftJoin('notification_setting as setting', (join) =>
      join
        .onRef('setting.user_id', '=', 'notification.user_id')
        .onRef('setting.medium', '=', 'notification.medium')
        .on('setting.project_id', 'is', null),
    )
    .select(['notification.id', 'notification.dedup_key', 'notification.org_id', 'notification.medium'])
    .select(['notification.project_id', 'setting.pace', 'member.role', 'user.disabledMs'])
    .select(SEES_PROJECT.as('seesProject'))
    .select([
      'notification.channel_id',
      'notification.user_id',
      'notification.message',
      'notification.attempts',
    ])
    .select([
      'notification_channel.kind',
      'notification_channel.settings',
      'notification_channel.secret',
      'user.email',
    ])
    .where('notification.state', 'in', ['waiting', 'sending'])
    .where('notification.next_attempt_ms', '<=', nowMs)
    .orderBy('notification.id')
    .limit(DUE_AT_ONCE)
    .execute()

/** Delivers what is due, in order for each place. Ends early, between two messages, when the signal does. */
export async function deliverDue(deps: DeliverDeps, signal: AbortSignal): Promise<number> {
  const due = await readDue(deps.records, deps.clock.nowMs())
  const places = [...Map.groupBy(due, placeOf).values()]
  await forEachAtOnce(places, PLACES_AT_ONCE, signal, (own) => deliverTo(deps, own, signal))
  return due.length
}

/** A person's of each organization: what one of them tells does not go with another's. */
const placeOf = ({
  medium,
  org_id,
  channel_id,
  user_id,
}: Pick<Due, 'medium' | 'org_id' | 'channel_id' | 'user_id'>): string =>
  `${medium} ${org_id} ${channel_id ?? user_id}`

async function deliverTo(deps: DeliverDeps, all: readonly Due[], signal: AbortSignal): Promise<void> {
  // Not with others: a digest would tell it.
  await deliverEach(deps, all.filter(isLost), signal)
  const due = all.filter((each) => !isLost(each))
  const [first] = due
  if (!first) return
  if (isPager(first.kind)) return deliverEach(deps, due, signal)
  const nowMs = deps.clock.nowMs()
  const { pace } = first
  if (pace !== null && pace !== 'once' && due.length > 1)
    return deliver(deps, await foldIntoDigest(deps, due, PERIODS[pace], nowMs))
  const sent = await sentWithinMinute(deps.records, first, nowMs)
  if (sent.count + due.length <= SINGLE_A_MINUTE) return deliverEach(deps, due, signal)
  // The next digest a minute after the last, so that a trickle is not a digest for each drop.
  if (sent.hasDigest || due.length === 1) return hold(deps.records, due, nowMs + HOLD_MS)
  await deliver(deps, await foldIntoDigest(deps, due, PERIODS.once, nowMs))
}

async function deliverEach(deps: DeliverDeps, due: readonly Due[], signal: AbortSignal): Promise<void> {
  for (const each of due) {
    if (signal.aborted) return
    await deliver(deps, each)
  }
}

/** Of what a digest stands for. */
const PERIODS: Readonly<Record<MailPace, string>> = {
  once: 'within a minute',
  hour: 'in the last hour',
  day: 'in the last day',
}

async function sentWithinMinute(
  records: Records,
  { medium, org_id, channel_id, user_id }: Due,
  nowMs: number,
) {
  const rows = await records
    .selectFrom('notification')
    .select('dedup_key')
    .where('medium', '=', medium)
    .where('org_id', '=', org_id)
    .where(channel_id === null ? 'user_id' : 'channel_id', '=', channel_id ?? user_id)
    .where('state', '=', 'sent')
    .where('done_ms', '>', nowMs - MINUTE_MS)
    .limit(SINGLE_A_MINUTE + 1)
    .execute()
  return { count: rows.length, hasDigest: rows.some(({ dedup_key }) => dedup_key.startsWith('digest:')) }
}

async function hold(records: Records, due: readonly Due[], untilMs: number): Promise<void> {
  await records
    .updateTable('notification')
    .set({ next_attempt_ms: untilMs })
    .where(
      'id',
      'in',
      due.map(({ id }) => id),
    )
    .execute()
}

/** The digest takes their place in one transaction, so each of them is told once, by itself or by it. */
function foldIntoDigest(
  { records, publicUrl }: DeliverDeps,
  due: readonly Due[],
  period: string,
  nowMs: number,
): Promise<Due> {
  const messages = due.map(({ message }) => readMessage(message))
  const url = `${publicUrl}/${messages[0]?.org ?? ''}/issues`
  const message = JSON.stringify(digestOf(messages, { url, period, atMs: nowMs }))
  const projectIds = new Set(due.map((each) => each.project_id))
  const project_id = projectIds.size === 1 ? (due[0]?.project_id ?? null) : null
  return writeTransaction(records, async (tx) => {
    const [first] = due
    if (!first) throw new Error('a digest of nothing')
    const { org_id, medium, channel_id, user_id } = first
    const dedup_key = `digest:${due
      .map(({ id }) => id)
      .join('-')
      .slice(0, 200)}:${placeOf(first)}`
    const { id } = await tx
      .insertInto('notification')
      .values({
        dedup_key,
        org_id,
        project_id,
        incident_id: null,
        medium,
        channel_id,
        user_id,
        message,
        state: 'waiting',
        next_attempt_ms: nowMs,
        created_ms: nowMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('notification')
      .set({ state: 'digested', digest_id: id, done_ms: nowMs })
      .where(
        'id',
        'in',
        due.map((each) => each.id),
      )
      .execute()
    return { ...first, id, dedup_key, project_id, message, attempts: 0 }
  })
}

async function deliver(deps: DeliverDeps, due: Due): Promise<void> {
  const { records, clock, logger, afterStep = () => undefined } = deps
  const attempts = due.attempts + 1
  await records
    .updateTable('notification')
    .set({ state: 'sending', attempts })
    .where('id', '=', due.id)
    .execute()
  await afterStep('claimed')
  // A bug in one way of delivery must not keep the others from theirs.
  const result = await send(deps, due).catch((error: unknown): DeliveryResult => {
    logger.error({ err: error, notification: due.id }, 'a notification could not be made; trying again')
    const answer = `could not be made: ${error instanceof Error ? error.message : String(error)}`
    return { isDelivered: false, answer: answer.slice(0, 500), again: 'later' }
  })
  await afterStep('delivered')
  const nowMs = clock.nowMs()
  const { answer } = result
  const failed = { state: 'failed', done_ms: nowMs, answer } as const
  const noted = result.isDelivered
    ? ({ state: 'sent', done_ms: nowMs, answer } as const)
    : result.again === 'never'
      ? failed
      : (laterOf(attempts, nowMs, result) ?? failed)
  if (noted.state === 'failed')
    logger.warn({ notification: due.id, answer }, 'a notification was not delivered')
  await records.updateTable('notification').set(noted).where('id', '=', due.id).execute()
  if (due.channel_id !== null) await noteChannel(records, due.channel_id, result.isDelivered, nowMs)
  await afterStep('noted')
}

function laterOf(
  attempts: number,
  nowMs: number,
  { answer, afterMs }: { answer: string; afterMs?: number | undefined },
) {
  const next_attempt_ms = nextAttemptMs(attempts, nowMs, afterMs)
  return next_attempt_ms === undefined ? undefined : ({ state: 'waiting', next_attempt_ms, answer } as const)
}

async function send(
  { channels, mailer, pusher, clock, records }: DeliverDeps,
  due: Due,
): Promise<DeliveryResult> {
  const message = readMessage(due.message)
  const delivery = { key: due.dedup_key, message, nowMs: clock.nowMs() }
  if (isLost(due)) {
    const answer =
      due.role === null || due.disabledMs !== null
        ? 'no longer a member of the organization'
        : 'no longer sees the project'
    return { isDelivered: false, answer, again: 'never' }
  }
  if (due.medium === 'push') return pusher.deliver(due.user_id ?? '', delivery)
  if (due.medium === 'email') {
    if (!mailer || due.email === null)
      return { isDelivered: false, answer: 'mail is not set up: SONDE_SMTP_URL', again: 'never' }
    const unsubscribe = await unsubscribeToken(channels.seal, {
      userId: due.user_id ?? '',
      projectId: due.project_id,
      ...(message.reason !== undefined &&
        (message.issue === undefined ? { isActivity: true } : { issueId: message.issue.id })),
    })
    return mailer.deliver(due.email, { ...delivery, unsubscribe })
  }
  const { kind, settings, secret } = due
  if (kind === null || settings === null || secret === null)
    return { isDelivered: false, answer: 'its channel was deleted', again: 'never' }
  const place = threadPlace(due, message)
  const thread = place && (await threadOf(records, place))
  const result = await deliverToChannel(
    channels,
    { kind, settings, secret },
    { ...delivery, ...(thread !== undefined && { thread }) },
  )
  const begun = result.isDelivered ? result.thread : undefined
  if (place && begun !== undefined)
    await writeTransaction(records, (tx) => keepThread(tx, place, begun, delivery.nowMs))
  return result
}

/** Since when it does not work, for whoever looks at the list of channels. */
async function noteChannel(records: Records, id: number, isDelivered: boolean, nowMs: number): Promise<void> {
  await records
    .updateTable('notification_channel')
    .set({ failing_since_ms: isDelivered ? null : nowMs })
    .where('id', '=', id)
    .where('failing_since_ms', isDelivered ? 'is not' : 'is', null)
    .execute()
}

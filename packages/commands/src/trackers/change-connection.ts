/** Connects an organization to issue trackers, changes, tries and ends the connections. */
import { randomBytes } from 'node:crypto'
import { actorOf, type Grant } from '@sonde/access'
import { openTracker, type TrackerDeps, trackerOf, TrackerRefusal } from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import { type AuditAction, type Records, TRACKER_KINDS, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, nameField, readInput } from '../fields.ts'

type TrackerGrant = Grant<'integration:write', 'org'>

/** Of one organization. */
const MAX_TRACKERS = 100

const record = z.record(z.string(), z.unknown())
const CREATE = z.object({
  kind: z.enum(TRACKER_KINDS, { error: `is one of ${TRACKER_KINDS.join(', ')}` }),
  name: nameField,
  settings: record.default({}),
  secret: record.default({}),
  isSyncedIn: z.boolean().default(true),
  isSyncedOut: z.boolean().default(true),
})

/**
 * `settings` and `secret`: as the kind's file in `packages/alerts/src/trackers` says. `secret.webhookSecret` may be left out
 * where the tracker takes one that it is given.
 */
export type CreateTrackerInput = z.input<typeof CREATE>

export type CreatedTracker = {
  readonly id: number
  /** What the tracker has to sign its webhooks with, when none was given. Shown this once. */
  readonly webhookSecret: string | undefined
}

/** Throws `InvalidInput`. */
export async function createTracker(
  deps: CommandDeps,
  grant: TrackerGrant,
  input: CreateTrackerInput,
): Promise<CreatedTracker> {
  const operation = 'connect an issue tracker'
  const { kind, name, isSyncedIn, isSyncedOut, ...given } = readInput(operation, CREATE, input)
  const webhookSecret = isGiven(given.secret['webhookSecret']) ? undefined : newWebhookSecret()
  const tracker = trackerOf(kind)
  const settings = readInput(operation, tracker.settings, given.settings)
  const secret = readInput(operation, tracker.secret, {
    ...given.secret,
    ...(webhookSecret !== undefined && { webhookSecret }),
  })
  const sealed = await deps.access.seal.seal(JSON.stringify(secret))
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const { count } = await tx
      .selectFrom('tracker_connection')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('org_id', '=', grant.orgId)
      .executeTakeFirstOrThrow()
    if (count >= MAX_TRACKERS)
      throw new InvalidInput(operation, { name: [`there are at most ${MAX_TRACKERS} trackers: delete one`] })
    const { id } = await tx
      .insertInto('tracker_connection')
      .values({
        org_id: grant.orgId,
        kind,
        name,
        settings: JSON.stringify(settings),
        secret: sealed,
        sync_in: Number(isSyncedIn),
        sync_out: Number(isSyncedOut),
        created_by: actorOf(grant.viewer),
        created_ms: atMs,
        updated_ms: atMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(tx, grant, 'tracker.create', { trackerId: id, kind, name, isSyncedIn, isSyncedOut }, atMs)
    return { id, webhookSecret }
  })
}

const ID = { trackerId: z.int().positive() }
const UPDATE = z.object({
  ...ID,
  name: nameField.optional(),
  settings: record.optional(),
  /** What is left out of it stays. */
  secret: record.optional(),
  isSyncedIn: z.boolean().optional(),
  isSyncedOut: z.boolean().optional(),
  /** What was signed with the one before is not taken any more. */
  newWebhookSecret: z.boolean().default(false),
})
export type UpdateTrackerInput = z.input<typeof UPDATE>

/**
 * What is left out stays. Another address needs the token again: whoever may change the connection must not have it sent
 * elsewhere. `webhookSecret`: a new one, shown this once. Throws `InvalidInput`, `SondeError` (`not-found`).
 */
export async function updateTracker(
  deps: CommandDeps,
  grant: TrackerGrant,
  input: UpdateTrackerInput,
): Promise<Pick<CreatedTracker, 'webhookSecret'>> {
  const operation = 'change a connection to an issue tracker'
  const { trackerId, name, isSyncedIn, isSyncedOut, ...given } = readInput(operation, UPDATE, input)
  const before = await openConnection(deps.records, grant, operation, trackerId)
  const { kind } = before
  const tracker = trackerOf(kind)
  const settings = given.settings && readInput(operation, tracker.settings, given.settings)
  if (
    settings &&
    hostOf(settings) !== hostOf(JSON.parse(before.settings)) &&
    !isGiven(given.secret?.['token'])
  )
    throw new InvalidInput(operation, { token: ['is needed again for another address'] })
  const secret = await secretAfter(deps, before.secret, given)
  const sealed =
    secret &&
    (await deps.access.seal.seal(JSON.stringify(readInput(operation, tracker.secret, secret.value))))
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    await tx
      .updateTable('tracker_connection')
      .set({
        updated_ms: atMs,
        failing_since_ms: null,
        ...(name !== undefined && { name }),
        ...(settings && { settings: JSON.stringify(settings) }),
        ...(sealed !== undefined && { secret: sealed }),
        ...(isSyncedIn !== undefined && { sync_in: Number(isSyncedIn) }),
        ...(isSyncedOut !== undefined && { sync_out: Number(isSyncedOut) }),
      })
      .where('id', '=', trackerId)
      .execute()
    const detail = {
      trackerId,
      kind,
      name: name ?? before.name,
      isSyncedIn,
      isSyncedOut,
      isSecretChanged: sealed !== undefined,
    }
    await audit(tx, grant, 'tracker.update', detail, atMs)
  })
  return { webhookSecret: secret?.made }
}

/** Undefined: it stays. Of one that cannot be opened any more nothing is left. */
async function secretAfter(
  { access }: CommandDeps,
  sealed: string,
  {
    secret: given = {},
    newWebhookSecret: isNew,
  }: Pick<z.output<typeof UPDATE>, 'secret' | 'newWebhookSecret'>,
): Promise<{ readonly value: unknown; readonly made: string | undefined } | undefined> {
  const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => isGiven(value)))
  if (Object.keys(changed).length === 0 && !isNew) return undefined
  const opened = await access.seal.open(sealed).catch(() => '{}')
  const value: Record<string, unknown> = { ...(JSON.parse(opened) as object), ...changed }
  const made = isNew || !isGiven(value['webhookSecret']) ? newWebhookSecret() : undefined
  return { value: { ...value, ...(made !== undefined && { webhookSecret: made }) }, made }
}

const NAMED = z.object(ID)

/** The links go with it; what they led to stays at the tracker. Throws `SondeError` (`not-found`). */
export async function deleteTracker(
  deps: CommandDeps,
  grant: TrackerGrant,
  input: { readonly trackerId: number },
): Promise<{ readonly name: string }> {
  const operation = 'end a connection to an issue tracker'
  const { trackerId } = readInput(operation, NAMED, input)
  const { kind, name } = await openConnection(deps.records, grant, operation, trackerId)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    await tx.deleteFrom('tracker_connection').where('id', '=', trackerId).execute()
    await audit(tx, grant, 'tracker.delete', { trackerId, kind, name }, atMs)
  })
  return { name }
}

export type TrackerTest = {
  readonly isWorking: boolean
  /** For people: as whom the token acts, or what the tracker said. */
  readonly answer: string
}

/** Asks the tracker who the token is and whether it sees each place. Throws `SondeError` (`not-found`). */
export async function testTracker(
  deps: CommandDeps,
  grant: TrackerGrant,
  input: { readonly trackerId: number },
): Promise<TrackerTest> {
  const operation = 'try a connection to an issue tracker'
  const { trackerId } = readInput(operation, NAMED, input)
  const row = await openConnection(deps.records, grant, operation, trackerId)
  const result = await check(trackersOf(deps), row)
  const atMs = deps.clock.nowMs()
  if (result.isWorking)
    await deps.records
      .updateTable('tracker_connection')
      .set({ failing_since_ms: null })
      .where('id', '=', trackerId)
      .execute()
  const detail = { trackerId, kind: row.kind, isWorking: result.isWorking }
  await audit(deps.records, grant, 'tracker.test', detail, atMs)
  return result
}

async function check(deps: TrackerDeps, row: ConnectionRow): Promise<TrackerTest> {
  try {
    const { client, settings, tracker } = await openTracker(deps, row)
    return {
      isWorking: true,
      answer: `${tracker.name} knows the token as ${await client.check()}, who sees ${settings.places.join(', ')}`,
    }
  } catch (error) {
    if (!(error instanceof TrackerRefusal)) throw error
    return { isWorking: false, answer: error.message }
  }
}

type ConnectionRow = Awaited<ReturnType<typeof openConnection>>

export const trackersOf = ({ trackers }: CommandDeps): TrackerDeps => {
  if (trackers) return trackers
  throw new Error('no requests to issue trackers were set up')
}

export async function openConnection(
  records: Records,
  { orgId }: { readonly orgId: number },
  operation: string,
  trackerId: number,
) {
  const row = await records
    .selectFrom('tracker_connection')
    .select(['id', 'kind', 'name', 'settings', 'secret'])
    .where('id', '=', trackerId)
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  if (row) return row
  throw new SondeError('not-found', `there is no issue tracker ${trackerId}`, {
    operation,
    subject: String(trackerId),
  })
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== ''

/** Where the token is sent. */
function hostOf(settings: unknown): string {
  const { url, apiUrl } = settings as { readonly url?: string; readonly apiUrl?: string }
  return url ?? apiUrl ?? ''
}

/** Visible characters alone: every tracker takes it into its form. */
const newWebhookSecret = (): string => randomBytes(32).toString('base64url')

const audit = (
  tx: Records,
  { orgId, orgSlug, viewer }: TrackerGrant,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  atMs: number,
): Promise<void> => writeAudit(tx, { orgId, viewer, action, subject: orgSlug, detail, atMs })

/** Makes issues at trackers, links those that exist, and ends links. */
import { randomUUID } from 'node:crypto'
import { actorOf, type Grant } from '@sonde/access'
import {
  type ExternalIssue,
  type IssueDraft,
  issueUrl,
  MAX_TITLE_CHARS,
  openTracker,
  type OpenTracker,
  readDraft,
  readIssueFacts,
  TrackerRefusal,
} from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import { type AuditAction, noteIssueChange, type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput, textField } from '../fields.ts'
import { followed, grantedIssues } from '../issues/many-issues.ts'
import { openConnection, trackersOf } from './change-connection.ts'

type LinkGrant = Grant<'event:write', 'org' | 'project'>

/** Of one issue. */
const MAX_LINKS = 20

const place = z.string().trim().max(200).optional()

const SEARCH = z.object({
  trackerId: z.int().positive(),
  /** One of the connection's; absent: its first. */
  place,
  text: z.string().max(500, 'has at most 500 characters').default(''),
})

/**
 * Issues of the tracker to choose from: the one whose key or address was typed, or those that the words find, newest change first.
 * Throws `InvalidInput`, `SondeError` (`not-found`) and `TrackerRefusal` (`invalid`) with what the tracker said.
 */
export async function searchTracker(
  deps: CommandDeps,
  grant: LinkGrant,
  input: z.input<typeof SEARCH>,
): Promise<readonly ExternalIssue[]> {
  const operation = 'search an issue tracker'
  const { trackerId, text, ...given } = readInput(operation, SEARCH, input)
  const opened = await open(deps, grant, operation, trackerId)
  const key = keyIn(opened, text)
  if (key !== undefined) return [await opened.client.read(key)]
  return opened.client.search(placeIn(opened, operation, given.place), text.trim())
}

/** What a new issue of a tracker would say: for the form. Throws `SondeError` (`not-found`). */
export async function draftTrackerIssue(
  deps: CommandDeps,
  grant: LinkGrant,
  named: { readonly issueId: number },
): Promise<IssueDraft> {
  const issueId = await openIssue(deps.records, grant, 'draft an issue of a tracker', named.issueId)
  const draft = await readDraft(deps.records, deps.access.publicUrl, issueId)
  if (draft) return draft
  throw noIssue('draft an issue of a tracker', issueId)
}

const CREATE = z.object({
  issueId: z.int().positive(),
  trackerId: z.int().positive(),
  place,
  title: textField(MAX_TITLE_CHARS).default(''),
  /** Markdown. */
  body: z.string().max(30_000, 'has at most 30,000 characters').default(''),
})

export type LinkedIssue = { readonly id: number; readonly key: string; readonly url: string }

/**
 * Makes an issue at the tracker and links it. Without a title or body they are those of `draftTrackerIssue`. Throws as
 * `searchTracker` does.
 */
export async function createTrackerIssue(
  deps: CommandDeps,
  grant: LinkGrant,
  input: z.input<typeof CREATE>,
): Promise<LinkedIssue> {
  const operation = 'create an issue at a tracker'
  const { issueId: named, trackerId, ...given } = readInput(operation, CREATE, input)
  const issueId = await openIssue(deps.records, grant, operation, named)
  const draft = await draftTrackerIssue(deps, grant, { issueId })
  await refuseMany(deps.records, operation, issueId)
  const opened = await open(deps, grant, operation, trackerId)
  const where = placeIn(opened, operation, given.place)
  const made = await opened.client.create(
    where,
    { title: given.title || draft.title, body: given.body || draft.body },
    randomUUID(),
  )
  return keep(deps, grant, { issueId, trackerId, action: 'issue.create_external', found: made, answer: '' })
}

const LINK = z.object({
  issueId: z.int().positive(),
  trackerId: z.int().positive(),
  /** A key, a number, or the address of the issue. */
  key: z.string().trim().min(1, 'is needed').max(500, 'has at most 500 characters'),
})

/** Links an issue that exists; a comment there leads back. Linking it again changes nothing. Throws as `searchTracker` does. */
export async function linkTrackerIssue(
  deps: CommandDeps,
  grant: LinkGrant,
  input: z.input<typeof LINK>,
): Promise<LinkedIssue> {
  const operation = 'link an issue of a tracker'
  const { issueId: named, trackerId, key: text } = readInput(operation, LINK, input)
  const issueId = await openIssue(deps.records, grant, operation, named)
  const opened = await open(deps, grant, operation, trackerId)
  const key = keyIn(opened, text)
  if (key === undefined)
    throw new InvalidInput(operation, {
      key: [
        `is no issue of ${opened.tracker.name} in ${opened.settings.places.join(', ')}: write its key or its address`,
      ],
    })
  const found = await opened.client.read(key)
  const known = await deps.records
    .selectFrom('tracker_link')
    .select(['id', 'external_key as key', 'url'])
    .where('issue_id', '=', issueId)
    .where('connection_id', '=', trackerId)
    .where('external_id', '=', found.id)
    .executeTakeFirst()
  if (known) return known
  await refuseMany(deps.records, operation, issueId)
  const answer = await leadBack(deps, opened, issueId, found)
  return keep(deps, grant, { issueId, trackerId, action: 'issue.link', found, answer })
}

/** The link holds without it; what the tracker said of it is shown beside the link. */
async function leadBack(
  { records, access }: CommandDeps,
  { client }: OpenTracker,
  issueId: number,
  found: ExternalIssue,
): Promise<string> {
  const [facts] = await readIssueFacts(records, [issueId])
  if (!facts) return ''
  const shortId = `${facts.project_slug.toUpperCase()}-${facts.short_number}`
  try {
    await client.comment(found, `Linked to [${shortId}](${issueUrl(access.publicUrl, facts)}) in Sonde`)
    return ''
  } catch (error) {
    if (!(error instanceof TrackerRefusal)) throw error
    return `no comment could be written there: ${error.message}`
  }
}

const UNLINK = z.object({ issueId: z.int().positive(), linkId: z.int().positive() })

/** The issue of the tracker stays as it is. Throws `SondeError` (`not-found`). */
export async function unlinkTrackerIssue(
  deps: CommandDeps,
  grant: LinkGrant,
  input: z.input<typeof UNLINK>,
): Promise<{ readonly key: string }> {
  const operation = 'end a link to a tracker'
  const { issueId: named, linkId } = readInput(operation, UNLINK, input)
  const issueId = await openIssue(deps.records, grant, operation, named)
  return writeTransaction(deps.records, async (tx) => {
    const gone = await tx
      .deleteFrom('tracker_link')
      .where('id', '=', linkId)
      .where('issue_id', '=', issueId)
      .returning(['external_key as key', 'connection_id as trackerId'])
      .executeTakeFirst()
    if (!gone)
      throw new SondeError('not-found', `there is no link ${linkId}`, { operation, subject: String(linkId) })
    await noteLink(deps, tx, grant, 'unlinked', { issueId, ...gone })
    await audit(deps, tx, grant, 'issue.unlink', { issueId, ...gone })
    return { key: gone.key }
  })
}

type Kept = {
  readonly issueId: number
  readonly trackerId: number
  readonly action: 'issue.link' | 'issue.create_external'
  readonly found: ExternalIssue
  readonly answer: string
}

async function keep(
  deps: CommandDeps,
  grant: LinkGrant,
  { issueId, trackerId, action, found, answer }: Kept,
): Promise<LinkedIssue> {
  const { key, url } = found
  const nowMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const { id } = await tx
      .insertInto('tracker_link')
      .values({
        connection_id: trackerId,
        issue_id: issueId,
        external_id: found.id,
        external_key: key,
        url,
        title: found.title,
        state: found.isOpen ? 'open' : 'closed',
        changed_ms: found.changedMs,
        synced_ms: nowMs,
        created_by: actorOf(grant.viewer),
        created_ms: nowMs,
        wanted: '',
        next_attempt_ms: nowMs,
        answer,
      })
      .onConflict((on) =>
        on.columns(['issue_id', 'connection_id', 'external_id']).doUpdateSet({ synced_ms: nowMs }),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('tracker_connection')
      .set({ failing_since_ms: null })
      .where('id', '=', trackerId)
      .where('failing_since_ms', 'is not', null)
      .execute()
    await noteLink(deps, tx, grant, 'linked', { issueId, trackerId, key, url })
    await audit(deps, tx, grant, action, { issueId, trackerId, key })
    return { id, key, url }
  })
}

type Linked = {
  readonly issueId: number
  readonly trackerId: number
  readonly key: string
  readonly url?: string
}

/** In the activity of the issue. */
async function noteLink(
  { clock }: Pick<CommandDeps, 'clock'>,
  tx: Records,
  { viewer }: LinkGrant,
  kind: 'linked' | 'unlinked',
  { issueId, ...detail }: Linked,
): Promise<void> {
  const { project_id: projectId } = await tx
    .selectFrom('issue')
    .select('project_id')
    .where('id', '=', issueId)
    .executeTakeFirstOrThrow()
  await noteIssueChange(tx, { projectId, issueId, kind, actor: actorOf(viewer), detail }, clock.nowMs())
}

async function open(
  deps: CommandDeps,
  grant: LinkGrant,
  operation: string,
  trackerId: number,
): Promise<OpenTracker> {
  return openTracker(trackersOf(deps), await openConnection(deps.records, grant, operation, trackerId))
}

/** The token may see more than the connection is for. */
function keyIn({ tracker, settings }: OpenTracker, text: string): string | undefined {
  const key = tracker.readKey(settings, text)
  return key !== undefined && settings.places.includes(tracker.placeOf(key)) ? key : undefined
}

function placeIn(
  { settings: { places } }: OpenTracker,
  operation: string,
  wanted: string | undefined,
): string {
  const found = wanted ? places.find((each) => each === wanted) : places[0]
  if (found !== undefined) return found
  throw new InvalidInput(operation, { place: [`is one of ${places.join(', ')}`] })
}

async function refuseMany(records: Records, operation: string, issueId: number): Promise<void> {
  const { count } = await records
    .selectFrom('tracker_link')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('issue_id', '=', issueId)
    .executeTakeFirstOrThrow()
  if (count >= MAX_LINKS)
    throw new InvalidInput(operation, { key: [`an issue has at most ${MAX_LINKS} links: end one`] })
}

/** Its id, or that of the issue that it is part of now. */
async function openIssue(
  records: Records,
  grant: LinkGrant,
  operation: string,
  issueId: number,
): Promise<number> {
  const visible = await grantedIssues(records, grant, await followed(records, [issueId]))
    .select('issue.id')
    .executeTakeFirst()
  if (!visible) throw noIssue(operation, issueId)
  return visible.id
}

const noIssue = (operation: string, issueId: number): SondeError =>
  new SondeError('not-found', `there is no issue ${issueId}`, { operation, subject: String(issueId) })

const audit = (
  { clock }: CommandDeps,
  tx: Records,
  grant: LinkGrant,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> =>
  writeAudit(tx, {
    orgId: grant.orgId,
    viewer: grant.viewer,
    action,
    subject: nameOf(grant),
    detail,
    atMs: clock.nowMs(),
  })

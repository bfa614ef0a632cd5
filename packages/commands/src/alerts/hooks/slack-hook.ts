/**
 * Somebody pressed a button of a message in Slack, or assigns an issue there. Who that is, Slack says by the address of the person's account; what that
 * person may, the role in the organization. https://docs.slack.dev/interactivity/handling-user-interaction
 */
import { type UserViewer, viewerOfMember } from '@sonde/access'
import { BUTTONS_BLOCK } from '@sonde/alerts'
import { type Clock, errorKind, SondeError } from '@sonde/base'
import { InvalidInput } from '../../fields.ts'
import { assignIssues } from '../../issues/assign-issues.ts'
import { updateIssues } from '../../issues/update-issues.ts'
import { acknowledgeIncident, resolveIncident } from '../change-incident.ts'
import type { Assignee, Hook, HookChannel, HookDeps } from './hook.ts'
import { hmacHex, isSame, textOf } from './proof.ts'
import { readSlackPayload, type SlackPress, type SlackSuggestion } from './slack-payload.ts'
import { createSlackPeople, type SlackPeople } from './slack-people.ts'

const MAX_AGE_SEC = 5 * 60

export function createSlackHook(clock: Clock): Hook {
  const people = createSlackPeople(clock)
  return {
    /** https://docs.slack.dev/authentication/verifying-requests-from-slack */
    verify(secret, { headers, body }, nowMs) {
      const key = textOf(secret, 'signingSecret')
      const timestamp = headers.get('x-slack-request-timestamp') ?? ''
      if (key === undefined || !/^\d{1,12}$/.test(timestamp)) return false
      const given = headers.get('x-slack-signature') ?? ''
      const isSigned = isSame(given, `v0=${hmacHex(key, `v0:${timestamp}:`, body)}`)
      return isSigned && Math.abs(nowMs / 1_000 - Number(timestamp)) <= MAX_AGE_SEC
    },
    async act(deps, channel, body) {
      const sent = readSlackPayload(body)
      if (sent?.type === 'suggestion') return { options: await offer(deps, channel, people, sent) }
      if (sent) await answerPress(deps, channel, people, sent)
      return undefined
    },
  }
}

type Asker = { readonly viewer: UserViewer } | { readonly refusal: string }

async function askerOf(
  { records, channels }: HookDeps,
  channel: HookChannel,
  people: SlackPeople,
  slackUser: string,
): Promise<Asker> {
  const asked = await people.emailOf(channels.outgoing, channel, slackUser)
  if ('refusal' in asked) return { refusal: `${asked.refusal} Nothing was changed.` }
  const viewer = await viewerOfMember(records, channel.orgId, asked.email)
  if (viewer) return { viewer }
  return {
    refusal: `Nobody in ${channel.orgName} has the address ${asked.email}, so nothing was changed. An admin of ${channel.orgName} can invite you.`,
  }
}

async function answerPress(
  deps: HookDeps,
  channel: HookChannel,
  people: SlackPeople,
  press: SlackPress,
): Promise<void> {
  const sayTo = (text: string) =>
    respond(deps, press, { response_type: 'ephemeral', replace_original: false, text: escaped(text) })
  const asker = await askerOf(deps, channel, people, press.slackUser)
  if ('refusal' in asker) return sayTo(asker.refusal)
  const { viewer } = asker
  try {
    const done = await change(deps, channel, viewer, press)
    const name = viewer.name === '' ? viewer.email : viewer.name
    await respond(deps, press, changedMessage(press, `${done} by ${name}`, deps.clock.nowMs()))
  } catch (error) {
    const refusal = refusalOf(error, channel)
    if (refusal === undefined) throw error
    await sayTo(`${refusal} Nothing was changed.`)
  }
}

/** Undefined: nothing that whoever pressed can do anything about. */
function refusalOf(error: unknown, { orgName }: HookChannel): string | undefined {
  if (error instanceof InvalidInput)
    return `That is refused: ${Object.values(error.fields).flat().join(', ')}.`
  const kind = errorKind(error)
  if (kind === 'forbidden') return `Your role in ${orgName} is to look only.`
  // Also of a project that this member does not see, which is told to nobody.
  return kind === 'not-found' ? 'It is not there any more.' : undefined
}

const ISSUE_CHANGES = {
  'issue-resolve': { status: 'resolved', done: 'Resolved' },
  'issue-ignore': { status: 'ignored', done: 'Ignored' },
} as const

const INCIDENT_CHANGES = {
  'incident-acknowledge': { command: acknowledgeIncident, done: 'Acknowledged' },
  'incident-resolve': { command: resolveIncident, done: 'Resolved' },
} as const

/** What was done, for people. Throws `SondeError` (`not-found`, `forbidden`) and `InvalidInput`. */
async function change(
  deps: HookDeps,
  { orgId }: HookChannel,
  viewer: UserViewer,
  { action, id, chosen }: SlackPress,
): Promise<string> {
  const { openProject } = deps.access
  if (action === 'incident-acknowledge' || action === 'incident-resolve') {
    const { command, done } = INCIDENT_CHANGES[action]
    const projectId = await projectOf(deps, 'incident', id, orgId)
    await command(deps, await openProject(viewer, orgId, projectId, 'alert:write'), { incidentId: id })
    return done
  }
  const grant = await openProject(viewer, orgId, await projectOf(deps, 'issue', id, orgId), 'event:write')
  if (action === 'issue-assign') {
    const to = [...(await deps.assignees(grant)), NOBODY].find(({ value }) => value === chosen)
    if (!to)
      throw new InvalidInput('assign issues', { assignedTo: ['choose a member or a team of the list'] })
    await assignIssues(deps, grant, { ids: [id], assignee: to === NOBODY ? '' : to.value })
    return to === NOBODY ? 'Unassigned' : `Assigned to ${to.name}`
  }
  const { status, done } = ISSUE_CHANGES[action]
  await updateIssues(deps, grant, { ids: [id], status })
  return done
}

/** Throws `SondeError` (`not-found`): the organization has no such issue or incident. */
async function projectOf(
  { records }: HookDeps,
  kind: 'issue' | 'incident',
  id: number,
  orgId: number,
): Promise<number> {
  const row = await records
    .selectFrom(kind)
    .innerJoin('project', 'project.id', 'project_id')
    .select('project.id as projectId')
    .where(kind === 'issue' ? 'issue.id' : 'incident.id', '=', id)
    .where('project.org_id', '=', orgId)
    .executeTakeFirst()
  if (row) return row.projectId
  throw new SondeError('not-found', `there is no ${kind} ${id}`, { operation: 'answer Slack' })
}

// Of Slack: https://docs.slack.dev/reference/block-kit/composition-objects/option-object
const MAX_OPTIONS = 100
const OPTION_CHARS = 75

/** Slack takes no empty value. */
const NOBODY: Assignee = { value: 'nobody', name: 'Nobody', hint: '' }
/** Slack shows no sentence in a menu: whoever chooses this is answered with the refusal. */
const REFUSED: Assignee = { value: 'refused', name: 'You cannot assign it: choose this to see why', hint: '' }

/** Those who see the project and whose name or address has what was typed, as the screen lists them. */
async function offer(
  deps: HookDeps,
  channel: HookChannel,
  people: SlackPeople,
  { id, typed, slackUser }: SlackSuggestion,
): Promise<readonly object[]> {
  const asker = await askerOf(deps, channel, people, slackUser)
  if ('refusal' in asker) return [optionOf(REFUSED)]
  try {
    const projectId = await projectOf(deps, 'issue', id, channel.orgId)
    const grant = await deps.access.openProject(asker.viewer, channel.orgId, projectId, 'event:write')
    const text = typed.toLowerCase()
    return [NOBODY, ...(await deps.assignees(grant))]
      .filter(({ name, hint }) => `${name}\n${hint}`.toLowerCase().includes(text))
      .slice(0, MAX_OPTIONS)
      .map(optionOf)
  } catch (error) {
    if (refusalOf(error, channel) === undefined) throw error
    return [optionOf(REFUSED)]
  }
}

const optionOf = ({ value, name }: Assignee) => ({
  text: { type: 'plain_text', text: name.slice(0, OPTION_CHARS).toWellFormed(), emoji: false },
  value,
})

/** Before the time of the assignment: Slack wants another id for what is changed. */
const ASSIGNED_BLOCK = 'sonde-assigned-'

/**
 * The message as it was, with what was done in place of the buttons. One that is acknowledged may still be resolved, and one that
 * is assigned may be assigned to another.
 */
function changedMessage({ action, text, blocks }: SlackPress, done: string, nowMs: number): object {
  const isAssigned = action === 'issue-assign'
  const kept = blocks.flatMap((block) => {
    if (isAssigned) return block.block_id?.startsWith(ASSIGNED_BLOCK) ? [] : [block]
    if (block.block_id !== BUTTONS_BLOCK) return [block]
    const left = action === 'incident-acknowledge' ? (block.elements ?? []) : []
    const elements = left.filter((element) => element.action_id !== action)
    return elements.length === 0 ? [] : [{ ...block, elements }]
  })
  const note = {
    type: 'context',
    ...(isAssigned && { block_id: `${ASSIGNED_BLOCK}${nowMs}` }),
    // Plain: a name may have characters that mean something in mrkdwn.
    elements: [{ type: 'plain_text', text: done.slice(0, 500), emoji: false }],
  }
  return { replace_original: true, text, blocks: [...kept, note] }
}

/** Only Slack is answered, whatever address a request names. What was changed stays so when the answer fails. */
async function respond(
  { channels, logger }: HookDeps,
  { responseUrl }: SlackPress,
  body: object,
): Promise<void> {
  const url = URL.parse(responseUrl)
  if (url?.protocol !== 'https:' || url.host !== 'hooks.slack.com') {
    logger.warn({ host: url?.host }, 'an interaction of Slack wants its answer elsewhere, so it gets none')
    return
  }
  try {
    const { status } = await channels.outgoing.request({
      url: url.href,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (status >= 300) logger.warn({ status }, 'Slack did not take the answer to a press of a button')
  } catch (error) {
    logger.warn({ err: error }, 'Slack did not take the answer to a press of a button')
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

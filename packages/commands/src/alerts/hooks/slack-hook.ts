/**
 * Somebody pressed a button of a message in Slack. Who that is, Slack says by the address of the person's account; what that
 * person may, the role in the organization. https://docs.slack.dev/interactivity/handling-user-interaction
 */
import { type UserViewer, viewerOfMember } from '@sonde/access'
import { BUTTONS_BLOCK, SLACK_ACTIONS, type SlackAction } from '@sonde/alerts'
import { type Clock, errorKind } from '@sonde/base'
import { z } from 'zod'
import { InvalidInput, readInput } from '../../fields.ts'
import { updateIssues } from '../../issues/update-issues.ts'
import { acknowledgeIncident, resolveIncident } from '../change-incident.ts'
import type { Hook, HookChannel, HookDeps } from './hook.ts'
import { hmacHex, isSame, textOf } from './proof.ts'
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
      const press = readPress(body)
      if (press) await answerPress(deps, channel, people, press)
    },
  }
}

/** A block of a message as Slack has it; what is not ours goes back as it came. */
const BLOCK = z.looseObject({
  block_id: z.string().optional(),
  elements: z.array(z.looseObject({ action_id: z.string().optional() })).optional(),
})
type Block = z.output<typeof BLOCK>

const PRESS = z.object({
  user: z.object({ id: z.string().regex(/^[A-Z0-9]{1,40}$/) }),
  response_url: z.string().max(2_048),
  message: z.object({ text: z.string().default(''), blocks: z.array(BLOCK).max(50).default([]) }),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().default('') })).min(1),
})

type Press = {
  readonly action: SlackAction
  readonly id: number
  readonly slackUser: string
  readonly responseUrl: string
  readonly text: string
  readonly blocks: readonly Block[]
}

/** Undefined: something else than a press of one of our buttons. Throws `InvalidInput`. */
function readPress(body: string): Press | undefined {
  const operation = 'read an interaction of Slack'
  let payload: unknown
  try {
    payload = JSON.parse(new URLSearchParams(body).get('payload') ?? '')
  } catch {
    throw new InvalidInput(operation, { payload: ['JSON is needed'] })
  }
  const { type } = readInput(operation, z.object({ type: z.string() }), payload as { type: string })
  if (type !== 'block_actions') return undefined
  const { user, response_url, message, actions } = readInput(
    operation,
    PRESS,
    payload as z.input<typeof PRESS>,
  )
  const [{ action_id, value } = { action_id: '', value: '' }] = actions
  const action = SLACK_ACTIONS.find((each) => each === action_id)
  if (!action || !/^[1-9]\d{0,14}$/.test(value)) return undefined
  return {
    action,
    id: Number(value),
    slackUser: user.id,
    responseUrl: response_url,
    text: message.text,
    blocks: message.blocks,
  }
}

async function answerPress(
  deps: HookDeps,
  channel: HookChannel,
  people: SlackPeople,
  press: Press,
): Promise<void> {
  const { records, channels } = deps
  const sayTo = (text: string) =>
    respond(deps, press, { response_type: 'ephemeral', replace_original: false, text: escaped(text) })
  const asked = await people.emailOf(channels.outgoing, channel, press.slackUser)
  if ('refusal' in asked) return sayTo(`${asked.refusal} Nothing was changed.`)
  const viewer = await viewerOfMember(records, channel.orgId, asked.email)
  if (!viewer)
    return sayTo(
      `Nobody in ${channel.orgName} has the address ${asked.email}, so nothing was changed. An admin of ${channel.orgName} can invite you.`,
    )
  try {
    const done = await change(deps, channel, viewer, press)
    if (done === undefined) return await sayTo('It is not there any more. Nothing was changed.')
    const name = viewer.name === '' ? viewer.email : viewer.name
    await respond(deps, press, changedMessage(press, `${done} by ${name}`))
  } catch (error) {
    if (errorKind(error) !== 'forbidden') throw error
    await sayTo(`Your role in ${channel.orgName} is to look only. Nothing was changed.`)
  }
}

const ISSUE_CHANGES = {
  'issue-resolve': { status: 'resolved', done: 'Resolved' },
  'issue-ignore': { status: 'ignored', done: 'Ignored' },
} as const

const INCIDENT_CHANGES = {
  'incident-acknowledge': { command: acknowledgeIncident, done: 'Acknowledged' },
  'incident-resolve': { command: resolveIncident, done: 'Resolved' },
} as const

/** What was done, for people; undefined: the organization has no such issue or incident. Throws `SondeError` (`forbidden`). */
async function change(
  deps: HookDeps,
  { orgId }: HookChannel,
  viewer: UserViewer,
  { action, id }: Press,
): Promise<string | undefined> {
  const isOfIssue = action === 'issue-resolve' || action === 'issue-ignore'
  const row = await deps.records
    .selectFrom(isOfIssue ? 'issue' : 'incident')
    .innerJoin('project', 'project.id', 'project_id')
    .select('project.id as projectId')
    .where(isOfIssue ? 'issue.id' : 'incident.id', '=', id)
    .where('project.org_id', '=', orgId)
    .executeTakeFirst()
  if (!row) return undefined
  const { openProject } = deps.access
  if (isOfIssue) {
    const { status, done } = ISSUE_CHANGES[action]
    const grant = await openProject(viewer, orgId, row.projectId, 'event:write')
    await updateIssues(deps, grant, { ids: [id], status })
    return done
  }
  const { command, done } = INCIDENT_CHANGES[action]
  await command(deps, await openProject(viewer, orgId, row.projectId, 'alert:write'), { incidentId: id })
  return done
}

/** The message as it was, with what was done in place of the button; one that is acknowledged may still be resolved. */
function changedMessage({ action, text, blocks }: Press, done: string): object {
  const kept = blocks.flatMap((block) => {
    if (block.block_id !== BUTTONS_BLOCK) return [block]
    const left = action === 'incident-acknowledge' ? (block.elements ?? []) : []
    const elements = left.filter((element) => element.action_id !== action)
    return elements.length === 0 ? [] : [{ ...block, elements }]
  })
  // Plain: a name may have characters that mean something in mrkdwn.
  const note = { type: 'context', elements: [{ type: 'plain_text', text: done.slice(0, 500), emoji: false }] }
  return { replace_original: true, text, blocks: [...kept, note] }
}

/** Only Slack is answered, whatever address a request names. What was changed stays so when the answer fails. */
async function respond({ channels, logger }: HookDeps, { responseUrl }: Press, body: object): Promise<void> {
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

/**
 * What Slack sends of its own accord: that somebody pressed a button or chose from a menu, and that somebody opened a menu whose
 * options are ours to say. https://docs.slack.dev/reference/interaction-payloads
 */
import { SLACK_ASSIGN, SLACK_BUTTONS, type SlackButton } from '@sonde/alerts'
import { z } from 'zod'
import { InvalidInput, readInput } from '../../fields.ts'

/** A block of a message as Slack has it; what is not ours goes back as it came. */
const BLOCK = z.looseObject({
  block_id: z.string().optional(),
  elements: z.array(z.looseObject({ action_id: z.string().optional() })).optional(),
})
export type SlackBlock = z.output<typeof BLOCK>

const USER = z.object({ id: z.string().regex(/^[A-Z0-9]{1,40}$/) })
const PRESS = z.object({
  user: USER,
  response_url: z.string().max(2_048),
  message: z.object({ text: z.string().default(''), blocks: z.array(BLOCK).max(50).default([]) }),
  actions: z
    .array(
      z.object({
        action_id: z.string(),
        value: z.string().default(''),
        selected_option: z.object({ value: z.string().max(200) }).nullish(),
      }),
    )
    .min(1),
})
const SUGGESTION = z.object({ user: USER, action_id: z.string(), value: z.string().default('') })

export type SlackPress = {
  readonly type: 'press'
  readonly action: SlackButton | 'issue-assign'
  readonly id: number
  /** From the menu; of a button empty. */
  readonly chosen: string
  readonly slackUser: string
  readonly responseUrl: string
  readonly text: string
  readonly blocks: readonly SlackBlock[]
}

/** Who may be chosen as assignee of the issue? */
export type SlackSuggestion = {
  readonly type: 'suggestion'
  readonly id: number
  readonly typed: string
  readonly slackUser: string
}

/** Undefined: something else than a press or a menu of ours. Throws `InvalidInput`. */
export function readSlackPayload(body: string): SlackPress | SlackSuggestion | undefined {
  const operation = 'read an interaction of Slack'
  let payload: unknown
  try {
    payload = JSON.parse(new URLSearchParams(body).get('payload') ?? '')
  } catch {
    throw new InvalidInput(operation, { payload: ['JSON is needed'] })
  }
  const { type } = readInput(operation, z.object({ type: z.string() }), payload)
  if (type === 'block_suggestion') return suggestionOf(readInput(operation, SUGGESTION, payload))
  return type === 'block_actions' ? pressOf(readInput(operation, PRESS, payload)) : undefined
}

function suggestionOf({ user, action_id, value }: z.output<typeof SUGGESTION>): SlackSuggestion | undefined {
  const id = assignedId(action_id)
  if (id === undefined) return undefined
  return { type: 'suggestion', id, typed: value.trim().slice(0, 100), slackUser: user.id }
}

function pressOf({ user, response_url, message, actions }: z.output<typeof PRESS>): SlackPress | undefined {
  const [first] = actions
  if (!first) return undefined
  const toAssign = assignedId(first.action_id)
  const button = SLACK_BUTTONS.find((each) => each === first.action_id)
  const action = toAssign === undefined ? button : 'issue-assign'
  const id = toAssign ?? idOf(first.value)
  const chosen = first.selected_option?.value ?? ''
  if (!action || id === undefined || (toAssign !== undefined && chosen === '')) return undefined
  return {
    type: 'press',
    action,
    id,
    chosen,
    slackUser: user.id,
    responseUrl: response_url,
    text: message.text,
    blocks: message.blocks,
  }
}

const assignedId = (actionId: string): number | undefined =>
  actionId.startsWith(SLACK_ASSIGN) ? idOf(actionId.slice(SLACK_ASSIGN.length)) : undefined

const idOf = (text: string): number | undefined => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)

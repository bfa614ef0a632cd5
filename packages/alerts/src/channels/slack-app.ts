/**
 * Slack by an app of one's own: its bot writes, further messages about the same issue go into the thread of the first, and
 * buttons change the issue from there. https://docs.slack.dev/reference/methods/chat.postMessage
 */
import { z } from 'zod'
import type { Message } from '../messages/message.ts'
import { askSlack } from '../slack/slack-api.ts'
import type { Channel } from './channel.ts'
import { keyField } from './fields.ts'
import { slackMessage } from './slack.ts'

const settings = z.object({
  /** `#alerts`, or an id, which stays when the channel is renamed. */
  channel: z
    .string()
    .trim()
    .regex(/^(?:#?[\p{Ll}\p{Lo}\p{N}_-]{1,80}|[CGD][A-Z0-9]{8,20})$/u, 'is #name or an ID such as C0123ABCD'),
})
const secret = z.object({
  token: keyField.regex(/^xoxb-[\w-]+$/, 'is a bot token: xoxb-…'),
  /** Without it nobody can prove that a press of a button comes from Slack, so there are no buttons. */
  signingSecret: keyField.regex(/^[0-9a-f]{32}$/, 'has 32 digits and letters a to f').optional(),
})
export type SlackAppSecret = z.output<typeof secret>

export const SLACK_APP: Channel<z.output<typeof settings>, SlackAppSecret> = {
  settings,
  secret,
  conversationOf: ({ channel }) => channel,
  async deliver(outgoing, { channel }, { token, signingSecret }, { message, thread }) {
    const body = { channel, ...slackAppMessage(message, signingSecret !== undefined) }
    const post = (inThread: object) => askSlack(outgoing, token, 'chat.postMessage', { ...body, ...inThread })
    // Bad news stands in the channel too: an old thread is followed by few.
    const reply = { thread_ts: thread, reply_broadcast: message.kind !== 'resolved' }
    let answer = await post(thread === undefined ? {} : reply)
    let isFirst = thread === undefined
    if (!isFirst && !answer.isOk && THREAD_GONE.has(answer.error)) {
      answer = await post({})
      isFirst = true
    }
    if (!answer.isOk) return answer.failure
    const { ts, channel: where } = answer.body
    return {
      isDelivered: true,
      answer: `ok: in ${String(where).slice(0, 100)} at ${String(ts).slice(0, 100)}`,
      ...(isFirst && typeof ts === 'string' && { thread: ts }),
    }
  },
}

/** Somebody deleted the first message. */
const THREAD_GONE: ReadonlySet<string> = new Set([
  'thread_not_found',
  'message_not_found',
  'cannot_reply_to_message',
])

/** Of the block with the buttons: it is what a press takes away. */
export const BUTTONS_BLOCK = 'sonde-buttons'

export const slackAppMessage = (message: Message, hasButtons: boolean) => {
  const { blocks, ...said } = slackMessage(message)
  const buttons = hasButtons ? buttonsOf(message) : []
  return {
    ...said,
    blocks: [
      ...blocks,
      ...(buttons.length === 0
        ? []
        : [{ type: 'actions' as const, block_id: BUTTONS_BLOCK, elements: buttons }]),
    ],
  }
}

/** What a press says of itself: `action_id`. Its `value` is the id of what it is about. */
export const SLACK_BUTTONS = [
  'issue-resolve',
  'issue-ignore',
  'incident-acknowledge',
  'incident-resolve',
] as const
export type SlackButton = (typeof SLACK_BUTTONS)[number]

/** Before the id of the issue in the `action_id` of the menu: unlike a button, a menu has no value of its own. */
export const SLACK_ASSIGN = 'issue-assign-'

function buttonsOf({ kind, issue, incidentId }: Message) {
  if (kind === 'resolved' || kind === 'acknowledged') return []
  if (issue)
    return [
      button('issue-resolve', 'Resolve', issue.id),
      button('issue-ignore', 'Ignore', issue.id),
      assignMenu(issue.id),
    ]
  if (incidentId === undefined) return []
  return [
    button('incident-acknowledge', 'Acknowledge', incidentId),
    button('incident-resolve', 'Resolve', incidentId),
  ]
}

const button = (action: SlackButton, text: string, id: number) => ({
  type: 'button' as const,
  action_id: action,
  text: { type: 'plain_text' as const, text, emoji: false },
  value: String(id),
})

/**
 * Slack asks for its options when somebody opens it: a channel may be shared with others, whom the names of members do not
 * concern. https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element#external_select
 */
const assignMenu = (issueId: number) => ({
  type: 'external_select' as const,
  action_id: `${SLACK_ASSIGN}${issueId}`,
  placeholder: { type: 'plain_text' as const, text: 'Assign…', emoji: false },
  min_query_length: 0,
})

/**
 * Slack's Web API with the token of a bot. It answers 200 also when it refuses: `ok` says what is meant, and `error` why.
 * https://docs.slack.dev/apis/web-api/#responses
 */
import type { Outgoing } from '@sonde/outgoing'
import { resultOf, type Undelivered, unanswered } from '../channels/channel.ts'
import { retryAfterMs } from '../outbox/retry.ts'

const API_URL = 'https://slack.com/api'

export type SlackAnswer =
  | { readonly isOk: true; readonly body: Readonly<Record<string, unknown>> }
  /** `error`: Slack's own word for it; empty: it said none. */
  | { readonly isOk: false; readonly error: string; readonly failure: Undelivered }

/** `fields`: as a form for what reads, as JSON for what has blocks. Never throws for what Slack does. */
export async function askSlack(
  outgoing: Outgoing,
  token: string,
  method: string,
  fields: Readonly<Record<string, unknown>> | URLSearchParams,
): Promise<SlackAnswer> {
  const isForm = fields instanceof URLSearchParams
  try {
    const answer = await outgoing.request({
      url: `${API_URL}/${method}`,
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json; charset=utf-8',
      },
      body: isForm ? fields.toString() : JSON.stringify(fields),
    })
    const result = resultOf(answer)
    if (!result.isDelivered) return { isOk: false, error: '', failure: result }
    const body = readObject(answer.body)
    if (!body) return refused('', { answer: 'Slack answered something else than JSON', again: 'later' })
    if (body['ok'] === true) return { isOk: true, body }
    const error = typeof body['error'] === 'string' ? body['error'].slice(0, 100) : ''
    const afterMs = retryAfterMs(answer.headers['retry-after'])
    return refused(error, { ...explained(error, body['needed']), ...(afterMs !== undefined && { afterMs }) })
  } catch (error) {
    return { isOk: false, error: '', failure: unanswered(error) }
  }
}

const refused = (error: string, failure: Omit<Undelivered, 'isDelivered'>): SlackAnswer => ({
  isOk: false,
  error,
  failure: { isDelivered: false, ...failure },
})

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Slack is busy or ill; everything else is a matter of settings. */
const LATER: ReadonlySet<string> = new Set([
  'ratelimited',
  'rate_limited',
  'message_limit_exceeded',
  'internal_error',
  'fatal_error',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
])

const TOKEN = 'Slack does not take the bot token: install the app again and enter its new token'
const INVITE = 'invite the app to the channel in Slack: /invite @ and its name'

/** What to do about it. https://docs.slack.dev/reference/methods/chat.postMessage#errors */
const SENTENCES: Readonly<Record<string, string>> = {
  invalid_auth: TOKEN,
  not_authed: TOKEN,
  account_inactive: TOKEN,
  token_revoked: TOKEN,
  token_expired: TOKEN,
  channel_not_found: `the app sees no such channel: correct the name, or, if the channel is private, ${INVITE}`,
  not_in_channel: `the app is not in the channel: ${INVITE}`,
  is_archived: 'the channel is archived: choose another one',
  missing_scope: 'the app lacks a scope: add it under “OAuth & Permissions” and install the app again',
}

function explained(error: string, needed: unknown): Pick<Undelivered, 'answer' | 'again'> {
  if (LATER.has(error)) return { answer: `Slack answered: ${error}`, again: 'later' }
  const sentence = SENTENCES[error] ?? 'Slack refused it'
  const scope = error === 'missing_scope' && typeof needed === 'string' ? ` ${needed.slice(0, 100)}` : ''
  return { answer: `${sentence} (${error}${scope})`, again: 'never' }
}

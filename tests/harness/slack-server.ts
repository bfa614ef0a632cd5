/**
 * A server on this machine that answers as Slack's Web API documents: 200 with `ok`, tokens and arguments checked, threads that
 * have to exist. Requests to slack.com and hooks.slack.com come here through a guard that is otherwise the real one.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Outgoing } from '@sonde/outgoing'

export const SLACK_TOKEN = 'xoxb-1-abc'
export const SIGNING_SECRET = 'ab'.repeat(16)

export type SlackPost = {
  readonly channel: string
  readonly text: string
  readonly blocks: readonly {
    readonly type: string
    readonly block_id?: string
    readonly elements?: Button[]
  }[]
  readonly thread_ts?: string
  readonly reply_broadcast?: boolean
}
/** A button, or a menu, which has a placeholder and no value. */
type Button = {
  readonly action_id: string
  readonly value?: string
  readonly text?: { readonly text: string }
  readonly placeholder?: { readonly text: string }
}

export async function openSlackServer() {
  const posts: (SlackPost & { readonly ts: string })[] = []
  const answers: { readonly path: string; readonly body: Record<string, unknown> }[] = []
  const calls: string[] = []
  let count = 0
  const users = new Map<string, object>()
  let refusal: { error: string; needed?: string; retryAfterSec?: number } | undefined
  const say = (method: string, body: string): object => {
    if (method === 'auth.test') return { ok: true, team_id: 'T1', user_id: 'UBOT', enterprise_id: null }
    if (method === 'users.info') {
      const user = users.get(new URLSearchParams(body).get('user') ?? '')
      return user ? { ok: true, user } : { ok: false, error: 'user_not_found' }
    }
    if (method !== 'chat.postMessage') return { ok: false, error: 'unknown_method' }
    const post = JSON.parse(body) as SlackPost
    if (post.thread_ts !== undefined && !posts.some(({ ts }) => ts === post.thread_ts))
      return { ok: false, error: 'thread_not_found' }
    const ts = `17000000${++count + 10}.000100`
    posts.push({ ...post, ts })
    return { ok: true, channel: 'C0123ABCD', ts, message: { text: post.text } }
  }
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const path = req.url ?? ''
      if (path.startsWith('/actions/')) {
        answers.push({ path, body: JSON.parse(body) as Record<string, unknown> })
        res.end('ok')
        return
      }
      const method = path.replace(/^\/api\//, '')
      calls.push(method)
      const isToken = req.headers.authorization === `Bearer ${SLACK_TOKEN}`
      const { retryAfterSec, ...refused } = refusal ?? {}
      const answer =
        req.method !== 'POST' || !isToken
          ? { ok: false, error: 'invalid_auth' }
          : refusal
            ? { ok: false, ...refused }
            : say(method, body)
      res.writeHead(retryAfterSec === undefined ? 200 : 429, {
        'content-type': 'application/json',
        ...(retryAfterSec !== undefined && { 'retry-after': String(retryAfterSec) }),
      })
      res.end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    posts,
    /** What was posted to response URLs. */
    answers,
    /** Names of methods that were asked. */
    calls,
    users,
    refuse: (next: typeof refusal) => (refusal = next),
    /** Its messages are deleted there. */
    forget: () => posts.splice(0),
    through: (outgoing: Outgoing): Outgoing => ({
      ...outgoing,
      request: (request) =>
        outgoing.request({
          ...request,
          url: request.url.replace(/^https:\/\/(?:hooks\.)?slack\.com(?=\/)/, url),
        }),
    }),
    close: () => (server.closeAllConnections(), server.close()),
  }
}
export type SlackServer = Awaited<ReturnType<typeof openSlackServer>>

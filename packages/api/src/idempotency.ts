/**
 * `Idempotency-Key` (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/): a POST that is sent once more
 * with the same key is answered as the first time and does nothing. What is kept lies sealed: what seals it is made of the key and
 * of the caller's token, neither of which is in the records. docs/decisions/0102-idempotency-keys.md
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Viewer } from '@sonde/access'
import { beginOnce, endOnce, forgetOnce, InvalidInput } from '@sonde/commands'
import type { MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ApiContext, ApiEnv, ApiOptions } from './api-context.ts'
import { API_BODY_BYTES, boundedBody } from './json-body.ts'

/** The draft has a string in quotes; many clients send it without. */
const KEY = /^"([\x20-\x21\x23-\x5b\x5d-\x7e]{1,255})"$|^([\x21\x23-\x5b\x5d-\x7e]{1,255})$/
// What is made is told in a few kilobytes; a longer answer is a list or a report, which may be asked for again.
const MAX_ANSWER_CHARS = 256 * 1024

export function idempotency({ commands, logger }: ApiOptions): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const sent = c.req.header('idempotency-key')
    if (sent === undefined || c.req.method !== 'POST' || isForm(c)) return next()
    const match = KEY.exec(sent)
    const key = match?.[1] ?? match?.[2]
    if (key === undefined)
      return c.json({ detail: 'Idempotency-Key is a text of 1 to 255 ASCII characters, in quotes' }, 400)
    const body = await wholeBody(c)
    const caller = callerOf(c.get('viewer'))
    const secrets = secretsOf(caller, c.req.header('authorization') ?? '', key)
    const { pathname, search } = new URL(c.req.url)
    const fingerprint = createHmac('sha256', secrets.mark)
      .update(`${pathname.replace(/\/$/, '')}${search}\n`)
      .update(body)
      .digest('base64url')
    const once = await beginOnce(commands, { id: secrets.id, caller, fingerprint })
    if (once.state === 'other-request')
      return c.json({ detail: 'This Idempotency-Key was sent with another request' }, 422)
    if (once.state === 'running')
      return c.json({ detail: 'A request with this Idempotency-Key is still running' }, 409)
    if (once.state === 'too-many')
      return c.json({ detail: 'Too many Idempotency-Keys within a day: send fewer, or none' }, 429)
    if (once.state === 'done') {
      c.header('idempotent-replayed', 'true')
      if (once.answer === undefined) {
        const detail = `This request was done before (${once.status}); its answer was too long to be kept`
        return c.json({ detail }, 409)
      }
      const answer = open(secrets.seal, once.answer)
      if (answer === '') return c.body(null, 204)
      return c.body(answer, once.status as ContentfulStatusCode, { 'content-type': 'application/json' })
    }
    await next()
    // An answer that does not come back is the point of it all: whatever fails here must not hide it.
    await keep(c, secrets).catch((error: unknown) =>
      logger.warn({ err: error, path: c.req.path }, 'an answer could not be kept for its Idempotency-Key'),
    )
    return undefined
  }

  async function keep(c: ApiContext, { id, seal }: Secrets): Promise<void> {
    const { status, headers } = c.res
    const isJson = headers.get('content-type')?.startsWith('application/json') === true
    // An error made nothing, and a file is no creation.
    if (status >= 300 || !(isJson || status === 204) || headers.has('content-disposition'))
      return forgetOnce(commands, id)
    const text = status === 204 ? '' : await c.res.clone().text()
    const answer = text.length > MAX_ANSWER_CHARS ? undefined : close(seal, text)
    return endOnce(commands, id, { status, answer })
  }
}

/** Pieces of uploads and files are named by what they hold, so that sending them again does nothing. */
const isForm = (c: ApiContext): boolean =>
  /^(?:multipart\/|application\/x-www-form)/i.test(c.req.header('content-type') ?? '')

/** The handler reads it again. Throws `InvalidInput`. */
async function wholeBody(c: ApiContext): Promise<Buffer> {
  const maxBytes = API_BODY_BYTES.releaseJson
  const tooLong = () =>
    new InvalidInput('read the body', { detail: [`a body has at most ${maxBytes} bytes`] })
  const pieces: Buffer[] = []
  for await (const piece of boundedBody(c, maxBytes, tooLong)) pieces.push(piece)
  const body = Buffer.concat(pieces)
  const { url, method, headers, signal } = c.req.raw
  c.req.raw = new Request(url, { method, headers, signal, body })
  return body
}

const callerOf = (viewer: Viewer): string =>
  viewer.kind === 'token'
    ? `token:${viewer.tokenId}`
    : `user:${viewer.kind === 'user' ? viewer.userId : viewer.name}`

type Secrets = { readonly id: string; readonly seal: Buffer; readonly mark: Buffer }

function secretsOf(caller: string, credential: string, key: string): Secrets {
  const from = JSON.stringify([caller, credential, key])
  const bytes = Buffer.from(hkdfSync('sha256', from, '', 'sonde idempotency key', 96))
  return {
    id: bytes.subarray(0, 32).toString('base64url'),
    seal: bytes.subarray(32, 64),
    mark: bytes.subarray(64),
  }
}

function close(key: Buffer, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
}

/** Throws for what was changed. */
function open(key: Buffer, text: string): string {
  const bytes = Buffer.from(text, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

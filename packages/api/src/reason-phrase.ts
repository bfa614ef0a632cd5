/**
 * Says what is wrong in the status line too: the uploader of the newest bundler plugins prints that alone, and never the
 * body. https://www.rfc-editor.org/rfc/rfc9112#name-status-line
 */
import type { ServerResponse } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import type { ApiEnv } from './api-context.ts'

const MAX_CHARS = 200

export const reasonPhrase: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next()
  const { outgoing } = (c.env ?? {}) as { readonly outgoing?: ServerResponse }
  const { status, headers } = c.res
  if (!outgoing || status < 400 || !headers.get('content-type')?.startsWith('application/json')) return
  const phrase = phraseOf(await c.res.clone().json())
  if (phrase !== '') outgoing.statusMessage = phrase
}

/** Of `{detail}`, or of the first field that is wrong. Visible ASCII: anything else could end the line. */
export function phraseOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return ''
  const [[field, value] = ['', '']] = 'detail' in body ? [['detail', body.detail]] : Object.entries(body)
  const text: unknown = Array.isArray(value) ? value[0] : value
  if (typeof text !== 'string' || text === '') return ''
  const sentence = field === 'detail' ? text : `${field}: ${text}`
  return sentence
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, MAX_CHARS)
}

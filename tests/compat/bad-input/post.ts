/** Envelopes as bytes, and a sender that checks nothing. */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { Harness } from '../support/harness.ts'

export type Posted = { readonly status: number; readonly body: string }
export type PostOptions = {
  readonly path?: string
  readonly method?: string
  /** Replaces the key in the query; null sends none. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export const newId = (): string => randomUUID().replaceAll('-', '')

/** One event as an envelope; `event` may be bytes that are no JSON. */
export function envelopeOf(id: string, event: Buffer | object): Buffer {
  const payload = Buffer.isBuffer(event) ? event : Buffer.from(JSON.stringify(event))
  return Buffer.concat([
    Buffer.from(`{"event_id":"${id}"}\n{"type":"event","length":${payload.length}}\n`),
    payload,
    Buffer.from('\n'),
  ])
}

/** Rejects only when no answer comes at all. */
export function post({ sonde, project }: Harness, body: Buffer, options: PostOptions = {}): Promise<Posted> {
  const { path = `/api/${project.id}/envelope/`, method = 'POST', key = project.publicKey } = options
  const query = key === null ? '' : `?sentry_version=7&sentry_key=${key}`
  const headers = { 'content-length': body.length, ...options.headers }
  // As SDKs do: a connection that may stay lets the server answer before the body has ended.
  const agent = new Agent({ keepAlive: true })
  return new Promise<Posted>((resolve, reject) => {
    let isAnswered = false
    const sent = request(`${sonde.url}${path}${query}`, { method, headers, agent }, (answer) => {
      isAnswered = true
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      )
      answer.on('error', reject)
    })
    // Who is refused may still be sending when the connection closes.
    sent.on('error', (error) => {
      if (!isAnswered) reject(error)
    })
    sent.end(body)
  }).finally(() => agent.destroy())
}

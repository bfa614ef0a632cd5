/** Why a request is not forwarded. Thrown inside, always turned into an answer. */
export class Refusal extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.headers = headers
  }
}

export function refusalAnswer({ status, message, headers }: Refusal): Response {
  return new Response(JSON.stringify({ detail: message }), {
    status,
    headers: {
      ...ANSWER_HEADERS,
      // Anything else is replaced: a message may quote the client.
      'x-sentry-error': message.replaceAll(/[^\x20-\x7e]+/g, '?'),
      ...headers,
    },
  })
}

/** What another server wrote must not run as a page under this origin. */
export const ANSWER_HEADERS = {
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const

/**
 * Release health: one session for each page load, told when it begins and when an error is sent, as Sentry's SDK does.
 * https://develop.sentry.dev/sdk/telemetry/sessions/ Without a release there is nothing whose health it were.
 */
import { randomHex } from '../random-hex.ts'
import type { Client, Feature } from '../types.ts'

type SentError = {
  readonly level?: string
  readonly exception?: { readonly values: readonly { readonly mechanism?: { readonly handled?: boolean } }[] }
}

/** Users are those that the page names by `setUser`; nobody is given an id. */
export const sessions = (): Feature => (client) => {
  const { release, environment } = client.options
  if (!release) return
  const sid = randomHex(16)
  const startedMs = Date.now()
  let errors = 0
  let status = 'ok'
  let did = userOf(client)

  const tell = (init?: boolean): void => {
    const nowMs = Date.now()
    client.send([
      [
        { type: 'session' },
        {
          sid,
          did,
          init,
          started: new Date(startedMs).toISOString(),
          timestamp: new Date(nowMs).toISOString(),
          duration: (nowMs - startedMs) / 1000,
          status,
          errors,
          attrs: { release, environment, user_agent: navigator.userAgent },
        },
      ],
    ])
  }

  // Behind all filters: what is not sent made no session bad.
  const { transport } = client
  const { send } = transport
  transport.send = (items, ...rest) => {
    send(items, ...rest)
    for (const [{ type }, payload] of items) if (type === 'event') note(payload as SentError)
  }
  function note({ level, exception }: SentError): void {
    const thrown = exception?.values
    const isUnhandled = thrown
      ? thrown.some(({ mechanism }) => mechanism?.handled === false)
      : level === 'fatal'
    if (status !== 'ok' || (!isUnhandled && (errors || !thrown))) return
    errors = 1
    if (isUnhandled) status = 'crashed'
    did ??= userOf(client)
    tell()
  }

  tell(true)
  // Most pages learn who it is after they began.
  client.on('hide', () => {
    if (!did && (did = userOf(client))) tell()
  })
}

function userOf({ scope: { user } }: Client): string | undefined {
  const id = user?.['id'] ?? user?.['email'] ?? user?.['username']
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

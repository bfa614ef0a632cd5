/**
 * A session for one command, for what Sonde lets no token do: listing, making and revoking tokens. E-mail address and password are
 * asked for, sent to the Sonde, and kept nowhere; the session is ended with the command.
 */
import { SondeError } from '@sonde/base/errors'
import { type CommandInput, UsageError } from '../arguments.ts'
import { given } from '../client/find-server.ts'
import { readSecret } from '../read-secret.ts'

export type Session = {
  readonly password: string
  readonly call: <Body>(method: 'GET' | 'POST' | 'DELETE', path: string, json?: unknown) => Promise<Body>
}

const ANSWER_WITHIN_MS = 60_000

/** @throws UsageError, SondeError */
export async function withPasswordSession<Result>(
  url: string,
  { text }: CommandInput,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const email = given({ text, env: process.env }, 'email', 'EMAIL')
  if (email === undefined) throw new UsageError('--email: whose password it is; or set SONDE_EMAIL')
  const password = await readSecret({ name: 'Password', option: 'standard input', maxChars: 1_000 })
  const cookie = await signIn(url, email, password)
  const call: Session['call'] = async (method, path, json) => {
    const answer = await send(url, path, { method, cookie, json })
    const said = await answer.text()
    if (!answer.ok) throw refused(url, path, answer.status, said)
    return (said === '' ? {} : JSON.parse(said)) as never
  }
  try {
    return await work({ password, call })
  } finally {
    await send(url, '/api/auth/sign-out', { method: 'POST', cookie }).catch(() => undefined)
  }
}

async function signIn(url: string, email: string, password: string): Promise<string> {
  const answer = await send(url, '/api/auth/sign-in/email', { method: 'POST', json: { email, password } })
  const said = await answer.text()
  if (!answer.ok) throw refused(url, '/api/auth/sign-in/email', answer.status, said)
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0] ?? '')
    .join('; ')
}

type Sent = { readonly method: string; readonly cookie?: string; readonly json?: unknown }

async function send(url: string, path: string, { method, cookie, json }: Sent): Promise<Response> {
  try {
    return await fetch(new URL(path, `${url}/`), {
      method,
      redirect: 'manual',
      headers: {
        origin: new URL(url).origin,
        ...(cookie !== undefined && { cookie }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
  } catch (cause) {
    throw new SondeError('unavailable', `${url}: ${(cause as Error).message}`, {
      operation: 'sign in',
      subject: url,
      cause,
      hint: 'is Sonde running, and is --url right?',
    })
  }
}

function refused(url: string, path: string, status: number, said: string): SondeError {
  const kind =
    status === 404
      ? 'not-found'
      : status === 401 || status === 403
        ? 'forbidden'
        : status === 400
          ? 'invalid'
          : 'unavailable'
  return new SondeError(kind, `${url}${path}: ${said.slice(0, 500)}`, {
    operation: 'sign in',
    subject: url,
    hint: 'who signs in with a second factor, a passkey or single sign-on has the tokens in the settings of the organization',
  })
}

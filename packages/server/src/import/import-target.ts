/** The Sonde that is imported into: its API for what has one, its records for what nobody may say through it (who wrote, and when). */
import { setTimeout as sleep } from 'node:timers/promises'
import { operatorViewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type CommandDeps, createToken, deleteToken } from '@sonde/commands'

export type ImportTarget = {
  readonly org: { readonly id: number; readonly slug: string }
  /** An answer that is no success is `problem`: what it said is wrong. */
  api(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<ApiAnswer>
  /** Undefined: stored. Else why the door refused it. */
  sendEvent(
    to: { readonly projectId: number; readonly publicKey: string },
    payload: unknown,
  ): Promise<string | undefined>
  /** The issue that an event came into, once it is stored. */
  issueOf(projectSlug: string, eventId: string, waitMs: number): Promise<number | undefined>
  close(): Promise<void>
}
export type ApiAnswer =
  | { readonly body: unknown; readonly problem?: undefined }
  | { readonly problem: string; readonly status: number }

const SCOPES = [
  'org:read',
  'project:read',
  'project:write',
  'project:releases',
  'event:read',
  'event:write',
  'alerts:write',
  'member:read',
]
const TOKEN_NAME = 'import'
const ANSWER_MS = 60_000
const LOOK_EVERY_MS = 150
/** A key that was just made is known to the door a second later. */
const DOOR_TRIES = 40
const DOOR_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 120_000

type Needs = {
  readonly deps: CommandDeps
  /** Of the front of the Sonde that runs. */
  readonly url: string
  readonly org: ImportTarget['org']
  readonly onWait: (why: string) => void
}

export async function openImportTarget({ deps, url, org, onWait }: Needs): Promise<ImportTarget> {
  const grant = await deps.access.openOrg(operatorViewer, org.slug, 'token:write')
  const { id: tokenId, token } = await createToken(deps, grant, {
    name: TOKEN_NAME,
    scopes: SCOPES,
    expiresInDays: 1,
  })
  const ask = (path: string, init: RequestInit): Promise<Response> =>
    fetch(new URL(path, url), { ...init, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) })

  const api: ImportTarget['api'] = async (method, path, body) => {
    for (;;) {
      const answer = await ask(`/api/0/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (answer.ok) return { body: text === '' ? undefined : (JSON.parse(text) as unknown) }
      if (answer.status !== 429) return { problem: problemIn(text), status: answer.status }
      await pause(answer, onWait)
    }
  }
  return {
    org,
    api,
    async sendEvent({ projectId, publicKey }, payload) {
      const body = [{ event_id: (payload as { event_id?: unknown }).event_id }, { type: 'event' }, payload]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join('')
      for (let tried = 1; ; tried++) {
        const answer = await ask(`/api/${projectId}/envelope/?sentry_key=${publicKey}`, {
          method: 'POST',
          body,
        })
        const text = await answer.text()
        if (answer.ok) return undefined
        const isKeyNew = (answer.status === 401 || answer.status === 403) && tried < DOOR_TRIES
        if (isKeyNew) await sleep(DOOR_PAUSE_MS)
        else if (answer.status === 429 || answer.status === 503) await pause(answer, onWait)
        else return `it was refused (${answer.status}): ${problemIn(text)}`
      }
    },
    async issueOf(projectSlug, eventId, waitMs) {
      for (const endMs = performance.now() + waitMs; ;) {
        const found = await api('GET', `projects/${org.slug}/${projectSlug}/events/${eventId}/`)
        if (found.problem === undefined)
          return Number((found.body as { groupID?: unknown }).groupID) || undefined
        if (found.status !== 404)
          throw new SondeError('internal', `import: ${found.problem}`, { operation: 'import' })
        if (performance.now() >= endMs) return undefined
        await sleep(LOOK_EVERY_MS)
      }
    },
    close: async () => void (await deleteToken(deps, grant, { tokenId })),
  }
}

async function pause(answer: Response, onWait: (why: string) => void): Promise<void> {
  const seconds = Number(answer.headers.get('retry-after')) || 1
  const ms = Math.min(LONGEST_PAUSE_MS, seconds * 1_000)
  onWait(`Sonde asks to wait (${answer.status}): again in ${Math.ceil(ms / 1_000)} s`)
  await sleep(ms)
}

/** `{detail}`, or what is wrong field by field. */
function problemIn(text: string): string {
  try {
    const { detail, ...fields } = JSON.parse(text) as Record<string, unknown>
    return (typeof detail === 'string' ? detail : JSON.stringify(fields)).slice(0, 500)
  } catch {
    return text.slice(0, 200)
  }
}

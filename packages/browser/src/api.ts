/** What an app calls. All of it does nothing before `init`, and never throws. */
// First: in this order the bundle packs 29 bytes smaller.
import { keepBreadcrumb } from './scope.ts'

import { createClient } from './client.ts'
import { captureThrown } from './errors/exceptions.ts'
import { parseStack } from './errors/stack.ts'
import { normalize } from './normalize.ts'
import type { Breadcrumb, CaptureContext, Client, Dsn, Level, Options, Primitive } from './types.ts'

let current: Client | undefined

/** Starts reporting. A second call ends what the first one started. Undefined when the DSN is none. */
export function init(options: Options): Client | undefined {
  const dsn = parseDsn(options.dsn)
  if (!dsn) {
    // oxlint-disable-next-line no-console -- the only thing that a developer has to be told
    console.error(`Sonde: not a DSN: ${options.dsn}`)
    return undefined
  }
  void current?.close()
  const client = (current = createClient({ environment: 'production', ...options }, dsn))
  catchGlobalErrors(client)
  for (const feature of options.features ?? []) feature(client)
  return client
}

export const getClient = (): Client | undefined => current

/** The event's id, or undefined when it was not sent. */
export function captureException(thrown: unknown, context?: CaptureContext): string | undefined {
  return current && captureThrown(current, thrown, context, parseStack(new Error().stack!, 1))
}

export function captureMessage(message: string, context: Level | CaptureContext = {}): string | undefined {
  return current?.capture(
    { message, level: 'info' },
    {},
    typeof context === 'string' ? { level: context } : context,
  )
}

/** Of the event that was sent last, by the app or by itself. */
export const lastEventId = (): string | undefined => current?.lastEventId

export function addBreadcrumb(breadcrumb: Breadcrumb): void {
  try {
    if (current) keepBreadcrumb(current, normalize(breadcrumb, 4) as Breadcrumb)
  } catch {
    // The app's `beforeBreadcrumb` threw.
  }
}

/** `null` forgets who it was. */
export function setUser(user: Record<string, unknown> | null): void {
  if (current) current.scope.user = normalize(user) as typeof user
}

export function setTag(key: string, value: Primitive): void {
  setTags({ [key]: value })
}

export function setTags(tags: Record<string, Primitive>): void {
  Object.assign(current?.scope.tags ?? {}, normalize(tags))
}

/** `null` removes it. */
export function setContext(key: string, value: Record<string, unknown> | null): void {
  if (current) {
    if (value) current.scope.contexts[key] = normalize(value) as Record<string, unknown>
    else delete current.scope.contexts[key]
  }
}

export function setExtra(key: string, value: unknown): void {
  if (current) current.scope.extra[key] = normalize(value)
}

export function flush(timeoutMs?: number): Promise<boolean> {
  return current ? current.flush(timeoutMs) : Promise.resolve(true)
}

export function close(timeoutMs?: number): Promise<boolean> {
  return current ? current.close(timeoutMs) : Promise.resolve(true)
}

/**
 * https://develop.sentry.dev/sdk/overview/#parsing-the-dsn
 * Undefined for what is no DSN. Not the stricter parser of the server: every byte here is paid by each visitor.
 */
export function parseDsn(text: string): Dsn | undefined {
  const [, scheme, publicKey, host, projectId] =
    /^(https?:\/\/)(\w+)(?::\w*)?@([^@?#\s]+)\/(\d+)\/?$/.exec(text) ?? []
  if (!projectId) return undefined
  const [, orgId, region] = /^o(\d+)\.(?:ingest\.([a-z]{2})\.)?/.exec(host!) ?? []
  return { publicKey: publicKey!, projectId, origin: scheme! + host, orgId, region }
}

/** Errors that nobody caught. Listeners and not `window.onerror`: the page's own handlers stay as they are. */
function catchGlobalErrors(client: Client): void {
  for (const type of ['error', 'unhandledrejection'])
    addEventListener(type, (event) => {
      captureThrown(client, event, {
        mechanism: { type: 'auto.browser.global_handlers.on' + type, handled: false },
      })
    })
}

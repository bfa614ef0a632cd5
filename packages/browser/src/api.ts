/** What an app calls. All of it does nothing before `init`, and never throws. */
import { createClient } from './client.ts'
import { parseDsn } from './dsn.ts'
import { captureThrown } from './errors/capture.ts'
import { catchGlobalErrors } from './errors/global-errors.ts'
import { parseStack } from './errors/stack.ts'
import { normalize } from './normalize.ts'
import type { Breadcrumb, CaptureContext, Client, Level, Options, Primitive } from './types.ts'

let current: Client | undefined
let lastId: string | undefined

/** Starts reporting. A second call ends what the first one started. Undefined when the DSN is none. */
export function init(options: Options): Client | undefined {
  const dsn = parseDsn(options.dsn)
  if (!dsn) {
    // oxlint-disable-next-line no-console -- the only thing that a developer has to be told
    console.error(
      `Sonde: "${options.dsn}" is not a DSN; it looks like https://key@host/1 (project settings, Keys)`,
    )
    return undefined
  }
  void current?.close()
  const client = (current = createClient(options, dsn))
  catchGlobalErrors(client)
  for (const feature of options.features ?? []) feature(client)
  return client
}

export const getClient = (): Client | undefined => current

/** The event's id, or undefined when it was not sent. */
export function captureException(thrown: unknown, context?: CaptureContext): string | undefined {
  return current && (lastId = captureThrown(current, thrown, context, placeOfCall()) ?? lastId)
}

export function captureMessage(message: string, context: Level | CaptureContext = {}): string | undefined {
  const given = typeof context === 'string' ? { level: context } : context
  return current && (lastId = current.capture({ message, level: 'info' }, {}, given) ?? lastId)
}

/** Of the event that was captured last by a call of the app. */
export const lastEventId = (): string | undefined => lastId

export function addBreadcrumb(breadcrumb: Breadcrumb): void {
  current?.emit('breadcrumb', breadcrumb)
}

/** `null` forgets who it was. */
export function setUser(user: Record<string, unknown> | null): void {
  if (current) current.scope.user = user
}

export function setTag(key: string, value: Primitive): void {
  setTags({ [key]: value })
}

export function setTags(tags: Record<string, Primitive>): void {
  Object.assign(current?.scope.tags ?? {}, tags)
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

/** Without this function and its caller in it. */
const placeOfCall = () => parseStack(new Error().stack ?? '', 2)

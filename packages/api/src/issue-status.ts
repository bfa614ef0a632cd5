/** The states that clients of Sentry's API send. */
import type { UpdateIssuesInput } from '@sonde/commands'
import type { JsonBody } from './json-body.ts'

/** `resolvedInNextRelease` and its kin resolve at once; `muted` is what sentry-cli 2 calls `ignored`. */
const STATUSES: ReadonlyMap<string, UpdateIssuesInput['status']> = new Map([
  ['resolved', 'resolved'],
  ['resolvedInNextRelease', 'resolved'],
  ['ignored', 'ignored'],
  ['muted', 'ignored'],
  ['archived', 'ignored'],
  ['unresolved', 'unresolved'],
])

/** Undefined when the body asks for no change of state. An unknown one goes to the command, which says what is allowed. */
export function statusFrom(body: JsonBody): UpdateIssuesInput['status'] | undefined {
  const text = body.text('status')
  return text === undefined ? undefined : (STATUSES.get(text) ?? (text as UpdateIssuesInput['status']))
}

/** Whether `statusFrom` knew it. */
export const isStatus = (status: string): boolean => STATUSES.has(status)

/** A monitor as the form has it, and back. Pure. */
import type { UptimeMonitor, UptimeMonitorInput } from '@sonde/alerts'
import type { PostedFields } from '../../../../parts/forms/posted-fields.ts'

export type MonitorDraft = {
  readonly name: string
  readonly url: string
  readonly method: string
  readonly intervalSec: string
  readonly timeoutSec: string
  readonly environment: string
  /** `name: value`, one a line. */
  readonly headers: string
  /** The same; a stored one stands there without its value. */
  readonly secretHeaders: string
  readonly body: string
  readonly statuses: string
  readonly maxResponseMs: string
  readonly contains: string
  readonly notContains: string
  /** `path = value`, one a line. */
  readonly json: string
  readonly certificateDays: string
  readonly maxRedirects: string
  readonly dnsFailure: string
  readonly failures: string
  readonly failuresOf: string
  readonly recoveries: string
  readonly members: boolean
  readonly channelIds: readonly string[]
  readonly userIds: readonly string[]
  readonly teamIds: readonly string[]
}

export const NEW_MONITOR: MonitorDraft = {
  name: '',
  url: 'https://',
  method: 'GET',
  intervalSec: '60',
  timeoutSec: '10',
  environment: '',
  headers: '',
  secretHeaders: '',
  body: '',
  statuses: '200-299',
  maxResponseMs: '',
  contains: '',
  notContains: '',
  json: '',
  certificateDays: '14',
  maxRedirects: '5',
  dnsFailure: '',
  failures: '3',
  failuresOf: '3',
  recoveries: '2',
  members: true,
  channelIds: [],
  userIds: [],
  teamIds: [],
}

export function draftOf(name: string, monitor: UptimeMonitor): MonitorDraft {
  const { actions } = monitor
  const number = (value: number | undefined): string => (value === undefined ? '' : String(value))
  return {
    name,
    url: monitor.url,
    method: monitor.method,
    intervalSec: String(monitor.intervalSec),
    timeoutSec: String(monitor.timeoutMs / 1_000),
    environment: monitor.environment,
    headers: monitor.headers
      .filter(({ isSecret }) => !isSecret)
      .map((header) => `${header.name}: ${header.value}`)
      .join('\n'),
    secretHeaders: monitor.headers
      .filter(({ isSecret }) => isSecret)
      .map((header) => `${header.name}:`)
      .join('\n'),
    body: monitor.body,
    statuses: monitor.statuses,
    maxResponseMs: number(monitor.maxResponseMs),
    contains: monitor.contains.join('\n'),
    notContains: monitor.notContains.join('\n'),
    json: monitor.json.map(({ path, equals }) => `${path} = ${equals}`).join('\n'),
    certificateDays: number(monitor.certificateDays),
    maxRedirects: String(monitor.maxRedirects),
    dnsFailure: monitor.dnsFailure ?? '',
    failures: String(monitor.failures),
    failuresOf: String(monitor.failuresOf),
    recoveries: String(monitor.recoveries),
    members: actions.some(({ type }) => type === 'members'),
    channelIds: actions.flatMap((action) => (action.type === 'channel' ? [String(action.channelId)] : [])),
    userIds: actions.flatMap((action) => (action.type === 'person' ? [action.userId] : [])),
    teamIds: actions.flatMap((action) => (action.type === 'team' ? [String(action.teamId)] : [])),
  }
}

/** Secret values are not shown again: whoever posted one that is refused types it anew. */
export function postedMonitor(posted: PostedFields): MonitorDraft {
  const { text, secret, all } = posted
  return {
    name: text('name'),
    url: text('url'),
    method: text('method'),
    intervalSec: text('intervalSec'),
    timeoutSec: text('timeoutSec'),
    environment: text('environment'),
    headers: text('headers'),
    secretHeaders: text('secretHeaders'),
    body: secret('body'),
    statuses: text('statuses'),
    maxResponseMs: text('maxResponseMs'),
    contains: text('contains'),
    notContains: text('notContains'),
    json: text('json'),
    certificateDays: text('certificateDays'),
    maxRedirects: text('maxRedirects'),
    dnsFailure: text('dnsFailure'),
    failures: text('failures'),
    failuresOf: text('failuresOf'),
    recoveries: text('recoveries'),
    members: posted.has('members'),
    channelIds: all('channelId'),
    userIds: all('userId'),
    teamIds: all('teamId'),
  }
}

export function monitorInput(draft: MonitorDraft): UptimeMonitorInput {
  const number = (text: string): number | undefined => (text === '' ? undefined : Number(text))
  return {
    url: draft.url,
    method: draft.method as UptimeMonitorInput['method'],
    intervalSec: Number(draft.intervalSec),
    timeoutMs: Math.round(Number(draft.timeoutSec) * 1_000),
    environment: draft.environment,
    headers: [
      ...headersOf(draft.headers).map((header) => ({ ...header, isSecret: false })),
      ...headersOf(draft.secretHeaders).map((header) => ({ ...header, isSecret: true })),
    ],
    body: draft.body.replaceAll('\r\n', '\n'),
    statuses: draft.statuses,
    maxResponseMs: number(draft.maxResponseMs),
    contains: linesOf(draft.contains),
    notContains: linesOf(draft.notContains),
    json: linesOf(draft.json).map((line) => {
      const [path, equals] = halves(line, '=')
      return { path, equals }
    }),
    certificateDays: number(draft.certificateDays),
    maxRedirects: Number(draft.maxRedirects),
    dnsFailure: draft.dnsFailure === '' ? undefined : draft.dnsFailure,
    failures: Number(draft.failures),
    failuresOf: Number(draft.failuresOf),
    recoveries: Number(draft.recoveries),
    actions: [
      ...(draft.members ? [{ type: 'members' as const }] : []),
      ...draft.channelIds.map((id) => ({ type: 'channel' as const, channelId: Number(id) })),
      ...draft.userIds.map((userId) => ({ type: 'person' as const, userId })),
      ...draft.teamIds.map((id) => ({ type: 'team' as const, teamId: Number(id) })),
    ],
  }
}

export const withoutSecrets = (draft: MonitorDraft): MonitorDraft => ({
  ...draft,
  secretHeaders: headersOf(draft.secretHeaders)
    .map(({ name }) => `${name}:`)
    .join('\n'),
})

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const headersOf = (text: string): { readonly name: string; readonly value: string }[] =>
  linesOf(text).map((line) => {
    const [name, value] = halves(line, ':')
    return { name, value }
  })

function halves(line: string, by: string): readonly [string, string] {
  const at = line.indexOf(by)
  return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
}

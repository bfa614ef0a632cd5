/** `sonde issues show`: the issue and the stack of its newest event. */
import type { CommandInput } from '../arguments.ts'
import { type Connection, connect } from '../client/connection.ts'
import { momentText } from '../client/time-text.ts'
import { print, terminalLine } from '../print.ts'
import { type ApiIssue, issueAnswer } from './issue-json.ts'

type ApiFrame = {
  readonly filename: string | null
  readonly function: string | null
  readonly lineNo: number | null
  readonly colNo: number | null
  readonly inApp: boolean
  readonly context: readonly (readonly [number, string])[]
}
type ApiException = {
  readonly type: string | null
  readonly value: string | null
  readonly stacktrace: { readonly frames: readonly ApiFrame[] } | null
}
type ApiEvent = {
  readonly eventID: string
  readonly dateCreated: string
  readonly message: string
  readonly release: { readonly version: string } | null
  readonly environment: string | null
  readonly entries: readonly { readonly type: string; readonly data: unknown }[]
  readonly tags: readonly { readonly key: string; readonly value: string }[]
}
type ApiIssueDetail = ApiIssue & {
  readonly firstRelease: { readonly version: string } | null
  readonly lastRelease: { readonly version: string } | null
}

export const issuePath = (connection: Connection, issue: string): string =>
  `/api/0/organizations/${encodeURIComponent(connection.org())}/issues/${encodeURIComponent(issue)}/`

export async function show(input: CommandInput): Promise<number> {
  const [ref = ''] = input.positionals
  const connection = connect(input)
  const base = issuePath(connection, ref)
  const { body: issue } = await connection.call<ApiIssueDetail>({ path: base })
  // An issue whose events are all gone has none.
  const [event] = await connection.list<{ readonly eventID: string }>({ path: `${base}events/` }, 1)
  const newest = event && (await connection.call<ApiEvent>({ path: `${base}events/${event.eventID}/` })).body
  const answer = {
    ...issueAnswer(issue),
    firstRelease: issue.firstRelease?.version ?? null,
    lastRelease: issue.lastRelease?.version ?? null,
    event: newest ? eventAnswer(newest) : null,
  }
  print(input.flag('json') ? JSON.stringify(answer) : issueText(answer))
  return 0
}

function eventAnswer(event: ApiEvent) {
  return {
    id: event.eventID,
    at: event.dateCreated,
    message: event.message,
    release: event.release?.version ?? null,
    environment: event.environment,
    exceptions: exceptionsOf(event).map(({ type, value, stacktrace }) => ({
      type,
      value,
      /** The place where it was thrown first. */
      frames: (stacktrace?.frames ?? []).toReversed().map((frame) => ({
        file: frame.filename,
        function: frame.function,
        line: frame.lineNo,
        column: frame.colNo,
        inApp: frame.inApp,
        code: frame.context.find(([line]) => line === frame.lineNo)?.[1] ?? null,
      })),
    })),
    tags: Object.fromEntries(event.tags.map(({ key, value }) => [key, value])),
  }
}

function exceptionsOf({ entries }: ApiEvent): readonly ApiException[] {
  const entry = entries.find(({ type }) => type === 'exception')
  return (entry?.data as { readonly values?: readonly ApiException[] } | undefined)?.values ?? []
}

type Answer = ReturnType<typeof issueAnswer> & {
  readonly firstRelease: string | null
  readonly lastRelease: string | null
  readonly event: ReturnType<typeof eventAnswer> | null
}

/** More frames tell a person nothing. `--json` has all. */
const SHOWN_FRAMES = 20

function issueText(issue: Answer): string {
  const facts = [
    ['level', issue.level],
    ['status', issue.substatus === null ? issue.status : `${issue.status} (${issue.substatus})`],
    ['events', String(issue.events)],
    ['users', String(issue.users)],
    ['first seen', `${momentText(issue.firstSeen)}${issue.firstRelease ? ` in ${issue.firstRelease}` : ''}`],
    ['last seen', `${momentText(issue.lastSeen)}${issue.lastRelease ? ` in ${issue.lastRelease}` : ''}`],
    ['assigned to', issue.assignedTo ?? 'nobody'],
    ['page', issue.url],
  ]
  return [
    terminalLine(`${issue.shortId}  ${issue.title}`),
    ...(issue.culprit ? [terminalLine(issue.culprit)] : []),
    '',
    ...facts.map(([name = '', value = '']) => `${name.padEnd(12)}${terminalLine(value)}`),
    ...(issue.event ? eventText(issue.event) : []),
  ].join('\n')
}

function eventText({ id, at, message, exceptions, tags }: NonNullable<Answer['event']>): string[] {
  const said = exceptions.length === 0 && message !== '' ? ['', terminalLine(message)] : []
  const stacks = exceptions
    .toReversed()
    .flatMap(({ type, value, frames }) => [
      '',
      terminalLine(`${type ?? 'Error'}: ${value ?? ''}`),
      ...frames.slice(0, SHOWN_FRAMES).flatMap((frame) => frameText(frame)),
      ...(frames.length > SHOWN_FRAMES ? [`    … ${frames.length - SHOWN_FRAMES} more`] : []),
    ])
  const list = Object.entries(tags).map(([key, value]) => `${key}=${value}`)
  return [
    '',
    `Newest event ${id}, ${momentText(at)}`,
    ...said,
    ...stacks,
    ...(list.length === 0 ? [] : ['', terminalLine(list.join('  '))]),
  ]
}

type Frame = NonNullable<Answer['event']>['exceptions'][number]['frames'][number]

function frameText({ file, function: name, line, column, inApp, code }: Frame): string[] {
  const place = [file ?? '?', ...(line === null ? [] : [line]), ...(column === null ? [] : [column])].join(
    ':',
  )
  const head = terminalLine(`${inApp ? '  ' : '    '}at ${name ?? '?'} (${place})`)
  return inApp && code !== null ? [head, terminalLine(`       > ${code.trim()}`)] : [head]
}

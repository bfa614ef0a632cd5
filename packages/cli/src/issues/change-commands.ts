/** `sonde issues resolve`, `ignore`, `reopen` and `assign`: of several issues all are changed, or none. */
import { type CommandInput, UsageError } from '../arguments.ts'
import { connect } from '../client/connection.ts'
import { lengthMs } from '../client/time-text.ts'
import { print, terminalLine } from '../print.ts'
import type { ApiIssue } from './issue-json.ts'
import { issuePath } from './show-command.ts'

export const resolve = (input: CommandInput): Promise<number> => {
  const release = input.text('in-release')
  const isNext = input.flag('in-next-release')
  if (release !== undefined && isNext)
    throw new UsageError('--in-release and --in-next-release cannot go together')
  const statusDetails =
    release === undefined ? (isNext ? { inNextRelease: true } : {}) : { inRelease: release }
  return change(input, 'resolved', { status: 'resolved', statusDetails })
}

export const reopen = (input: CommandInput): Promise<number> =>
  change(input, 'open', { status: 'unresolved' })

export const ignore = (input: CommandInput): Promise<number> => {
  const time = input.text('for')
  const isUntil = input.flag('until-escalating')
  if (time !== undefined && isUntil) throw new UsageError('--for and --until-escalating cannot go together')
  const ms = time === undefined ? undefined : lengthMs(time)
  if (time !== undefined && (ms === undefined || ms < 60_000))
    throw new UsageError('--for is a time such as 30m or 24h')
  return change(input, 'ignored', {
    status: 'ignored',
    ...(ms !== undefined && { statusDetails: { ignoreDuration: Math.round(ms / 60_000) } }),
    ...(isUntil && { substatus: 'archived_until_escalating' }),
  })
}

/** `nobody` takes it away. */
export const assign = (input: CommandInput): Promise<number> => {
  const to = input.need('to')
  return change(input, to === 'nobody' ? 'assigned to nobody' : `assigned to ${to}`, {
    assignedTo: to === 'nobody' ? '' : to,
  })
}

async function change(
  input: CommandInput,
  done: string,
  json: Readonly<Record<string, unknown>>,
): Promise<number> {
  const connection = connect(input)
  // Looked up first: a name that is wrong changes nothing.
  const issues = new Map<string, ApiIssue>()
  for (const ref of new Set(input.positionals)) {
    const { body } = await connection.call<ApiIssue>({ path: issuePath(connection, ref) })
    issues.set(body.id, body)
  }
  await connection.call({
    method: 'PUT',
    path: `/api/0/organizations/${encodeURIComponent(connection.org())}/issues/`,
    query: { id: [...issues.keys()] },
    json,
  })
  const named = [...issues.values()]
  if (input.flag('json'))
    print(JSON.stringify({ issues: named.map(({ id, shortId }) => ({ id, shortId })), change: json }))
  else for (const { shortId, title } of named) print(terminalLine(`${shortId} is ${done}: ${title}`))
  return 0
}

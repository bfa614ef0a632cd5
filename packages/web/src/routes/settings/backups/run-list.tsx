import { formatDuration } from '../../../format/format-time.ts'
import type { OperatorBackupRun } from '../../../server/operator-backups.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Section, TableFrame } from '../../../ui/section.tsx'
import { Ago } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'

const WORDS = { create: 'Back up', verify: 'Verify', prune: 'Prune' } as const

/** What was done, also from the command line, with what went wrong. */
export function RunList({ runs }: { readonly runs: readonly OperatorBackupRun[] }) {
  return (
    <Section id="runs" title="Runs" note="From here, by the schedule and from the command line.">
      {runs.length === 0 ? (
        <p className="muted">None yet.</p>
      ) : (
        <TableFrame label="Runs, newest first">
          <table className="status-table">
            <thead>
              <tr>
                <th scope="col">Started</th>
                <th scope="col">What</th>
                <th scope="col">State</th>
                <th scope="col">Took</th>
                <th scope="col">Details</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <RunRow key={run.id} run={run} />
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </Section>
  )
}

function RunRow({ run }: { readonly run: OperatorBackupRun }) {
  const { kind, startedMs, finishedMs, trouble, result } = run
  return (
    <tr>
      <td className="nowrap">
        <Ago atMs={startedMs} />
      </td>
      <td className="nowrap">{WORDS[kind]}</td>
      <td>
        {finishedMs === undefined ? (
          <Badge>running</Badge>
        ) : (
          <Badge tone={trouble === '' ? 'good' : 'bad'}>{trouble === '' ? 'done' : 'failed'}</Badge>
        )}
      </td>
      <td className="nowrap">
        {finishedMs === undefined ? '–' : formatDuration(Math.max(0, finishedMs - startedMs))}
      </td>
      <td className="dead-reason">
        <UserText text={trouble === '' ? result : trouble} />
      </td>
    </tr>
  )
}

import { type DataOf, Link, useParams } from '@sonde/router'
import { formatDuration } from '../../../../../format/format-time.ts'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { Badge } from '../../../../../ui/badge.tsx'
import { Section, TableFrame } from '../../../../../ui/section.tsx'
import { ExactTime } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { RUN_TONES, RUN_WORDS } from '../cron-words.ts'
import type { load } from './page.server.ts'

type Data = DataOf<typeof load>

/** Runs by pages, the newest first, also those that were missed. */
export function RunTable({
  monitor,
  runs,
  issues,
  isFirstPage,
  next,
}: Pick<Data, 'monitor' | 'runs' | 'issues' | 'isFirstPage' | 'next'>) {
  const { org, project } = useParams<'org' | 'project'>()
  const kept = usePaths()
  return (
    <Section id="runs" title="Runs">
      {runs.length === 0 ? (
        <p className="muted">{isFirstPage ? 'No runs yet.' : 'No older runs.'}</p>
      ) : (
        <TableFrame label="Runs">
          <table className="perf-table">
            <thead>
              <tr>
                <th scope="col">Status</th>
                <th scope="col">Started</th>
                <th scope="col" className="num">
                  Duration
                </th>
                <th scope="col">Expected</th>
                <th scope="col">Environment</th>
                <th scope="col">Release</th>
                <th scope="col">Trace and issue</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <RunRow key={run.id} run={run} issue={issues[run.traceId]} />
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
      {(next !== undefined || !isFirstPage) && (
        <nav className="cron-pages" aria-label="Pages of runs">
          {!isFirstPage && <Link to={`${kept.cron(org, project, monitor.id)}#runs`}>Newest runs</Link>}
          {next !== undefined && (
            <Link to={`${kept.cron(org, project, monitor.id, { before: next })}#runs`}>Older runs</Link>
          )}
        </nav>
      )}
    </Section>
  )
}

type RowProps = {
  readonly run: Data['runs'][number]
  readonly issue: Data['issues'][string] | undefined
}

function RunRow({ run, issue }: RowProps) {
  const { org, project } = useParams<'org' | 'project'>()
  const kept = usePaths()
  const { status, startedMs, durationMs, expectedMs, environment, release, traceId, checkInId } = run
  return (
    <tr>
      <td>
        <Badge tone={RUN_TONES[status]}>{RUN_WORDS[status]}</Badge>
      </td>
      <td>{checkInId === '' ? <span className="muted">–</span> : <ExactTime atMs={startedMs} />}</td>
      <td className="num">{durationMs === null ? '–' : formatDuration(durationMs)}</td>
      <td>{expectedMs === null ? <span className="muted">–</span> : <ExactTime atMs={expectedMs} />}</td>
      <td className="cron-environment">
        <UserText text={environment} />
      </td>
      <td className="cron-environment">{release === '' ? '–' : <UserText text={release} />}</td>
      <td className="cron-environment">
        {traceId === '' ? (
          '–'
        ) : (
          <Link to={kept.trace(org, traceId)} prefetch="none" title={traceId}>
            {traceId.slice(0, 8)}
          </Link>
        )}
        {issue && (
          <>
            {' '}
            <Link to={kept.issue(org, project, String(issue.id))} prefetch="none">
              <UserText text={issue.title} />
            </Link>
          </>
        )}
      </td>
    </tr>
  )
}

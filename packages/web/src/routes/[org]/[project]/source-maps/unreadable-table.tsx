import type { UnreadableEvents } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { countOf, formatShare } from '../../../../format/format-count.ts'
import { paths } from '../../../../paths.ts'
import { Count } from '../../../../ui/count.tsx'
import { TableFrame } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { UNREADABLE_PERIODS, type UploadSearch } from './upload-search.ts'

type Group = UnreadableEvents['groups'][number] & { readonly why: string }
type Props = {
  readonly unreadable: Omit<UnreadableEvents, 'groups'> & { readonly groups: readonly Group[] }
  readonly period: UploadSearch['period']
}

const NAMES = { '7d': '7 days', '30d': '30 days' } as const

/** By reason and release, each with its latest event, whose page has the commands to run. */
export function UnreadableTable({ unreadable: { events, unreadable, groups }, period }: Props) {
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <>
      <div className="maps-bar">
        <p>
          {events === 0
            ? 'No errors in this period.'
            : unreadable === 0
              ? `All ${countOf(events, 'error')} symbolicated.`
              : `${formatShare(unreadable, events)} of ${countOf(events, 'error')} unsymbolicated.`}
        </p>
        <nav className="segmented segmented-small" aria-label="Time">
          {UNREADABLE_PERIODS.map((each) => (
            <Link
              key={each}
              to={paths.sourceMaps(org, project, { statsPeriod: each })}
              aria-current={each === period || undefined}
              prefetch="intent"
            >
              {NAMES[each]}
            </Link>
          ))}
        </nav>
      </div>
      {groups.length > 0 && (
        <TableFrame label="Unsymbolicated events">
          <table className="maps-table">
            <thead>
              <tr>
                <th scope="col" className="col-end">
                  Events
                </th>
                <th scope="col">Reason</th>
                <th scope="col">Release</th>
                <th scope="col">Last seen</th>
                <th scope="col">Example</th>
              </tr>
            </thead>
            <tbody>
              {groups.map(({ reason, why, release, events: count, lastMs, example }) => (
                <tr key={`${reason} ${release}`}>
                  <td className="col-end">
                    <Count value={count} noun="event" />
                  </td>
                  <th scope="row" className="maps-why">
                    {why}
                  </th>
                  <td className="maps-name">
                    {release === '' ? <span className="muted">none</span> : <UserText text={release} />}
                  </td>
                  <td className="nowrap">
                    <Ago atMs={lastMs} />
                  </td>
                  <td className="nowrap">
                    <Link to={paths.event(org, project, example.issue, example.eventId)} prefetch="intent">
                      {example.issue}
                    </Link>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </>
  )
}

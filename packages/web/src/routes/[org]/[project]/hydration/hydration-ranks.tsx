import type { HydrationRank } from '@sonde/queries'
import { Link } from '@sonde/router'
import { countOf, formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { paths } from '../../../../paths.ts'
import { Count } from '../../../../ui/count.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'

type Props = { readonly org: string; readonly project: string; readonly rows: readonly HydrationRank[] }

/** What differs between server and browser, the most expensive first. */
export function HydrationRankTable({ org, project, rows }: Props) {
  return (
    <div className="perf-scroll" role="region" aria-label="Mismatches by component" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Component</th>
            <th scope="col" title="Texts as shapes: letters are x, digits 9, runs end at four">
              Server → browser
            </th>
            <th scope="col" className="col-num" title="Mean rendering time × users">
              ms × users
            </th>
            <th scope="col" className="col-num" title="Mean time of rendering again">
              Cost
            </th>
            <th
              scope="col"
              className="col-num"
              title="Page loads with the mismatch, of the route's page loads"
            >
              Page loads
            </th>
            <th scope="col" className="col-num" title="Identified users">
              Users
            </th>
            <th scope="col">Last</th>
            <th scope="col">Issue</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.source} ${row.route} ${row.component}`}>
              <th scope="row" className="perf-name">
                <UserText text={row.component} className="vital-code" />{' '}
                <span className="script-detail muted">
                  on <UserText text={row.route} />
                </span>
              </th>
              <td className="hydration-shown">
                <Difference shown={row.shown} />
              </td>
              <td className="col-num num">
                {row.msUsers === undefined ? (
                  <None why="cost unknown" />
                ) : (
                  formatExact(Math.round(row.msUsers))
                )}
              </td>
              <td className="col-num num">
                {row.meanMs === undefined ? <None why="cost unknown" /> : formatDuration(row.meanMs)}{' '}
                <Scope row={row} />
              </td>
              <td className="col-num">
                <Count value={row.pages} noun="page load" />{' '}
                {row.ofPages > 0 && (
                  <span className="script-detail muted num" title={`Of ${countOf(row.ofPages, 'page load')}`}>
                    {formatShare(Math.min(row.pages, row.ofPages), row.ofPages)}
                  </span>
                )}
              </td>
              <td className="col-num">
                {row.users > 0 ? <Count value={row.users} noun="user" /> : <None why="no user IDs" />}
              </td>
              <td>
                <Ago atMs={row.lastMs} />
              </td>
              <td>
                {row.issue ? (
                  <Link to={paths.issue(org, project, row.issue.shortId)}>{row.issue.shortId}</Link>
                ) : (
                  <None
                    why={row.shown?.difference === 'attribute' ? 'React reports no error for it' : 'no event'}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const None = ({ why }: { readonly why: string }) => (
  <span className="muted" title={why}>
    –
  </span>
)

/** Everything, or one boundary, was rendered again; of attributes nothing is. */
function Scope({ row: { rootPages, pages, meanMs, shown } }: { readonly row: HydrationRank }) {
  if (meanMs === undefined) return null
  const text =
    shown?.difference === 'attribute'
      ? 'server’s value stays'
      : rootPages === 0
        ? 'one boundary'
        : rootPages >= pages
          ? 'whole root'
          : `whole root in ${formatShare(rootPages, pages)}`
  return <span className="script-detail muted">{text}</span>
}

/** Two words of one shape look alike: it is said. */
function Difference({ shown }: Pick<HydrationRank, 'shown'>) {
  if (!shown) return <None why="the SDK does not tell what differs" />
  const { difference, node, before, after } = shown
  if (difference === 'unknown') return <span className="muted">not found in the document</span>
  return (
    <>
      <Shape text={before} /> <span aria-label="became">→</span> <Shape text={after} />
      <span className="script-detail muted">
        {difference === 'element' ? 'in' : `${difference} of`} &lt;
        <UserText text={node} />
        &gt;{before === after && ', same shape'}
      </span>
    </>
  )
}

const Shape = ({ text }: { readonly text: string }) =>
  text === '' ? <span className="muted">nothing</span> : <UserText text={text} className="vital-code" />

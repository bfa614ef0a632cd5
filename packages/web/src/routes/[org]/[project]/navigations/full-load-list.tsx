import type { FullLoads } from '@sonde/queries'
import { formatShare } from '../../../../format/format-count.ts'
import { Count } from '../../../../ui/count.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { explainFullLoad } from './full-load-reasons.ts'
import { NavigationLink, TraceLink } from './navigation-links.tsx'

/** Fall-backs to the browser by reason, each with what it means and what to do. */
export function FullLoadList({ org, rows }: { readonly org: string; readonly rows: readonly FullLoads[] }) {
  const all = rows.reduce((sum, { count }) => sum + count, 0)
  return (
    <ul className="nav-reasons">
      {rows.map((row) => {
        const { title, why, todo } = explainFullLoad(row.reason)
        return (
          <li key={row.reason} className="nav-reason">
            <p className="nav-reason-head">
              <strong>
                <UserText text={title} />
              </strong>{' '}
              <Count value={row.count} noun="navigation" />{' '}
              <span className="muted num">
                {formatShare(row.count, all)}
                {row.users > 0 && `, ${row.users} ${row.users === 1 ? 'user' : 'users'}`}
              </span>
            </p>
            <p>{why}</p>
            <p>
              <span className="nav-todo">What to do:</span> {todo}
            </p>
            <p className="nav-sub">
              mostly to <UserText text={row.routes.join(', ')} />; last{' '}
              <NavigationLink id={row.navigationId}>
                <Ago atMs={row.lastMs} />
              </NavigationLink>{' '}
              <TraceLink org={org} traceId={row.traceId} />
            </p>
          </li>
        )
      })}
    </ul>
  )
}

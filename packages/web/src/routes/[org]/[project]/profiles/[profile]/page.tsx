import '../../../../../parts/performance/performance.css'
import '../profiles.css'
import { Link, useLocation, usePageData, useParams } from '@sonde/router'
import { formatExact } from '../../../../../format/format-count.ts'
import { formatDuration } from '../../../../../format/format-time.ts'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { ExactTime } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { FlameGraph } from '../flame-graph.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Profile · Sonde'

export default function Profile() {
  const { org, project } = useParams<'org' | 'project' | 'profile'>()
  const { profiles, tree, thread } = usePageData<typeof load>()
  const { pathname } = useLocation()
  const kept = usePaths()
  const newest = profiles[0]!
  const samples = profiles.reduce((sum, each) => sum + each.samples, 0)
  return (
    <div className="page page-wide">
      <p>
        <Link className="text-link" to={kept.profiles(org, project)}>
          Profiles
        </Link>
      </p>
      <h1>
        <UserText text={newest.profilerId === '' ? newest.transaction : 'Continuous profile'} />
      </h1>
      <p>
        <ExactTime atMs={newest.atMs} /> · {formatDuration(newest.durationMs)} · {formatExact(samples)}{' '}
        samples
        {newest.release !== '' && (
          <>
            {' · '}
            <UserText text={newest.release} />
          </>
        )}
        {newest.environment !== '' && ` · ${newest.environment}`}
        {newest.traceId !== '' && (
          <>
            {' · '}
            <Link className="text-link" to={kept.trace(org, newest.traceId)} prefetch="none">
              View trace
            </Link>
          </>
        )}
      </p>
      {newest.remark !== '' && (
        <p className="muted">
          Parts of this profile could not be kept: {newest.remark.replaceAll('_', ' ')}.
        </p>
      )}
      {tree.threads.length > 1 && (
        <nav className="flame-tools" aria-label="Threads">
          <Link to={pathname} prefetch="none" aria-current={thread === undefined ? 'true' : undefined}>
            All threads
          </Link>
          {tree.threads.slice(0, 20).map(({ id, name }) => (
            <Link
              key={id}
              to={`${pathname}?${new URLSearchParams({ thread: id })}`}
              prefetch="none"
              aria-current={thread === id ? 'true' : undefined}
            >
              <UserText text={name === '' ? `Thread ${id}` : name} />
            </Link>
          ))}
        </nav>
      )}
      <FlameGraph tree={tree} />
    </div>
  )
}

import { Link } from '@sonde/router'
import { paths } from '../../paths.ts'
import { usePaths } from '../../shell/use-paths.ts'

/** The two ways to ask: by filling in, and by writing SQL over the organization. */
export function ExploreNav({
  org,
  project,
  here,
}: {
  readonly org: string
  readonly project: string | undefined
  readonly here: 'spans' | 'sql'
}) {
  const kept = usePaths()
  return (
    <nav className="segmented" aria-label="Explore">
      <Link
        to={kept.explore(org, project)}
        prefetch="none"
        aria-current={here === 'spans' ? 'page' : undefined}
      >
        Spans
      </Link>
      <Link to={paths.sql(org)} prefetch="none" aria-current={here === 'sql' ? 'page' : undefined}>
        SQL
      </Link>
    </nav>
  )
}

import { Link } from '@sonde/router'
import { usePaths } from '../../shell/use-paths.ts'

type ExploreLinkProps = { readonly org: string; readonly project: string; readonly query: string }

/** The same spans in Explore. */
export function ExploreLink({ org, project, query }: ExploreLinkProps) {
  const kept = usePaths()
  const to = kept.explore(org, project)
  return (
    <Link
      className="text-link"
      to={`${to}${to.includes('?') ? '&' : '?'}${new URLSearchParams({ query }).toString()}`}
      prefetch="none"
    >
      Open in Explore
    </Link>
  )
}

import { Link, useParams } from '@sonde/router'
import { usePaths } from '../shell/use-paths.ts'
import { titleOf } from '../ui/user-text.tsx'

/** A release's name, as the way to its page; without a project in the address it is only its name. */
export function ReleaseLink({ release }: { readonly release: string }) {
  const { org, project } = useParams() as { org?: string; project?: string }
  const kept = usePaths()
  const name = <bdi>{release}</bdi>
  return org === undefined || project === undefined ? (
    name
  ) : (
    <Link
      className="release-link"
      to={kept.release(org, project, release)}
      prefetch="intent"
      title={titleOf(release)}
    >
      {name}
    </Link>
  )
}

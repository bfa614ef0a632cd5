import { Link, useParams } from '@sonde/router'
import { usePaths } from '../shell/use-paths.ts'
import { titleOf } from '../ui/user-text.tsx'

type Props = {
  readonly release: string
  /** Instead of its name, where that stands beside it already. */
  readonly children?: string
}

/** A release's name, as the way to its page; without a project in the address it is only its name. */
export function ReleaseLink({ release, children }: Props) {
  const { org, project } = useParams() as { org?: string; project?: string }
  const kept = usePaths()
  if (org === undefined || project === undefined) return children === undefined ? <bdi>{release}</bdi> : null
  return (
    <Link
      className="release-link"
      to={kept.release(org, project, release)}
      prefetch="intent"
      title={titleOf(release)}
      aria-label={children === undefined ? undefined : `${children} ${release}`}
    >
      {children ?? <bdi>{release}</bdi>}
    </Link>
  )
}

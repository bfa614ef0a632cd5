import type { ReleaseDeploy } from '@sonde/queries'
import { formatDuration } from '../../../../../format/format-duration.ts'
import type { UploadPlace } from '../../../../../parts/upload-commands.ts'
import { Snippet } from '../../../../../ui/snippet.tsx'
import { Ago, ExactTime } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { newDeploy } from '../release-commands.ts'
import { OutLink } from './release-head.tsx'

type Props = {
  readonly deploys: readonly ReleaseDeploy[]
  readonly release: string
  readonly place: UploadPlace
}

/** Where and when it was put, the newest first. */
export function ReleaseDeploys({ deploys, release, place }: Props) {
  if (deploys.length === 0)
    return (
      <>
        <p>Nobody told a deploy of it. A build that does puts a line on every chart:</p>
        <Snippet what="command that tells a deploy" code={newDeploy(place, release)} />
      </>
    )
  return (
    <ul className="deploy-list">
      {deploys.map(({ environment, name, url, startedMs, finishedMs }, index) => (
        <li key={index}>
          <strong>
            <UserText text={environment} />
          </strong>{' '}
          <span>
            <ExactTime atMs={finishedMs} />{' '}
            <span className="muted">
              (<Ago atMs={finishedMs} />)
            </span>
          </span>
          {startedMs !== undefined && finishedMs > startedMs && (
            <span className="muted">took {formatDuration(finishedMs - startedMs)}</span>
          )}
          {name !== undefined && name !== '' && <UserText text={name} />}
          {url !== undefined && url !== '' && <OutLink url={url} />}
        </li>
      ))}
    </ul>
  )
}

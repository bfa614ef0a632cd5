import { formatExact } from '../../../../format/format-count.ts'
import { UnreadableNote } from '../../../../parts/scripts/script-place.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { IssueLink } from './failure-tables.tsx'
import { TraceLink } from './navigation-links.tsx'
import { kindsText, oldBuildStory } from './old-build.ts'
import type { ChunksShown } from './page.server.ts'

type Props = {
  readonly org: string
  readonly project: string
  readonly found: readonly ChunksShown[]
}

/** Tabs that could not load code: one card per deploy, however many errors it caused. */
export function OldBuildCards({ org, project, found }: Props) {
  return found.map((each, index) => (
    <OldBuildCard
      key={`${each.build} ${each.environment}`}
      org={org}
      project={project}
      found={each}
      isFirst={index === 0}
    />
  ))
}

type CardProps = {
  readonly org: string
  readonly project: string
  readonly found: ChunksShown
  /** The fix is mostly the same for the next cards, and collapsed there. */
  readonly isFirst: boolean
}

function OldBuildCard({ org, project, found, isFirst }: CardProps) {
  const { headline, why, todo } = oldBuildStory(found)
  const { files, fileCount, users, environment, routes, unread } = found
  return (
    <section className="nav-alert" aria-label={headline}>
      <h2>
        <UserText text={headline} />
      </h2>
      <p>{why}</p>
      <dl className="nav-facts">
        <div>
          <dt>Users</dt>
          <dd className="num" title="Identified users only">
            {users > 0 ? formatExact(users) : 'unknown'}
          </dd>
        </div>
        <div>
          <dt>Failures</dt>
          <dd>{kindsText(found.kinds)}</dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd>
            <Ago atMs={found.firstMs} /> to <Ago atMs={found.lastMs} />
            {found.replacedBy && (
              <span className="muted">
                {' '}
                (deployed <Ago atMs={found.replacedBy.firstMs} />)
              </span>
            )}
          </dd>
        </div>
        {environment !== '' && (
          <div>
            <dt>Environment</dt>
            <dd>
              <UserText text={environment} />
            </dd>
          </div>
        )}
        <div>
          <dt>Files</dt>
          <dd className="nav-path">
            {files.map(({ url, sources }) => (
              <code key={url} className="nav-endpoint">
                <UserText text={url} />
                {sources.length > 0 && (
                  <span className="muted">
                    {' '}
                    with <UserText text={sources.join(', ')} />
                  </span>
                )}
              </code>
            ))}
            {unread && <UnreadableNote org={org} project={project} unreadable={unread} />}
            {fileCount > files.length && (
              <span className="muted">and {formatExact(fileCount - files.length)} more</span>
            )}
            {fileCount === 0 && <span className="muted">not reported by the browser</span>}
          </dd>
        </div>
        {routes.length > 0 && (
          <div>
            <dt>Navigating to</dt>
            <dd>
              <UserText text={routes.join(', ')} />
            </dd>
          </div>
        )}
      </dl>
      <details className="fold" open={isFirst}>
        <summary className="nav-todo">How to fix</summary>
        <ul>
          {todo.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </details>
      <p>
        {found.issue ? (
          <>
            Issue: <IssueLink org={org} issue={found.issue} />.{' '}
          </>
        ) : (
          <span className="muted">No related issue. </span>
        )}
        Latest failure: <TraceLink org={org} traceId={found.traceId} />
      </p>
    </section>
  )
}

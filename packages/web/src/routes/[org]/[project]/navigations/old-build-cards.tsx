import { formatExact } from '../../../../format/format-count.ts'
import { Ago } from '../../../../ui/time.tsx'
import { UnreadableNote } from '../../../../parts/scripts/script-place.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { ChunksShown } from './chunk-texts.ts'
import { TraceLink } from './navigation-links.tsx'
import { kindsText, oldBuildStory } from './old-build.ts'
import { IssueLink } from './page-data-table.tsx'

type Props = {
  readonly org: string
  readonly project: string
  readonly found: readonly ChunksShown[]
}

/** Tabs that could not load code: one card for a deployment, however many errors it made. */
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
  /** What to do is mostly the same for the next ones, and folded there. */
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
          <dd className="num" title="As far as the site tells who they are">
            {users > 0 ? formatExact(users) : 'not told'}
          </dd>
        </div>
        <div>
          <dt>Failures</dt>
          <dd>{kindsText(found.kinds)}</dd>
        </div>
        <div>
          <dt>When</dt>
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
            {fileCount === 0 && <span className="muted">the browser named none</span>}
          </dd>
        </div>
        {routes.length > 0 && (
          <div>
            <dt>On the way to</dt>
            <dd>
              <UserText text={routes.join(', ')} />
            </dd>
          </div>
        )}
      </dl>
      <details className="fold" open={isFirst}>
        <summary className="nav-todo">What to do</summary>
        <ul>
          {todo.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </details>
      <p>
        {found.issue ? (
          <>
            All of it is the issue <IssueLink org={org} issue={found.issue} />.{' '}
          </>
        ) : (
          <span className="muted">No error was reported with it. </span>
        )}
        <TraceLink org={org} traceId={found.traceId} /> of the latest.
      </p>
    </section>
  )
}

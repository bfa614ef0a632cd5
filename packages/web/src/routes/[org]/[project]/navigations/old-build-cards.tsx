import type { ChunkFailureKind } from '@sonde/protocol/navigation'
import type { ChunkFailures, DeployedBuild, Deployments, FileRelease, KeepFiles } from '@sonde/queries'
import { MIN_KEEP_TABS } from '@sonde/queries/contract'
import { countOf, formatExact } from '../../../../format/format-count.ts'
import { deploymentSentence, keepText } from '../../../../parts/deployments/deployment-text.ts'
import { UnreadableNote } from '../../../../parts/scripts/script-place.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { IssueLink } from './failure-tables.tsx'
import { TraceLink } from './navigation-links.tsx'
import type { ChunksShown } from './page.server.ts'

/** Tabs that could not load code, as one summary instead of many errors. */
type StaleBuildText = {
  readonly headline: string
  /** The cause, in a sentence or two. */
  readonly why: string
  readonly todo: readonly string[]
}

const KIND_WORDS: { readonly [Kind in ChunkFailureKind]: string } = {
  old_build: 'removed by the deploy',
  not_found: 'missing in the same build',
  blocked: 'blocked',
  offline: 'offline',
  unreachable: 'site unreachable',
  server: 'server error',
  unknown: 'unknown cause',
}

/** Removed by a deploy: reported as such, or missing while a newer build is out. */
const isGone = ({ kinds, replacedBy }: Failures): boolean =>
  (kinds.old_build ?? 0) > 0 ||
  (replacedBy !== undefined && (kinds.not_found ?? 0) + (kinds.unknown ?? 0) > 0)

type Failures = Pick<ChunkFailures, 'build' | 'tabs' | 'kinds' | 'replacedBy'>

/** `keep`: for how long its files are needed, as far as tabs tell. */
export function describeStaleBuild(failures: Failures, keep?: KeepFiles): StaleBuildText {
  const { build, tabs, kinds, replacedBy } = failures
  const who = `${countOf(tabs, 'tab')} on ${build === '' ? 'an unknown build' : build}`
  if (isGone(failures))
    return {
      headline: replacedBy
        ? `${who} could not load code after ${replacedBy.build} was deployed`
        : `${who} could not load code that a deploy removed`,
      why: 'Open tabs still run the old build and request its files on the next navigation. Those files no longer exist.',
      todo: [
        keep?.p99 === undefined
          ? 'Keep the files of previous releases online for about a week, which covers nearly all open tabs.'
          : `${keepText(keep, MIN_KEEP_TABS).advice} ${keepText(keep, MIN_KEEP_TABS).basis}`,
        'Until then, let the router do a full page load when a chunk fails, so that users get the new release instead of an error.',
      ],
    }
  const main = mainKind(kinds)
  return { headline: `${who} could not load code`, ...CAUSES[main] }
}

type Cause = Pick<StaleBuildText, 'why' | 'todo'>
const CAUSES: { readonly [Kind in ChunkFailureKind]: Cause } = {
  old_build: { why: '', todo: [] },
  not_found: {
    why: 'The site still serves this build, but these files are missing.',
    todo: ['Check that every file of the build is on every server and on the CDN.'],
  },
  blocked: {
    why: 'The site responds, but these files were blocked: by an ad blocker, the page’s CSP or an extension.',
    todo: ['Check the file names: blockers match words such as “ads” and “track”. Check script-src.'],
  },
  offline: {
    why: 'The browsers were offline.',
    todo: ['Nothing to fix on the server. A service worker can cache the code.'],
  },
  unreachable: {
    why: 'The site did not respond: connections were lost, or the site was down.',
    todo: ['Compare with uptime monitoring for that time.'],
  },
  server: {
    why: 'The server or the CDN responded with an error (5xx).',
    todo: ['Check the file server or CDN at the time of the failures.'],
  },
  unknown: {
    why: 'The files load but could not be run, or the page closed before the cause was known.',
    todo: ['Open the issue: its message has the browser’s error.'],
  },
}

function mainKind(kinds: Failures['kinds']): ChunkFailureKind {
  const known = (Object.keys(KIND_WORDS) as ChunkFailureKind[]).filter((kind) => kinds[kind])
  return known.toSorted((a, b) => (kinds[b] ?? 0) - (kinds[a] ?? 0))[0] ?? 'unknown'
}

/** `12 removed by the deploy, 3 blocked`; the most frequent first. */
export function kindsText(kinds: Failures['kinds']): string {
  const known = (Object.keys(KIND_WORDS) as ChunkFailureKind[]).filter((kind) => kinds[kind])
  return known
    .toSorted((a, b) => (kinds[b] ?? 0) - (kinds[a] ?? 0))
    .map((kind) => `${kinds[kind]} ${KIND_WORDS[kind]}`)
    .join(', ')
}

const firstUpper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `belongs to shop@1.4.1, removed since shop@1.4.2` */
export function releasesText({ release, since, removedIn }: FileRelease): string {
  const of = since === release ? `belongs to ${release}` : `belongs to ${since} until ${release}`
  return removedIn === undefined
    ? `${of}, the newest with uploaded files`
    : `${of}, removed since ${removedIn}`
}

type Props = {
  readonly org: string
  readonly project: string
  readonly found: readonly ChunksShown[]
  readonly deployments: Deployments
}

/** Tabs that could not load code: one card per deploy, however many errors it caused. */
export function OldBuildCards({ org, project, found, deployments: { builds, keep } }: Props) {
  return found.map((each, index) => (
    <OldBuildCard
      key={`${each.build} ${each.environment}`}
      org={org}
      project={project}
      found={each}
      deployed={builds.find(
        ({ build, environment }) => build === each.build && environment === each.environment,
      )}
      keep={keep.find(({ environment }) => environment === each.environment)}
      isFirst={index === 0}
    />
  ))
}

type CardProps = {
  readonly org: string
  readonly project: string
  readonly found: ChunksShown
  /** Undefined: too many builds are in use to say. */
  readonly deployed: DeployedBuild | undefined
  readonly keep: KeepFiles | undefined
  /** The fix is mostly the same for the next cards, and collapsed there. */
  readonly isFirst: boolean
}

function OldBuildCard({ org, project, found, deployed, keep, isFirst }: CardProps) {
  const { headline, why, todo } = describeStaleBuild(found, keep)
  const { files, fileCount, users, environment, routes, unread } = found
  return (
    <section className="nav-alert" aria-label={headline}>
      <h2>
        <UserText text={headline} />
      </h2>
      {deployed && isGone(found) && (
        <p>
          <strong>{firstUpper(deploymentSentence(deployed, keep))}.</strong>
        </p>
      )}
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
                (deployed <Ago atMs={found.replacedBy.servedMs} />)
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
            {files.map(({ url, sources, uploaded }) => (
              <code key={url} className="nav-endpoint">
                <UserText text={url} />
                {sources.length > 0 && (
                  <span className="muted">
                    {' '}
                    with <UserText text={sources.join(', ')} />
                  </span>
                )}
                {uploaded && (
                  <span className="nav-sub">
                    <UserText text={releasesText(uploaded)} />
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
        {found.traceId === '' ? (
          <span className="muted">The latest failure has no trace.</span>
        ) : (
          <>
            Latest failure: <TraceLink org={org} traceId={found.traceId} />
          </>
        )}
      </p>
    </section>
  )
}

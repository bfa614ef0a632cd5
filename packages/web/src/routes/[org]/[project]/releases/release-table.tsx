import type { AdoptionBasis, AdoptionCounts, Health, ProjectRelease, ReleaseVerdict } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { useRef } from 'react'
import { countOf, formatBytes, formatExact } from '../../../../format/format-count.ts'
import { ReleaseLink } from '../../../../parts/release-link.tsx'
import { VerdictBadge } from '../../../../parts/releases/verdict-badge.tsx'
import { usePaths } from '../../../../shell/use-paths.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Count } from '../../../../ui/count.tsx'
import { Age, Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { AdoptionBar } from './adoption-bar.tsx'
import { adoptionShare } from './adoption.ts'
import { CrashFree } from './crash-free.tsx'
import { readReleaseSearch, withReleaseParams } from './release-search.ts'
import { useRowKeys } from './use-row-keys.ts'

export type ListedRelease = ProjectRelease & {
  readonly use?: AdoptionCounts | undefined
  readonly health?: Health | undefined
  /** Of the newest; without one of its own, the first has nothing before it. */
  readonly verdict?: { readonly verdict: ReleaseVerdict | undefined; readonly about: string } | undefined
}

type Props = {
  readonly org: string
  readonly project: string
  readonly rows: readonly ListedRelease[]
  readonly basis: AdoptionBasis | undefined
  /** Of all releases, in the selected period. */
  readonly use: AdoptionCounts
  /** Anybody sent a session in this period; else they have no columns. */
  readonly hasSessions: boolean
}

/** One release a row: adoption, issues, usage, commits and source maps. */
export function ReleaseTable({ org, project, rows, basis, use, hasSessions }: Props) {
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table)
  return (
    <div className="perf-scroll" role="region" aria-label="Releases" tabIndex={0}>
      <table ref={table} className="perf-table release-table">
        <thead>
          <tr>
            <SortHeading order="version" name="Release" about="By semantic version, else by creation time" />
            <th scope="col" title="Compared with the previous release; the newest three are judged here">
              Verdict
            </th>
            <th scope="col" className="col-adoption" title="Share of page loads or events in this period">
              Adoption
            </th>
            {hasSessions && (
              <>
                <th scope="col" className="col-num" title="Share of sessions without a crash in this period">
                  Crash-free sessions
                </th>
                <th scope="col" className="col-num" title="Share of users without a crash in this period">
                  Crash-free users
                </th>
              </>
            )}
            <th scope="col" className="col-num" title="New issues">
              New
            </th>
            <th scope="col" className="col-num" title="Regressed issues">
              Regressed
            </th>
            <th scope="col" className="col-num" title="Resolved issues">
              Resolved
            </th>
            <th scope="col" className="col-num" title="In this period">
              Events
            </th>
            <th scope="col" className="col-num" title="Unique users in this period">
              Users
            </th>
            <SortHeading order="created" name="First seen" about="First event, build or deploy" isNumber />
            <SortHeading order="last" name="Last event" about="Last event received" isNumber />
            <th scope="col" className="col-num">
              Commits
            </th>
            <th scope="col" className="col-files">
              Source maps
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row" className="perf-name">
                <ReleaseLink release={row.version} /> {row.status === 'archived' && <Badge>archived</Badge>}
                <DeployChips deploys={row.deploys} />
              </th>
              <td>
                <VerdictCell org={org} project={project} row={row} />
              </td>
              <td className="col-adoption">
                <AdoptionBar share={adoptionShare(basis, row.use, use)} />
              </td>
              {hasSessions && (
                <>
                  <td className="col-num">
                    <CrashFree health={row.health} of="session" />
                  </td>
                  <td className="col-num">
                    <CrashFree health={row.health} of="user" />
                  </td>
                </>
              )}
              <IssueCell org={org} project={project} row={row} kind="new" />
              <IssueCell org={org} project={project} row={row} kind="regressed" />
              <IssueCell org={org} project={project} row={row} kind="resolved" />
              <td className="col-num">
                <Count value={row.use?.events ?? 0} noun="event" />
              </td>
              <td className="col-num">
                <Count value={row.use?.users ?? 0} noun="user" />
              </td>
              <td className="col-num">
                <Age atMs={row.firstSeenMs} />
              </td>
              <td className="col-num">
                {row.lastEventMs === undefined ? (
                  <span className="muted">none</span>
                ) : (
                  <Age atMs={row.lastEventMs} />
                )}
              </td>
              <td className="col-num">
                {row.commits === 0 ? (
                  <span className="muted">–</span>
                ) : (
                  <Count value={row.commits} noun="commit" />
                )}
              </td>
              <FilesCell org={org} project={project} row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const SHOWN_DEPLOYS = 3

/** The environments of the release with the time of the deploy. */
export function DeployChips({ deploys }: Pick<ListedRelease, 'deploys'>) {
  if (deploys.length === 0) return null
  const rest = deploys.slice(SHOWN_DEPLOYS)
  return (
    <ul className="release-deploys" aria-label="Deploys">
      {deploys.slice(0, SHOWN_DEPLOYS).map(({ environment, finishedMs }) => (
        <li key={environment}>
          <UserText text={environment} />{' '}
          <span className="muted">
            <Ago atMs={finishedMs} />
          </span>
        </li>
      ))}
      {rest.length > 0 && (
        <li className="muted" title={rest.map(({ environment }) => environment).join(', ')}>
          and {rest.length} more
        </li>
      )}
    </ul>
  )
}

type CellProps = Pick<Props, 'org' | 'project'> & { readonly row: ListedRelease }

function VerdictCell({ org, project, row }: CellProps) {
  const kept = usePaths()
  const to = `${kept.release(org, project, row.version)}#verdict`
  if (row.verdict === undefined)
    return (
      <Link to={to} prefetch="none" className="muted" aria-label={`Open the verdict of ${row.version}`}>
        Open
      </Link>
    )
  const { verdict, about } = row.verdict
  if (verdict === undefined)
    return (
      <span className="muted" title={about}>
        first release
      </span>
    )
  return (
    <Link to={to} prefetch="none">
      <VerdictBadge verdict={verdict} title={about} />
    </Link>
  )
}

function IssueCell({
  org,
  project,
  row,
  kind,
}: CellProps & { readonly kind: keyof ListedRelease['issues'] }) {
  const kept = usePaths()
  const count = row.issues[kind]
  const className = `col-num num ${kind !== 'resolved' && count > 0 ? 'perf-bad' : ''}`
  if (count === 0) return <td className={`${className} muted`}>0</td>
  return (
    <td className={className}>
      <Link
        to={`${withIssues(kept.release(org, project, row.version), kind)}#issues`}
        prefetch="none"
        aria-label={`${countOf(count, `${kind} issue`)} of ${row.version}`}
      >
        {formatExact(count)}
      </Link>
    </td>
  )
}

function withIssues(to: string, kind: string): string {
  return kind === 'new' ? to : `${to}${to.includes('?') ? '&' : '?'}issues=${kind}`
}

function FilesCell({ org, project, row }: CellProps) {
  const kept = usePaths()
  const to = `${kept.release(org, project, row.version)}#files`
  // Source maps are only missing once there are events.
  if (!row.artifacts && row.lastEventMs === undefined) return <td className="col-files muted">none</td>
  return (
    <td className="col-files">
      {row.artifacts ? (
        <span title={`${countOf(row.artifacts.files, 'file')} for this release`}>
          {formatBytes(row.artifacts.bytes)}
        </span>
      ) : (
        <Link to={to} prefetch="none" className="muted" aria-label={`Upload source maps of ${row.version}`}>
          Upload
        </Link>
      )}
    </td>
  )
}

type HeadingProps = {
  readonly order: 'version' | 'created' | 'last'
  readonly name: string
  readonly about: string
  readonly isNumber?: boolean
}

function SortHeading({ order, name, about, isNumber = false }: HeadingProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const isHere = readReleaseSearch(params).order === order
  return (
    <th
      scope="col"
      className={isNumber ? 'col-num' : undefined}
      title={about}
      aria-sort={isHere ? 'descending' : undefined}
    >
      <Link
        to={pathname + withReleaseParams(params, { order: order === 'version' ? undefined : order })}
        prefetch="none"
        aria-current={isHere || undefined}
      >
        {name}
        {isHere && <span aria-hidden="true"> ↓</span>}
      </Link>
    </th>
  )
}

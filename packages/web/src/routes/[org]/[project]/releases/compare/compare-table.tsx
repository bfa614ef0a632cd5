import type {
  AdoptionBasis,
  AdoptionCounts,
  DifferentIssue,
  ErrorRate,
  ReleaseDetail,
  ReleaseDifferences,
} from '@sonde/queries'
import { Link } from '@sonde/router'
import type { ReactNode } from 'react'
import { countOf, formatBytes, formatExact, formatRateShare } from '../../../../../format/format-count.ts'
import { titleParts } from '../../../../../parts/issue/issue-badges.tsx'
import { changeText } from '../../../../../parts/performance/change-text.ts'
import { ReleaseLink } from '../../../../../parts/release-link.tsx'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { Ago } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { AdoptionBar } from '../adoption-bar.tsx'
import { adoptionShare } from '../adoption.ts'
import { DeployChips } from '../release-table.tsx'

export type ComparedRelease = ReleaseDetail & { readonly use?: AdoptionCounts | undefined }
type Props = {
  readonly a: ComparedRelease
  readonly b: ComparedRelease
  readonly basis?: AdoptionBasis | undefined
  readonly total: AdoptionCounts
}

/** Facts of both releases, row by row. */
export function CompareTable({ a, b, basis, total }: Props) {
  const line = (name: string, of: (release: ComparedRelease) => ReactNode, about?: string) => (
    <tr>
      <th scope="row" title={about}>
        {name}
      </th>
      <td>{of(a)}</td>
      <td>{of(b)}</td>
    </tr>
  )
  const time = (atMs: number | undefined) => (atMs === undefined ? none('none yet') : <Ago atMs={atMs} />)
  const count = (value: number) => <span className="num">{formatExact(value)}</span>
  return (
    <div className="perf-scroll" role="region" aria-label="Both releases" tabIndex={0}>
      <table className="perf-table compare-table">
        <thead>
          <tr>
            <td />
            <th scope="col">
              <ReleaseLink release={a.version} />
            </th>
            <th scope="col">
              <ReleaseLink release={b.version} />
            </th>
          </tr>
        </thead>
        <tbody>
          {line('Adoption', ({ use }) => (
            <AdoptionBar share={adoptionShare(basis, use, total)} />
          ))}
          {line('Deployed', ({ deploys }) =>
            deploys.length === 0 ? none('not reported') : <DeployChips deploys={deploys} />,
          )}
          {line('First event', ({ firstEventMs }) => time(firstEventMs))}
          {line('Last event', ({ lastEventMs }) => time(lastEventMs))}
          {line('Events', ({ use }) => count(use?.events ?? 0), 'In this period')}
          {line('Users', ({ use }) => count(use?.users ?? 0), 'Unique users in this period')}
          {line('New issues', ({ issues }) => count(issues.new), 'First seen in the release')}
          {line(
            'Regressed issues',
            ({ issues }) => count(issues.regressed),
            'Resolved issues that reappeared',
          )}
          {line('Resolved issues', ({ issues }) => count(issues.resolved), 'Resolved in the release')}
          {line('Commits', ({ commits }) => (commits === 0 ? none('not reported') : count(commits)))}
          {line('Source maps', ({ artifacts }) =>
            artifacts
              ? `${formatBytes(artifacts.bytes)} in ${countOf(artifacts.files, 'file')}`
              : none('none for this release'),
          )}
        </tbody>
      </table>
    </div>
  )
}

const none = (text: string) => <span className="muted">{text}</span>

type CompareErrorsProps = {
  readonly org: string
  readonly project: string
  /** The release, and the one it is compared with. */
  readonly release: string
  readonly before: string
  readonly differences: ReleaseDifferences
}

/** Error rates of both releases, and the issues that only one of them has. */
export function CompareErrors({ org, project, release, before, differences }: CompareErrorsProps) {
  const { onlyRelease, onlyBefore, change } = differences
  const changed = changeText(change, 'failureRate')
  return (
    <>
      <p className="compare-rate">
        {rateText(differences.release)} in <ReleaseLink release={release} />, {rateText(differences.before)}{' '}
        in <ReleaseLink release={before} />
        {changed ? (
          <>
            :{' '}
            <span className={`change change-${changed.kind}`}>
              <span className="num">{changed.by}</span>{' '}
              <span className="change-verdict">{VERDICTS[changed.kind]}</span>{' '}
              <span className="change-between num">{changed.between}</span>
            </span>
          </>
        ) : (
          <span className="muted"> (not enough users to compare)</span>
        )}
      </p>
      <div className="compare-issues">
        <OnlyIn org={org} project={project} release={release} issues={onlyRelease} />
        <OnlyIn org={org} project={project} release={before} issues={onlyBefore} />
      </div>
    </>
  )
}

const VERDICTS = {
  worse: 'more users affected',
  better: 'fewer users affected',
  undecided: 'no significant change',
} as const

const rateText = ({ people, events, visits }: ErrorRate): string => {
  if (people) return `${formatRateShare(people.value)} of users had an error`
  const seen = visits === 0 ? '' : ` in ${countOf(Math.round(visits), 'page view')}`
  return `${countOf(events, 'error')}${seen}`
}

type OnlyInProps = Pick<CompareErrorsProps, 'org' | 'project' | 'release'> & {
  readonly issues: readonly DifferentIssue[]
}

function OnlyIn({ org, project, release, issues }: OnlyInProps) {
  const kept = usePaths()
  return (
    <section aria-label={`Only in ${release}`}>
      <h3>
        Only in <bdi>{release}</bdi>
      </h3>
      {issues.length === 0 ? (
        <p className="muted">No unique issues in this period.</p>
      ) : (
        <ul className="compare-only">
          {issues.map((issue) => {
            const { name, rest } = titleParts(issue)
            return (
              <li key={issue.shortId}>
                <Link to={kept.issue(org, project, issue.shortId)} prefetch="intent">
                  <bdi>{name}</bdi>
                </Link>{' '}
                {rest !== '' && <UserText className="release-issue-rest" text={rest} />}{' '}
                <span className="muted">
                  {issue.shortId}, {countOf(issue.eventsHere, 'event')}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

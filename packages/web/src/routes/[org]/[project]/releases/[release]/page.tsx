import '../../../../../charts/charts.css'
import '../../../../../parts/performance/performance.css'
import '../../../../../parts/performance/transactions.css'
import '../../../../../parts/vitals/vitals.css'
import '../releases.css'
import type {
  AdoptionBasis,
  AdoptionCounts,
  ReleaseBundle,
  ReleaseCommit,
  ReleaseDeploy,
  ReleaseDetail,
  ReleaseIssue,
  ReleaseIssueKind,
} from '@sonde/queries'
import { usePageData, useParams } from '@sonde/router'
import type { TrendSeries } from '../../../../../charts/chart-series.ts'
import { countOf } from '../../../../../format/format-count.ts'
import { formatDuration } from '../../../../../format/format-time.ts'
import { VerdictPanel } from '../../../../../parts/releases/verdict-panel.tsx'
import type { VerdictView } from '../../../../../parts/releases/verdict-view.ts'
import type { UploadPlace } from '../../../../../parts/upload-commands.ts'
import { Snippet } from '../../../../../ui/copy-button.tsx'
import { Section } from '../../../../../ui/section.tsx'
import { Ago, ExactTime } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { basisName } from '../adoption.ts'
import { newDeploy, setCommits } from '../release-commands.ts'
import { Pages } from '../release-pages.tsx'
import { COMMITS_A_PAGE } from '../release-search.ts'
import { type ComparedSpeed, hasSpeed, ReleaseSpeed } from '../release-speed.tsx'
import { ShareChart } from '../share-chart.tsx'
import { useBackKey } from '../use-row-keys.ts'
import type { load } from './page.server.ts'
import { ReleaseFiles } from './release-files.tsx'
import { OutLink, ReleaseHead } from './release-head.tsx'
import { ReleaseHealth } from './release-health.tsx'
import { ReleaseIssueList } from './release-issue-list.tsx'

export function title(data: unknown): string {
  const { version } = (data as { release: { version: string } }).release
  return `${version.length > 80 ? `${version.slice(0, 80)}…` : version} · Release · Sonde`
}

export default function Release() {
  const data = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return <ReleaseScreen org={org} project={project} {...data} />
}

type Props = {
  readonly org: string
  readonly project: string
  readonly release: ReleaseDetail
  readonly basis?: AdoptionBasis | undefined
  readonly use?: AdoptionCounts | undefined
  readonly total: AdoptionCounts
  readonly series: TrendSeries
  readonly health: Parameters<typeof ReleaseHealth>[0]
  readonly kind: ReleaseIssueKind
  readonly issues: readonly ReleaseIssue[]
  readonly commits: readonly ReleaseCommit[]
  readonly commitPage: number
  readonly deploys: readonly ReleaseDeploy[]
  readonly bundles: readonly ReleaseBundle[]
  readonly compared?: ComparedSpeed | undefined
  readonly verdict: VerdictView
  readonly place: UploadPlace
}

/** One release: adoption, issues, deploys, performance, commits and source maps. */
function ReleaseScreen({ org, project, release, basis, use, total, series, ...data }: Props) {
  const { version } = release
  const { health, kind, issues, commits, commitPage, deploys, bundles, compared, verdict, place } = data
  useBackKey()
  return (
    <div className="page page-wide">
      <ReleaseHead org={org} project={project} release={release} basis={basis} use={use} total={total} />
      <Section id="verdict" title="Verdict" note="vs. previous release">
        <VerdictPanel org={org} project={project} view={verdict} />
      </Section>
      <Section id="adoption" title="Adoption">
        {basis ? (
          <ShareChart
            title={`Adoption (% of ${basisName(basis)})`}
            series={series}
            noun={basis.slice(0, -1)}
          />
        ) : (
          <p className="muted">No data in this period.</p>
        )}
      </Section>
      <Section id="health" title="Release health" note="sessions in this period">
        <ReleaseHealth {...health} />
      </Section>
      <Section id="issues" title="Issues">
        <ReleaseIssueList
          org={org}
          project={project}
          version={version}
          kind={kind}
          counts={release.issues}
          issues={issues}
        />
      </Section>
      <Section id="deploys" title="Deploys">
        <ReleaseDeploys deploys={deploys} release={version} place={place} />
      </Section>
      <Section id="speed" title="Performance" note={compared ? 'vs. previous release, all users' : undefined}>
        <Speed compared={compared} />
      </Section>
      <Section
        id="commits"
        title="Commits"
        note={release.commits > 0 ? countOf(release.commits, 'commit') : undefined}
      >
        {release.commits > 0 ? (
          <>
            <ReleaseCommits commits={commits} />
            {release.commits > COMMITS_A_PAGE && (
              <Pages
                page={commitPage}
                shown={commits.length}
                total={release.commits}
                rows={COMMITS_A_PAGE}
                noun={['commit', 'commits']}
                param="commits"
                fragment="#commits"
              />
            )}
          </>
        ) : (
          <>
            <p>No commits recorded. Add them to get suspect commits on issues:</p>
            <Snippet what="command that sets the commits" code={setCommits(place, version)} />
          </>
        )}
      </Section>
      <Section id="files" title="Source maps">
        <ReleaseFiles bundles={bundles} release={version} place={place} />
      </Section>
    </div>
  )
}

function Speed({ compared }: Pick<Props, 'compared'>) {
  if (!compared) return <p className="muted">No previous release to compare with.</p>
  if (!hasSpeed(compared))
    return (
      <p className="muted">
        No performance data for this release or the previous one. Web vitals and navigations come from Sonde’s
        browser SDK, web vitals from Sentry’s browser SDKs too.
      </p>
    )
  return <ReleaseSpeed compared={compared} />
}

/** The commits of the release, newest first. */
function ReleaseCommits({ commits }: { readonly commits: readonly ReleaseCommit[] }) {
  return (
    <ol className="release-commits">
      {commits.map((commit) => (
        <li key={`${commit.repository} ${commit.sha}`}>
          <CommitLine {...commit} />
        </li>
      ))}
    </ol>
  )
}

const CHANGES = { A: 'added', M: 'changed', D: 'deleted' } as const

function CommitLine({
  sha,
  repository,
  authorName,
  authorEmail,
  message,
  atMs,
  files,
  fileCount,
}: ReleaseCommit) {
  const [subject = '', ...body] = message.split('\n')
  const rest = body.join('\n').trim()
  return (
    <>
      <p className="commit-subject">
        <code title={sha}>{sha.slice(0, 8)}</code> <UserText text={subject === '' ? 'no message' : subject} />
      </p>
      <p className="commit-meta muted">
        <span title={authorEmail}>
          <UserText text={authorName === '' ? authorEmail || 'Unknown author' : authorName} />
        </span>{' '}
        <Ago atMs={atMs} /> in <UserText text={repository} />
      </p>
      {(fileCount > 0 || rest !== '') && (
        <details className="fold">
          <summary>{fileCount > 0 ? countOf(fileCount, 'file') : 'Message'}</summary>
          {rest !== '' && <p className="long-text">{rest}</p>}
          <ul className="commit-files">
            {files.map(({ path, change }) => (
              <li key={path}>
                <span className="muted">{CHANGES[change]}</span> <code>{path}</code>
              </li>
            ))}
            {fileCount > files.length && <li className="muted">and {fileCount - files.length} more</li>}
          </ul>
        </details>
      )}
    </>
  )
}

type ReleaseDeploysProps = {
  readonly deploys: readonly ReleaseDeploy[]
  readonly release: string
  readonly place: UploadPlace
}

/** The deploys of the release, newest first. */
function ReleaseDeploys({ deploys, release, place }: ReleaseDeploysProps) {
  if (deploys.length === 0)
    return (
      <>
        <p>No deploys recorded. Record one to mark it on every chart:</p>
        <Snippet what="command that records a deploy" code={newDeploy(place, release)} />
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
            <span className="muted">duration {formatDuration(finishedMs - startedMs)}</span>
          )}
          {name !== undefined && name !== '' && <UserText text={name} />}
          {url !== undefined && url !== '' && <OutLink url={url} />}
        </li>
      ))}
    </ul>
  )
}

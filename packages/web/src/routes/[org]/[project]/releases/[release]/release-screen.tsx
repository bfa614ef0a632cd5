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
import type { TrendSeries } from '../../../../../charts/trend-series.ts'
import { countOf } from '../../../../../format/format-count.ts'
import type { UploadPlace } from '../../../../../parts/upload-commands.ts'
import { Section } from '../../../../../ui/section.tsx'
import { Snippet } from '../../../../../ui/snippet.tsx'
import { AdoptionChart } from '../adoption-chart.tsx'
import { setCommits } from '../release-commands.ts'
import { ReleaseCommits } from './release-commits.tsx'
import { ReleaseDeploys } from './release-deploys.tsx'
import { ReleaseFiles } from './release-files.tsx'
import { ReleaseHead } from './release-head.tsx'
import { ReleaseIssueList } from './release-issue-list.tsx'
import { Pages } from '../release-pages.tsx'
import { COMMITS_A_PAGE } from '../release-search.ts'
import { type ComparedSpeed, hasSpeed, ReleaseSpeed } from '../release-speed.tsx'
import { useBackKey } from '../use-row-keys.ts'

type Props = {
  readonly org: string
  readonly project: string
  readonly release: ReleaseDetail
  readonly basis?: AdoptionBasis | undefined
  readonly use?: AdoptionCounts | undefined
  readonly total: AdoptionCounts
  readonly series: TrendSeries
  readonly kind: ReleaseIssueKind
  readonly issues: readonly ReleaseIssue[]
  readonly commits: readonly ReleaseCommit[]
  readonly commitPage: number
  readonly deploys: readonly ReleaseDeploy[]
  readonly bundles: readonly ReleaseBundle[]
  readonly compared?: ComparedSpeed | undefined
  readonly place: UploadPlace
}

/** One release: who uses it, what it broke and mended, how it feels, what is in it. */
export function ReleaseScreen({ org, project, release, basis, use, total, series, ...data }: Props) {
  const { version } = release
  const { kind, issues, commits, commitPage, deploys, bundles, compared, place } = data
  useBackKey()
  return (
    <div className="page page-wide">
      <ReleaseHead org={org} project={project} release={release} basis={basis} use={use} total={total} />
      <Section id="adoption" title="Adoption">
        {basis ? (
          <AdoptionChart series={series} basis={basis} />
        ) : (
          <p className="muted">Nothing came in this time, of this release or any other.</p>
        )}
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
      <Section
        id="speed"
        title="How it feels"
        note={compared ? 'against the release before, of all who use either' : undefined}
      >
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
            <p>
              Nobody told what changed in it. With its commits, issues name the one that probably caused them:
            </p>
            <Snippet what="command that tells the commits" code={setCommits(place, version)} />
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
  if (!compared) return <p className="muted">There is no release before it to compare with.</p>
  if (!hasSpeed(compared))
    return (
      <p className="muted">
        Nobody measured pages of it or of the release before: web vitals and navigations come from Sonde’s
        reporter, vitals from Sentry’s browser SDKs too.
      </p>
    )
  return <ReleaseSpeed compared={compared} />
}

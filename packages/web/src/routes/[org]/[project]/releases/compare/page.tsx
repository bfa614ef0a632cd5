import '../../../../../charts/charts.css'
import '../../../../../parts/performance/performance.css'
import '../../../../../parts/performance/transactions.css'
import '../../../../../parts/vitals/vitals.css'
import '../releases.css'
import type { AdoptionBasis, AdoptionCounts, ReleaseDifferences } from '@sonde/queries'
import { Form, Link, useLocation, usePageData, useParams, useSearchParams } from '@sonde/router'
import type { TrendSeries } from '../../../../../charts/chart-series.ts'
import { VerdictPanel } from '../../../../../parts/releases/verdict-panel.tsx'
import type { VerdictView } from '../../../../../parts/releases/verdict-view.ts'
import { OtherParams } from '../../../../../shell/range-form.tsx'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { EmptyState, Section } from '../../../../../ui/section.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { basisName } from '../adoption.ts'
import { type ComparedSpeed, hasSpeed, ReleaseSpeed } from '../release-speed.tsx'
import { ShareChart } from '../share-chart.tsx'
import { useBackKey } from '../use-row-keys.ts'
import { type ComparedRelease, CompareErrors, CompareTable } from './compare-table.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Compare releases · Sonde'

export default function Compare() {
  const data = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return <CompareScreen org={org} project={project} {...data} />
}

type Props = {
  readonly org: string
  readonly project: string
  readonly requested: { readonly a: string; readonly b: string }
  /** Requested, but unknown to the project. */
  readonly missing: readonly string[]
  /** Suggestions, newest first. */
  readonly versions: readonly string[]
  readonly found?:
    | {
        readonly a: ComparedRelease
        readonly b: ComparedRelease
        readonly basis?: AdoptionBasis | undefined
        readonly total: AdoptionCounts
        readonly series: TrendSeries
        readonly compared: ComparedSpeed
        readonly differences: ReleaseDifferences
        readonly verdict: VerdictView
      }
    | undefined
}

function CompareScreen({ org, project, requested, missing, versions, found }: Props) {
  const kept = usePaths()
  useBackKey()
  return (
    <div className="page page-wide">
      <nav className="release-trail" aria-label="Releases">
        <Link to={kept.releases(org, project)} prefetch="intent">
          All releases
        </Link>
        {found && (
          <Link to={kept.compareReleases(org, project, requested.b, requested.a)} prefetch="none">
            Swap
          </Link>
        )}
      </nav>
      <h1>Compare releases</h1>
      <CompareForm requested={requested} versions={versions} />
      {found ? (
        <>
          <CompareTable {...found} />
          <Section id="verdict" title="Verdict">
            <VerdictPanel org={org} project={project} view={found.verdict} />
          </Section>
          <Section id="adoption" title="Adoption">
            {found.basis ? (
              <ShareChart
                title={`Adoption (% of ${basisName(found.basis)})`}
                series={found.series}
                noun={found.basis.slice(0, -1)}
              />
            ) : (
              <p className="muted">No data in this period.</p>
            )}
          </Section>
          <Section id="errors" title="Errors">
            <CompareErrors
              org={org}
              project={project}
              release={requested.b}
              before={requested.a}
              differences={found.differences}
            />
          </Section>
          <Section id="speed" title="Performance" note="all users of either release">
            {hasSpeed(found.compared) ? (
              <ReleaseSpeed compared={found.compared} />
            ) : (
              <p className="muted">No performance data for either release in this period.</p>
            )}
          </Section>
        </>
      ) : (
        <NotComparable requested={requested} missing={missing} />
      )}
    </div>
  )
}

function CompareForm({ requested, versions }: Pick<Props, 'requested' | 'versions'>) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const field = (name: 'a' | 'b', label: string) => (
    <label>
      {label}
      <input
        className="input"
        name={name}
        list="releases-to-compare"
        defaultValue={requested[name]}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
      />
    </label>
  )
  return (
    <Form method="get" action={pathname} className="compare-form" key={`${requested.a} ${requested.b}`}>
      <OtherParams params={params} without={['a', 'b']} />
      {field('a', 'Release')}
      {field('b', 'with')}
      <datalist id="releases-to-compare">
        {versions.map((version) => (
          <option key={version} value={version} />
        ))}
      </datalist>
      <button type="submit" className="button">
        Compare
      </button>
    </Form>
  )
}

function NotComparable({ requested, missing }: Pick<Props, 'requested' | 'missing'>) {
  if (missing.length > 0)
    return (
      <EmptyState title="Unknown release">
        {missing.map((version) => (
          <p key={version}>
            <UserText className="query-shown" text={version} />
          </p>
        ))}
        <p>Check the spelling. No events or builds have reported it.</p>
      </EmptyState>
    )
  return requested.a !== '' && requested.a === requested.b ? (
    <EmptyState title="Same release selected twice">
      <p>Choose a different release to compare.</p>
    </EmptyState>
  ) : (
    <EmptyState title="Nothing to compare yet">
      <p>You need at least two releases. Releases are created from events or by your build.</p>
    </EmptyState>
  )
}

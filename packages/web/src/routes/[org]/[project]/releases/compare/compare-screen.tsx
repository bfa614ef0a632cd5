import '../../../../../charts/charts.css'
import '../../../../../parts/performance/performance.css'
import '../../../../../parts/performance/transactions.css'
import '../../../../../parts/vitals/vitals.css'
import '../releases.css'
import type { AdoptionBasis, AdoptionCounts, ReleaseDifferences } from '@sonde/queries'
import { Form, Link, useLocation, useSearchParams } from '@sonde/router'
import type { TrendSeries } from '../../../../../charts/trend-series.ts'
import { OtherParams } from '../../../../../shell/other-params.tsx'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { EmptyState } from '../../../../../ui/empty-state.tsx'
import { Section } from '../../../../../ui/section.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { AdoptionChart } from '../adoption-chart.tsx'
import { CompareErrors } from './compare-errors.tsx'
import { type ComparedRelease, CompareTable } from './compare-table.tsx'
import { type ComparedSpeed, hasSpeed, ReleaseSpeed } from '../release-speed.tsx'
import { useBackKey } from '../use-row-keys.ts'

type Props = {
  readonly org: string
  readonly project: string
  readonly asked: { readonly a: string; readonly b: string }
  /** Asked for, and not known to the project. */
  readonly missing: readonly string[]
  /** Newest first, to choose from. */
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
      }
    | undefined
}

export function CompareScreen({ org, project, asked, missing, versions, found }: Props) {
  const kept = usePaths()
  useBackKey()
  return (
    <div className="page page-wide">
      <nav className="release-trail" aria-label="Releases">
        <Link to={kept.releases(org, project)} prefetch="intent">
          All releases
        </Link>
        {found && (
          <Link to={kept.compareReleases(org, project, asked.b, asked.a)} prefetch="none">
            The other way round
          </Link>
        )}
      </nav>
      <h1>Compare two releases</h1>
      <CompareForm asked={asked} versions={versions} />
      {found ? (
        <>
          <CompareTable {...found} />
          <Section id="adoption" title="Adoption">
            {found.basis ? (
              <AdoptionChart series={found.series} basis={found.basis} />
            ) : (
              <p className="muted">Nothing came in this time.</p>
            )}
          </Section>
          <Section id="errors" title="Errors">
            <CompareErrors
              org={org}
              project={project}
              release={asked.b}
              before={asked.a}
              differences={found.differences}
            />
          </Section>
          <Section id="speed" title="How it feels" note="of all who use either">
            {hasSpeed(found.compared) ? (
              <ReleaseSpeed compared={found.compared} />
            ) : (
              <p className="muted">Nobody measured pages of either in this time.</p>
            )}
          </Section>
        </>
      ) : (
        <NotComparable asked={asked} missing={missing} />
      )}
    </div>
  )
}

function CompareForm({ asked, versions }: Pick<Props, 'asked' | 'versions'>) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const field = (name: 'a' | 'b', label: string) => (
    <label>
      {label}
      <input
        className="input"
        name={name}
        list="releases-to-compare"
        defaultValue={asked[name]}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
      />
    </label>
  )
  return (
    <Form method="get" action={pathname} className="compare-form" key={`${asked.a} ${asked.b}`}>
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

function NotComparable({ asked, missing }: Pick<Props, 'asked' | 'missing'>) {
  if (missing.length > 0)
    return (
      <EmptyState title="A release that the project does not know">
        {missing.map((version) => (
          <p key={version}>
            <UserText className="query-shown" text={version} />
          </p>
        ))}
        <p>It may be spelled otherwise, or nothing of it came and no build told it.</p>
      </EmptyState>
    )
  return asked.a !== '' && asked.a === asked.b ? (
    <EmptyState title="Both are the same release">
      <p>Another one is needed to compare it with.</p>
    </EmptyState>
  ) : (
    <EmptyState title="There is nothing to compare yet">
      <p>It takes two releases: events that name one make it, and builds do.</p>
    </EmptyState>
  )
}

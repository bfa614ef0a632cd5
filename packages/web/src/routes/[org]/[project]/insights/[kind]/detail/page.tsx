import '../../../../../../charts/charts.css'
import '../../../../../../parts/performance/performance.css'
import '../../../../../../parts/performance/transactions.css'
import '../../../../../../parts/insights/insights.css'
import { INSIGHT_KINDS, INSIGHT_SPLITS, type InsightKind } from '@sonde/queries/contract'
import { type DataOf, Link, usePageData, useParams, useSearchParams } from '@sonde/router'
import { NewAlertLink } from '../../../../../../parts/alerts/new-alert-link.tsx'
import { FilterBar } from '../../../../../../parts/filter-bar/filter-bar.tsx'
import { ExploreLink } from '../../../../../../parts/insights/explore-link.tsx'
import { exploreQuery, readInsightSearch } from '../../../../../../parts/insights/insight-search.ts'
import { TransactionCharts } from '../../../../../../parts/performance/transaction-charts.tsx'
import { usePaths } from '../../../../../../shell/use-paths.ts'
import { EmptyState, Section } from '../../../../../../ui/section.tsx'
import { InsightName } from '../insight-table.tsx'
import { InsightFigures } from './insight-figures.tsx'
import { InsightIssues, InsightSamples, InsightSplitTable } from './insight-sections.tsx'
import type { load } from './page.server.ts'

export const title = ({ kind, name }: DataOf<typeof load>): string =>
  `${name.slice(0, 80) || '(unknown)'} · ${INSIGHT_KINDS[kind].name} · Sonde`

/** One query, host, asset, key or queue. */
export default function Insight() {
  const { org, project } = useParams<'org' | 'project'>()
  const data = usePageData<typeof load>()
  const { kind, name, row, compared, series, samples, first, issues, cost, choices, splits, mayAlert } = data
  const [params] = useSearchParams()
  const kept = usePaths()
  const { name: kindName, row: rowName, noun, hasIssues }: InsightKind = INSIGHT_KINDS[kind]
  const query = exploreQuery(kind, name, readInsightSearch(params, kind))
  return (
    <div className="page page-wide">
      <p className="transaction-trail">
        <Link to={kept.insights(org, project, kind)}>All {kindName.toLowerCase()}</Link>
      </p>
      <h1 className={kind === 'queries' ? 'insight-title insight-statement' : 'insight-title'}>
        <span className="sr-only">{rowName} </span>
        <InsightName name={name} />
      </h1>
      <FilterBar
        org={org}
        project={project}
        source="spans"
        choices={choices}
        action={
          mayAlert && (
            <NewAlertLink
              org={org}
              project={project}
              start={{ metric: 'spans|', spanMeasure: 'p95(span.duration)', query, trigger: '1000' }}
            />
          )
        }
      />
      <p className="insight-lead">
        <ExploreLink org={org} project={project} query={query} />
      </p>
      {row === undefined ? (
        <EmptyState title="No data in this time range">
          <p>Try a longer time range or fewer filters.</p>
        </EmptyState>
      ) : (
        <>
          <InsightFigures kind={kind} row={row} compared={compared} first={first} cost={cost} />
          <TransactionCharts series={series} noun={noun} />
          <div className="insight-splits">
            {splits.map(({ id, rows }) => (
              <Section key={id} id={id} title={INSIGHT_SPLITS[id].title}>
                <InsightSplitTable
                  org={org}
                  project={project}
                  kind={kind}
                  split={id}
                  rows={rows}
                  noun={noun}
                />
              </Section>
            ))}
          </div>
          <Section id="slowest" title="Slowest spans">
            <InsightSamples org={org} samples={samples} />
          </Section>
          {hasIssues && (
            <Section id="issues" title="Issues">
              <InsightIssues org={org} issues={issues} />
            </Section>
          )}
        </>
      )}
    </div>
  )
}

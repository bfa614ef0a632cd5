import type { ExploreSeries, ExploreTable, FilterValue } from '@sonde/queries'
import { SearchRefusal } from '../search-box/search-refusal.tsx'
import { FilterBar } from '../filter-bar/filter-bar.tsx'
import type { FilterId } from '../filter-bar/filter-state.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ExploreChart } from './explore-chart.tsx'
import { ExploreForm } from './explore-form.tsx'
import { ExploreNav } from './explore-nav.tsx'
import { ExplorePages } from './explore-pages.tsx'
import type { ExploreSearch } from './explore-search.ts'
import type { ExploreRefusal } from './load-explore.server.ts'
import { GroupTable } from './group-table.tsx'
import { SpanTable } from './span-table.tsx'

type Props = {
  readonly org: string
  readonly project: string | undefined
  readonly search: ExploreSearch
  readonly choices?: { readonly id: FilterId; readonly values: readonly FilterValue[] } | undefined
  readonly isNarrowed: boolean
  readonly table?: ExploreTable | undefined
  readonly series?: ExploreSeries | undefined
  readonly refusal?: ExploreRefusal | undefined
}

/** Spans by any attribute. Everything that is chosen stands in the address. */
export function ExploreScreen({ org, project, search, choices, isNarrowed, table, series, refusal }: Props) {
  return (
    <div className="page page-wide">
      <div className="explore-head">
        <h1 className="sr-only">Explore spans of {project ?? 'all projects'}</h1>
        <ExploreNav org={org} project={project} here="spans" />
        <FilterBar org={org} project={project} source="spans" choices={choices} />
      </div>
      <ExploreForm org={org} project={project} search={search} isRefused={refusal !== undefined} />
      {refusal && <SearchRefusal query={search.query} refusal={refusal} />}
      {table && series && series.total === 0 && (
        <EmptyState title={isNarrowed ? 'No span matches' : 'No spans yet'}>
          <p>
            {isNarrowed
              ? 'Take a term away, or choose a longer time above.'
              : 'Spans come from the tracing of any Sentry SDK, of Sonde’s reporter, or over OTLP.'}
          </p>
        </EmptyState>
      )}
      {table && series && series.total > 0 && (
        <>
          <ExploreChart series={series} search={search} />
          {search.view === 'groups' ? (
            <GroupTable org={org} project={project} table={table} series={series} search={search} />
          ) : (
            <SpanTable org={org} table={table} />
          )}
          <ExplorePages page={search.page} shown={table.rows.length} hasMore={table.hasMore} />
        </>
      )}
    </div>
  )
}

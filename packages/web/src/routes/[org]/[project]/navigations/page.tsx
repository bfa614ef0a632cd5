import '../../../../charts/charts.css'
import '../../../../parts/performance/performance.css'
import './navigations.css'
import { usePageData, useParams, useSearchParams } from '@sonde/router'
import { ChosenPair } from './chosen-pair.tsx'
import { navigationPlace } from './navigation-address.ts'
import { NavigationCharts } from './navigation-charts.tsx'
import { NavigationPanel } from './navigation-panel.tsx'
import { NavigationSections, shownOf } from './navigation-sections.tsx'
import { NothingNavigated } from './nothing-navigated.tsx'
import { OldBuildCards } from './old-build-cards.tsx'
import { PairPanel } from './pair-panel.tsx'
import { PairTable } from './pair-table.tsx'
import { PhaseBar } from './phase-bar.tsx'
import { SummaryCards } from './summary-cards.tsx'
import { summaryFigures } from './summary-figures.ts'
import { keptShare } from '../../../../parts/performance/extrapolated.ts'
import { FilterBar } from '../../../../parts/filter-bar/filter-bar.tsx'
import { Section } from '../../../../ui/section.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Navigations · Sonde'

export default function Navigations() {
  const data = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const [params] = useSearchParams()
  const { navigation, sort } = navigationPlace(params)
  const { summary, pairs, pairCount, pageData, chunks, markers, choices, parts, slowest } = data
  return (
    <div className="page page-wide">
      <h1 className="sr-only">Navigations in {project}</h1>
      <FilterBar org={org} project={project} source="navigations" choices={choices} />
      <ChosenPair />
      {navigation !== undefined && <NavigationPanel org={org} one={data.one} />}
      {data.isEmpty ? (
        <NothingNavigated dsn={data.dsn} isNarrowed={data.isNarrowed} />
      ) : (
        <>
          <SummaryCards figures={summaryFigures(summary.total, summary.before, pageData)} />
          {data.part < 1 && (
            <p className="muted">
              There are very many: {keptShare(data.part)} was read, and numbers are counted up from it. A
              shorter time is read whole; what is rare may be missing here.
            </p>
          )}
          <OldBuildCards org={org} project={project} found={chunks} />
          <Section
            id="time"
            title="Where the time goes"
            note="means from the press to the picture; of data and code, the longer one was waited for"
          >
            <PhaseBar phases={summary.total.meanPhases} of="All of them" />
            <NavigationCharts trend={summary.trend} markers={markers} />
          </Section>
          {parts && slowest && (
            <Section id="pair" title="This pair">
              <PairPanel org={org} pairs={pairs} parts={parts} slowest={slowest} />
            </Section>
          )}
          {(!parts || pairCount > 1) && (
            <Section id="pairs" title="Pairs of routes" note={shownOf(pairs.length, pairCount)}>
              <PairTable pairs={pairs} sort={sort} />
            </Section>
          )}
          <NavigationSections org={org} data={data} />
        </>
      )}
    </div>
  )
}

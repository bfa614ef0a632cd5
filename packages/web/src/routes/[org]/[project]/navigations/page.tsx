import '../../../../styles/charts.css'
import '../../../../styles/performance.css'
import '../../../../styles/navigations.css'
import { usePageData, useParams, useSearchParams } from '@sonde/router'
import { ChosenPair } from '../../../../navigations/chosen-pair.tsx'
import { navigationPlace } from '../../../../navigations/navigation-address.ts'
import { NavigationCharts } from '../../../../navigations/navigation-charts.tsx'
import { NavigationPanel } from '../../../../navigations/navigation-panel.tsx'
import { NavigationSections, shownOf } from '../../../../navigations/navigation-sections.tsx'
import { NothingNavigated } from '../../../../navigations/nothing-navigated.tsx'
import { OldBuildCards } from '../../../../navigations/old-build-cards.tsx'
import { PairPanel } from '../../../../navigations/pair-panel.tsx'
import { PairTable } from '../../../../navigations/pair-table.tsx'
import { PhaseBar } from '../../../../navigations/phase-bar.tsx'
import { SummaryCards } from '../../../../navigations/summary-cards.tsx'
import { summaryFigures } from '../../../../navigations/summary-figures.ts'
import { keptShare } from '../../../../performance/extrapolated.ts'
import { FilterBar } from '../../../../performance/filter-bar.tsx'
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

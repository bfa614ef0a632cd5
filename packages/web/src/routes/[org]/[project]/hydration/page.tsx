import '../../../../parts/performance/performance.css'
import './hydration.css'
import { usePageData, useParams } from '@sonde/router'
import { countOf } from '../../../../format/format-count.ts'
import { FilterBar } from '../../../../parts/filter-bar/filter-bar.tsx'
import { Snippet } from '../../../../ui/copy-button.tsx'
import { EmptyState, Section } from '../../../../ui/section.tsx'
import { BenignTable, HydrationRouteTable } from './hydration-counts.tsx'
import { HydrationRankTable } from './hydration-ranks.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Hydration · Sonde'

export default function Hydration() {
  const { ranks, routes, pages, benign, choices, isEmpty, isNarrowed, dsn } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const isStock = ranks.some(({ source }) => source === 'sdk')
  return (
    <div className="page page-wide">
      <h1 className="sr-only">Hydration of {project}</h1>
      <FilterBar org={org} project={project} source="spans" choices={choices} />
      {isEmpty ? (
        <NoHydration dsn={dsn} isNarrowed={isNarrowed} />
      ) : (
        <>
          <Section
            id="mismatches"
            title="Mismatches"
            note="ranked by mean rendering time × users, page loads where users are unknown"
          >
            {ranks.length === 0 ? (
              <p className="muted">No mismatch in {countOf(pages, 'hydrated page load')}.</p>
            ) : (
              <HydrationRankTable org={org} project={project} rows={ranks} />
            )}
            {isStock && (
              <p className="muted hydration-note">
                Rows without a cost come from errors of Sentry’s SDKs. With <code>watchHydration</code> of{' '}
                <code>@sonde/react</code> they also show what differs, what it costs, lost clicks, and only
                mismatches that your code causes.
              </p>
            )}
          </Section>
          {routes.length > 0 && (
            <Section id="routes" title="Routes" note="hydrated page loads, most lost clicks first">
              <HydrationRouteTable rows={routes} />
            </Section>
          )}
          {benign.length > 0 && (
            <Section id="benign" title="Benign differences" note="counted, never issues">
              <BenignTable rows={benign} />
            </Section>
          )}
        </>
      )}
    </div>
  )
}

type Props = { readonly dsn: string | undefined; readonly isNarrowed: boolean }

function NoHydration({ dsn, isNarrowed }: Props) {
  return (
    <EmptyState title="No hydration yet" docs="hydration">
      <p>
        Pages that React renders on the server are hydrated in the browser. Here is where the two differ, what
        rendering again costs your users, and which clicks came too early.
      </p>
      {isNarrowed && <p>Nothing matches. Try a longer time range or fewer filters.</p>}
      {dsn !== undefined && (
        <>
          <p>
            Hydration errors of Sentry’s SDKs appear here by route and component. Sonde’s React package also
            tells what differs, its cost and lost clicks:
          </p>
          <Snippet
            what="code that watches hydration"
            code={`import { init, tracing } from '@sonde/browser'
import { watchHydration } from '@sonde/react/hydration'
import { hydrateRoot } from 'react-dom/client'

init({ dsn: '${dsn}', tracesSampleRate: 1, features: [tracing()] })

const container = document.getElementById('root')
const { app, handlers } = watchHydration(container, <App />)
hydrateRoot(container, app, handlers)`}
          />
        </>
      )}
    </EmptyState>
  )
}

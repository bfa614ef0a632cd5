import '../../../parts/performance/performance.css'
import '../../../parts/explore/explore.css'
import './service-map.css'
import { Link, usePageData, useParams } from '@sonde/router'
import { countOf, formatExact } from '../../../format/format-count.ts'
import { FilterBar } from '../../../parts/filter-bar/filter-bar.tsx'
import { usePaths } from '../../../shell/use-paths.ts'
import { Snippet } from '../../../ui/copy-button.tsx'
import { EmptyState, Section } from '../../../ui/section.tsx'
import { MapPictureView } from './map-picture.tsx'
import { CallTable, NodeTable } from './map-tables.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Service map · Sonde'

export default function ServiceMapPage() {
  const { org } = useParams<'org'>()
  const { map, picture, choices, isNarrowed, refusal } = usePageData<typeof load>()
  const kept = usePaths()
  return (
    <div className="page page-wide">
      <h1 className="sr-only">Service map of {org}</h1>
      <FilterBar org={org} project={undefined} source="spans" choices={choices} />
      {refusal && (
        <EmptyState title="Too many spans">
          <p>
            No map: {refusal.message}. {refusal.hint}
          </p>
        </EmptyState>
      )}
      {map && map.nodes.length === 0 && <NoServices isNarrowed={isNarrowed} />}
      {map && picture && map.nodes.length > 0 && (
        <>
          <p className="muted map-facts">
            {countOf(map.nodes.length, 'node')}, {countOf(map.edges.length, 'connection')}.{' '}
            {map.oneIn > 1 && `Sampled: one of ${formatExact(map.oneIn)} traces was read, and counted up. `}
            {map.isCut && 'A trace is too large and was read in part. '}
            {map.leftOut > 0 && `${countOf(map.leftOut, 'node')} with the least traffic left out. `}
            {map.unknownCallers > 0 &&
              `${countOf(map.unknownCallers, 'request')} of callers whose span is not stored. `}
            Select a node or a connection to see its spans in{' '}
            <Link className="text-link" to={kept.explore(org, undefined)}>
              Explore
            </Link>
            .
          </p>
          <MapPictureView map={map} picture={picture} />
          <Section id="connections" title="Connections">
            <CallTable map={map} />
          </Section>
          <Section id="nodes" title="Services, stores, queues and hosts">
            <NodeTable map={map} />
          </Section>
        </>
      )}
    </div>
  )
}

function NoServices({ isNarrowed }: { readonly isNarrowed: boolean }) {
  return (
    <EmptyState title="No services yet" docs="service-map">
      <p>
        Services, databases, queues and hosts appear as soon as spans arrive; a connection as soon as one
        service passes its trace on to another.
      </p>
      {isNarrowed ? (
        <p>No spans for these filters. Try a longer time range.</p>
      ) : (
        <>
          <p>Let a page pass its trace on to the API that it asks, with any Sentry SDK or OpenTelemetry:</p>
          <Snippet
            what="code that passes traces on"
            code={`init({
  dsn: '…',
  tracesSampleRate: 1,
  tracePropagationTargets: ['https://api.example.com'],
})`}
          />
        </>
      )}
    </EmptyState>
  )
}

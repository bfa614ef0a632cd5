import { useParams } from '@sonde/router'
import type { ReactNode } from 'react'
import { formatExact } from '../../../../format/format-count.ts'
import { NewAlertLink } from '../../../../parts/alerts/new-alert-link.tsx'
import { Section } from '../../../../ui/section.tsx'
import { HardNavigationList, PageDataTable, StuckTable } from './failure-tables.tsx'
import type { load } from './page.server.ts'
import { CacheTable, OriginShare, PrefetchTable, SpeculatedLoads } from './prefetch-and-cache.tsx'
import { stormStart } from './prefetch-words.ts'

type Data = Awaited<ReturnType<typeof load>>
type Props = { readonly org: string; readonly data: Data }

/** What went wrong, and what prefetching and caches gained. */
export function NavigationSections({ org, data }: Props) {
  const { hung, pageData, fullLoads, prefetches, speculated, caches, origin, windowMs, mayAlert } = data
  const { project } = useParams<'project'>()
  return (
    <>
      <Part
        id="hung"
        title="Stuck or abandoned"
        note="over 5 s, or the user left first"
        none="No stuck or abandoned navigations."
        count={hung.length}
      >
        <StuckTable org={org} rows={hung} />
      </Part>
      <Part
        id="page-data"
        title="Failed data requests"
        note="by endpoint; consecutive retries count once"
        none={
          <>
            No data. To report failed requests, add <code>pageDataFailures()</code> to the SDK’s features.
          </>
        }
        count={pageData.length}
      >
        <PageDataTable org={org} rows={pageData} />
      </Part>
      <Part
        id="full-loads"
        title="Hard navigations"
        note="client-side routing fell back to a full page load"
        none="No hard navigations."
        count={fullLoads.length}
      >
        <HardNavigationList org={org} rows={fullLoads} />
      </Part>
      <Part
        id="prefetch"
        title="Prefetching"
        note="by route"
        none={
          <>
            No prefetches reported. To report those of links, Next.js and speculation rules, add{' '}
            <code>prefetches()</code> to the SDK’s features; router adapters report their own, and other code
            uses <code>createPrefetches</code>.
          </>
        }
        count={prefetches.length + (origin || speculated ? 1 : 0)}
        actions={
          mayAlert &&
          (prefetches.length > 0 || origin) && (
            <NewAlertLink
              org={org}
              project={project}
              start={stormStart(prefetches, windowMs)}
              label="Alert on storms"
            />
          )
        }
      >
        {origin && <OriginShare origin={origin} />}
        {speculated && <SpeculatedLoads {...speculated} />}
        {prefetches.length > 0 && <PrefetchTable rows={prefetches} windowMs={windowMs} origin={origin} />}
      </Part>
      <Part
        id="cache"
        title="Client cache hits"
        note="by route"
        none="No cache data reported."
        count={caches.length}
      >
        <CacheTable rows={caches} />
      </Part>
    </>
  )
}

type PartProps = {
  readonly id: string
  readonly title: string
  readonly note: string
  /** Shown for an empty table. */
  readonly none: ReactNode
  readonly count: number
  readonly actions?: ReactNode
  readonly children: ReactNode
}

function Part({ id, title, note, none, count, actions, children }: PartProps) {
  return (
    <Section id={id} title={title} note={count > 0 ? note : undefined} actions={actions}>
      {count > 0 ? children : <p className="muted">{none}</p>}
    </Section>
  )
}

/** `50 of 340` where not all are shown. */
export const shownOf = (shown: number, all: number): string =>
  shown < all ? `${formatExact(shown)} of ${formatExact(all)}` : formatExact(all)

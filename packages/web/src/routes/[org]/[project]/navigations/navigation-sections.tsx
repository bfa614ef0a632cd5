import type { ReactNode } from 'react'
import { formatExact } from '../../../../format/format-count.ts'
import { Section } from '../../../../ui/section.tsx'
import { CacheTable } from './cache-table.tsx'
import { FullLoadList } from './full-load-list.tsx'
import { HungTable } from './hung-table.tsx'
import type { loadNavigations } from './load-navigations.server.ts'
import { PageDataTable } from './page-data-table.tsx'
import { PrefetchTable } from './prefetch-table.tsx'

type Data = Awaited<ReturnType<typeof loadNavigations>>
type Props = { readonly org: string; readonly data: Data }

/** What went wrong on the way, and what was done so that it goes faster. */
export function NavigationSections({ org, data }: Props) {
  const { hung, pageData, fullLoads, prefetches, caches } = data
  return (
    <>
      <Part
        id="hung"
        title="Hung, or left while waiting"
        note="longer than 5 s, or the person went away first"
        none="No load hung, and nobody left while waiting."
        count={hung.length}
      >
        <HungTable org={org} rows={hung} />
      </Part>
      <Part
        id="page-data"
        title="Page data that failed"
        note="by endpoint; requests that failed in a row are one failure"
        none={
          <>
            None was told. The reporter tells with <code>pageDataFailures()</code> among its features.
          </>
        }
        count={pageData.length}
      >
        <PageDataTable org={org} rows={pageData} />
      </Part>
      <Part
        id="full-loads"
        title="Full page loads instead"
        note="the router gave up and the browser loaded the page"
        none="The router gave up on none."
        count={fullLoads.length}
      >
        <FullLoadList org={org} rows={fullLoads} />
      </Part>
      <Part
        id="prefetch"
        title="Fetched ahead"
        note="by route, since the page was loaded"
        none={
          <>
            Nothing was told of fetching ahead. Adapters of routers that do it tell; other code tells with{' '}
            <code>createPrefetches</code>.
          </>
        }
        count={prefetches.length}
      >
        <PrefetchTable rows={prefetches} />
      </Part>
      <Part
        id="cache"
        title="Shown from the client’s cache"
        note="by route"
        none="No router told of a cache."
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
  /** Instead of an empty table. */
  readonly none: ReactNode
  readonly count: number
  readonly children: ReactNode
}

function Part({ id, title, note, none, count, children }: PartProps) {
  return (
    <Section id={id} title={title} note={count > 0 ? note : undefined}>
      {count > 0 ? children : <p className="muted">{none}</p>}
    </Section>
  )
}

/** `50 of 340` where not all are shown. */
export const shownOf = (shown: number, all: number): string =>
  shown < all ? `${formatExact(shown)} of ${formatExact(all)}` : formatExact(all)

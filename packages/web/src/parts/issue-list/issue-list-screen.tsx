import type { DataOf } from '@sonde/router'
import type { ReactNode } from 'react'
import { BulkNotice } from './bulk-notice.tsx'
import { IssueFilters } from './issue-filters.tsx'
import { IssueRows } from './issue-rows.tsx'
import type { ListPlace } from './list-place.ts'
import type { ListSearch } from './list-search.ts'
import type { ListLoad } from './load-list.server.ts'
import { NothingMatches } from './nothing-matches.tsx'
import { useLive } from './use-live.ts'
import { useSteadyPage } from './use-steady-page.ts'

export type ListedData = DataOf<ListLoad>
export type ShownPage = NonNullable<ListedData['page']>
export type ShownRow = ShownPage['rows'][number]

export type IssueListScreenProps = ListedData & {
  readonly place: ListPlace
  /** For screen readers: where one is stands in the breadcrumbs. */
  readonly heading: string
  readonly search: ListSearch
  readonly mayChange: boolean
  /** Above the rows. */
  readonly notice?: ReactNode
  /** Instead of "nothing matches" where nothing ever arrived. */
  readonly whenFresh?: ReactNode
}

/** Search, rows, what to do with them, and the ways on. */
export function IssueListScreen({
  place,
  heading,
  search,
  page,
  refusal,
  notice,
  ...rest
}: IssueListScreenProps) {
  useLive(place, search.cursor === undefined && page !== undefined)
  return (
    <div className="page page-wide">
      <h1 className="sr-only">{heading}</h1>
      <IssueFilters place={place} search={search} refusal={refusal} />
      <BulkNotice />
      {notice}
      {page && <Listed place={place} search={search} newest={page} {...rest} />}
    </div>
  )
}

type ListedProps = Pick<IssueListScreenProps, 'place' | 'search' | 'mayChange' | 'whenFresh'> & {
  readonly newest: ShownPage
}

function Listed({ place, search, newest, mayChange, whenFresh }: ListedProps) {
  const { page, waiting, showNewest } = useSteadyPage<ShownRow, ShownPage>(newest)
  if (page.rows.length === 0) return whenFresh ?? <NothingMatches place={place} search={search} />
  return (
    <IssueRows
      place={place}
      search={search}
      page={page}
      waiting={waiting}
      showNewest={showNewest}
      mayChange={mayChange}
    />
  )
}

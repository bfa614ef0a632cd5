import { Form, Link } from '@sonde/router'
import type { ChangeEvent } from 'react'
import { SearchBox, SearchRefusal } from '../search-box/search-box.tsx'
import {
  isView,
  listPath,
  type ListPlace,
  type ListSearch,
  type ShownSaved,
  SORTS,
  STATUSES,
  statusOf,
  suggestionsPath,
  toSearch,
  VIEWS,
  withStatus,
} from './list-search.ts'
import type { Refusal } from './load-list.server.ts'
import { SavedSearchMenu } from './saved-search-menu.tsx'

export type IssueFiltersProps = {
  readonly place: ListPlace
  readonly search: ListSearch
  readonly saved: ShownSaved
  readonly refusal?: Refusal | undefined
}

const submit = (event: ChangeEvent<HTMLSelectElement>): void => event.currentTarget.form?.requestSubmit()

/**
 * The search and everything else that decides what the list shows. It all lives in the address; environment and
 * period are chosen in the page's frame and only kept here.
 */
export function IssueFilters({ place, search, saved, refusal }: IssueFiltersProps) {
  const { query, sort, statsPeriod, start, end, environments } = search
  return (
    <div className="filters">
      <StatusTabs place={place} search={search} />
      <Form method="get" action={listPath(place)} className="filter-form" role="search">
        <SearchBox
          suggestions={suggestionsPath(place)}
          what="issues"
          placeholder='level:error release:1.2 "text of the title"'
          query={query}
          statsPeriod={statsPeriod}
          isRefused={refusal !== undefined}
        />
        {/* Made anew when the address changes, so that it says what the list shows. */}
        <select
          key={sort}
          className="input"
          name="sort"
          aria-label="Sort by"
          defaultValue={sort}
          onChange={submit}
        >
          {SORTS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        {statsPeriod !== '' && <input type="hidden" name="statsPeriod" value={statsPeriod} />}
        {start !== undefined && <input type="hidden" name="start" value={start} />}
        {end !== undefined && <input type="hidden" name="end" value={end} />}
        {environments.map((environment) => (
          <input key={environment} type="hidden" name="environment" value={environment} />
        ))}
        <button type="submit" className="button">
          Search
        </button>
      </Form>
      <SavedSearchMenu place={place} search={search} saved={saved} isRefused={refusal !== undefined} />
      {refusal && <SearchRefusal query={query} refusal={refusal} />}
    </div>
  )
}

function StatusTabs({ place, search }: Pick<IssueFiltersProps, 'place' | 'search'>) {
  const shown = isView(search.query) ? undefined : statusOf(search.query)
  return (
    <nav className="segmented" aria-label="Status">
      {STATUSES.map(({ id, name }) => (
        <Link
          key={id}
          to={listPath(place, toSearch(search, { query: withStatus(search.query, id) }))}
          aria-current={id === shown ? 'true' : undefined}
          prefetch="intent"
        >
          {name}
        </Link>
      ))}
      {VIEWS.map(({ query, name }) => (
        <Link
          key={query}
          to={listPath(place, toSearch(search, { query }))}
          aria-current={query === search.query.trim() ? 'true' : undefined}
          prefetch="intent"
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}

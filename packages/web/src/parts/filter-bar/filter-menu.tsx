import type { FilterSource, FilterValue } from '@sonde/queries'
import { Link, useLocation, useNavigate, useSearchParams } from '@sonde/router'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { FilteredList } from '../../shell/filtered-list.tsx'
import { useJson } from '../../shell/use-json.ts'
import { Count } from '../../ui/count.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { FilterForm } from './filter-form.tsx'
import { CHOOSE, type Filter, valuesOf, withValues } from './filter-state.ts'

type FilterMenuProps = {
  readonly filter: Filter
  readonly org: string
  readonly project: string | undefined
  readonly source: FilterSource
}

/** The values that occur, fetched when the menu opens, so that no page waits for them. */
export function FilterMenu({ filter, org, project, source }: FilterMenuProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const chosen = valuesOf(params, filter.id)
  // A box is ticked at once, before the page has loaded; the first selected values keep their place.
  const [first] = useState(chosen)
  const [ticked, setTicked] = useState(chosen)
  // A column is not filtered by its own values, so ticking fetches nothing.
  const request = new URLSearchParams(params)
  request.delete(filter.id)
  request.set('org', org)
  if (project !== undefined) request.set('project', project)
  request.set('source', source)
  request.set(CHOOSE, filter.id)
  const { state, data } = useJson<{ readonly values: readonly FilterValue[] }>(
    `${paths.filterValues()}?${request}`,
  )
  if (state === 'failed')
    return (
      <>
        <p className="menu-note">Couldn’t load {filter.many}. Type one:</p>
        <FilterForm filter={filter} hasList={false} />
      </>
    )
  if (!data) return <p className="menu-note">Loading…</p>
  const counts = new Map(data.values.map(({ value, count }) => [value, count]))
  const names = [...new Set([...first, ...counts.keys()])]
  const tick = (name: string, isChosen: boolean): void => {
    const values = isChosen ? [...ticked, name] : ticked.filter((other) => other !== name)
    setTicked(values)
    void navigate(pathname + withValues(params, filter.id, values), { replace: true })
  }
  return (
    <>
      {names.length === 0 && <p className="menu-note">No {filter.many} in this time range.</p>}
      {names.length > 0 && (
        <FilteredList
          what={filter.many}
          items={names}
          textOf={(name) => name}
          renderLine={(name) => (
            <label className="filter-line">
              <input
                type="checkbox"
                checked={ticked.includes(name)}
                onChange={(event) => tick(name, event.target.checked)}
              />
              <UserText text={name} />
              <span className="filter-line-count muted">
                <Count value={counts.get(name) ?? 0} noun="time" />
              </span>
            </label>
          )}
        />
      )}
      {ticked.length > 0 && (
        <ul className="menu-list menu-foot">
          <li>
            <Link to={pathname + withValues(params, filter.id, [])} prefetch="none">
              All {filter.many}
            </Link>
          </li>
        </ul>
      )}
      <FilterForm filter={filter} hasList={false} />
    </>
  )
}

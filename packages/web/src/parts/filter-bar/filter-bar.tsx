import './filter.css'
import type { FilterSource, FilterValue } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import type { ReactNode } from 'react'
import { LoadedPart } from '../../shell/loaded-part.tsx'
import { Menu } from '../../shell/menu.tsx'
import { Count } from '../../ui/count.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useIsInBrowser } from '../../ui/page-clock.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { ReleaseLink } from '../release-link.tsx'
import { FilterForm } from './filter-form.tsx'
import {
  chosenOf,
  filterById,
  type FilterId,
  FILTERS,
  nameInText,
  toggledValue,
  valuesOf,
  withoutFilters,
} from './filter-state.ts'

const loadFilterMenu = async () => (await import('./filter-menu.tsx')).FilterMenu

type Props = {
  readonly org: string
  /** Undefined: all of the organization's. */
  readonly project: string | undefined
  /** What the screen counts, and so what the values are counted by. */
  readonly source: FilterSource
  /** What `filterChoices` gave: the values of one column, without JavaScript. */
  readonly choices?: { readonly id: FilterId; readonly values: readonly FilterValue[] } | undefined
  /** What can be done with what is shown. */
  readonly action?: ReactNode
}

/**
 * Filters by release, browser, OS, device, country and connection. They are in the address and are kept on links to the
 * other performance screens.
 */
export function FilterBar({ choices, action, ...place }: Props) {
  const [params] = useSearchParams()
  const isInBrowser = useIsInBrowser()
  const chosen = chosenOf(params)
  return (
    <div className="filter-bar" role="group" aria-label="Filter">
      <div className="filter-menus">
        {FILTERS.map((filter) => {
          const count = valuesOf(params, filter.id).length
          return (
            <Menu
              key={filter.id}
              className="filter-menu"
              label={count === 0 ? filter.name : `${filter.name}: ${count} selected`}
              button={
                <>
                  {filter.name}
                  {count > 0 && <span className="filter-count num">{count}</span>}
                  <Icon name="down" />
                </>
              }
            >
              {(isOpen) =>
                isInBrowser ? (
                  isOpen && <LoadedPart load={loadFilterMenu} part={{ filter, ...place }} />
                ) : (
                  <FilterForm filter={filter} hasList />
                )
              }
            </Menu>
          )
        })}
        {action}
      </div>
      {choices && <FilterValueLinks {...choices} />}
      {chosen.length > 0 && <Chips />}
    </div>
  )
}

/** The active filters, each a link that removes it. */
function Chips() {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const chosen = chosenOf(params)
  return (
    <ul className="filter-chips" aria-label="Active filters">
      {chosen.map(({ filter, value }) => (
        <li key={`${filter.id} ${value}`}>
          <Link
            className="filter-chip"
            to={pathname + toggledValue(params, filter.id, value)}
            prefetch="none"
            aria-label={`Remove filter ${nameInText(filter)} ${value}`}
          >
            <span className="muted">{filter.name}</span> <UserText text={value} />
            <Icon name="close" />
          </Link>
          {filter.id === 'release' && <ReleaseLink release={value}>View release</ReleaseLink>}
        </li>
      ))}
      {chosen.length > 1 && (
        <li>
          <Link to={pathname + withoutFilters(params)} prefetch="none">
            Clear all
          </Link>
        </li>
      )}
    </ul>
  )
}

type FilterValueLinksProps = { readonly id: FilterId; readonly values: readonly FilterValue[] }

/** The values of one column as links: what the menu is with JavaScript. */
function FilterValueLinks({ id, values }: FilterValueLinksProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const filter = filterById(id)
  if (!filter) return null
  const chosen = valuesOf(params, id)
  return (
    <nav className="filter-values" aria-label={`Values of ${nameInText(filter)}`}>
      <h2 className="filter-values-title">{filter.name}</h2>
      {values.length === 0 ? (
        <p className="muted">No {filter.many} in this time range.</p>
      ) : (
        <ul>
          {values.map(({ value, count }) => (
            <li key={value}>
              <Link
                to={pathname + toggledValue(params, id, value)}
                prefetch="none"
                aria-current={chosen.includes(value) || undefined}
              >
                <UserText text={value} />
              </Link>{' '}
              <span className="muted">
                <Count value={count} noun="time" />
              </span>
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}

type NarrowingValueProps = { readonly column: FilterId; readonly value: string }

/** A value as a filter: a click adds it, another one removes it. */
export function NarrowingValue({ column, value }: NarrowingValueProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  if (value === '') return <span className="muted">(unknown)</span>
  return (
    <Link
      to={pathname + toggledValue(params, column, value)}
      prefetch="none"
      preventScrollReset
      aria-current={valuesOf(params, column).includes(value) || undefined}
    >
      <UserText text={value} />
    </Link>
  )
}

import { Link, useLocation, useSearchParams } from '@sonde/router'
import type { FilterSource, FilterValue } from '@sonde/queries'
import './filter.css'
import { LoadedPart } from '../../shell/loaded-part.tsx'
import { ReleaseLink } from '../release-link.tsx'
import { Menu } from '../../shell/menu.tsx'
import { Icon } from '../../ui/icon.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { useIsInBrowser } from '../../ui/page-clock.tsx'
import { FilterForm } from './filter-form.tsx'
import { FilterValueLinks } from './filter-value-links.tsx'
import { chosenOf, FILTERS, type FilterId, toggledValue, valuesOf, withoutFilters } from './filter-state.ts'

const loadFilterMenu = async () => (await import('./filter-menu.tsx')).FilterMenu

type Props = {
  readonly org: string
  /** Undefined: all of the organization's. */
  readonly project: string | undefined
  /** What the screen counts, and so what the values are counted by. */
  readonly source: FilterSource
  /** What `filterChoices` gave: the values of one column, without JavaScript. */
  readonly choices?: { readonly id: FilterId; readonly values: readonly FilterValue[] } | undefined
}

/**
 * Release, browser, system, device, country and connection, of which a screen is narrowed to any values. All of it is in
 * the address, and follows to the other performance screens.
 */
export function FilterBar({ choices, ...place }: Props) {
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
              label={count === 0 ? filter.name : `${filter.name}: ${count} chosen`}
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
      </div>
      {choices && <FilterValueLinks {...choices} />}
      {chosen.length > 0 && <Chips />}
    </div>
  )
}

/** What narrows, each with the way to take it away. */
function Chips() {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const chosen = chosenOf(params)
  return (
    <ul className="filter-chips" aria-label="Only those with">
      {chosen.map(({ filter, value }) => (
        <li key={`${filter.id} ${value}`}>
          <Link
            className="filter-chip"
            to={pathname + toggledValue(params, filter.id, value)}
            prefetch="none"
            aria-label={`Take away ${filter.name.toLowerCase()} ${value}`}
          >
            <span className="muted">{filter.name}</span> <UserText text={value} />
            <Icon name="close" />
          </Link>
          {filter.id === 'release' && <ReleaseLink release={value}>about it</ReleaseLink>}
        </li>
      ))}
      {chosen.length > 1 && (
        <li>
          <Link to={pathname + withoutFilters(params)} prefetch="none">
            Take all away
          </Link>
        </li>
      )}
    </ul>
  )
}

import { Link, useLocation, useSearchParams } from '@sonde/router'
import type { FilterValue } from '@sonde/queries'
import { Count } from '../../ui/count.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { filterById, type FilterId, toggledValue, valuesOf } from './filter-state.ts'

type Props = { readonly id: FilterId; readonly values: readonly FilterValue[] }

/** The values of one column as links: what the menu is with JavaScript. */
export function FilterValueLinks({ id, values }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const filter = filterById(id)
  if (!filter) return null
  const chosen = valuesOf(params, id)
  return (
    <nav className="filter-values" aria-label={`Values of ${filter.name.toLowerCase()}`}>
      <h2 className="filter-values-title">{filter.name}</h2>
      {values.length === 0 ? (
        <p className="muted">Nothing in this time has said its {filter.name.toLowerCase()}.</p>
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

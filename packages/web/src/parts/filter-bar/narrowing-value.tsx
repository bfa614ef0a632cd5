import { Link, useLocation, useSearchParams } from '@sonde/router'
import { UserText } from '../../ui/user-text.tsx'
import { type FilterId, toggledValue, valuesOf } from './filter-state.ts'

type Props = { readonly column: FilterId; readonly value: string }

/** A value of a column that a screen can be narrowed to: a press narrows it, another one takes that away. */
export function NarrowingValue({ column, value }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  if (value === '') return <span className="muted">nobody said</span>
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

import { Link, useSearchParams } from '@sonde/router'
import { paths } from '../../paths.ts'
import { termFor } from '../explore/term-for.ts'
import { FILTERS, valuesOf } from '../filter-bar/filter-state.ts'
import type { AlertStart } from './alert-start.ts'

type Props = {
  readonly org: string
  readonly project: string
  readonly start: AlertStart
  /** What the alert is for, where a screen has several. */
  readonly label?: string
}

/** From a screen to an alert on what it shows, its filters included. */
export function NewAlertLink({ org, project, start, label = 'Create alert' }: Props) {
  const [params] = useSearchParams()
  const [environment = '', ...others] = params.getAll('environment')
  const filters = FILTERS.flatMap(({ id }) => {
    const terms = valuesOf(params, id).map((value) => termFor(id, value))
    return terms.length === 0 ? [] : [listed(id, terms)]
  })
  const query = [start.query ?? '', ...filters].filter((text) => text !== '').join(' ')
  const search = { ...start, query, ...(others.length === 0 && { environment }) }
  return (
    <Link
      className="button button-small"
      to={paths.newAlert(org, project, start.metric === undefined ? 'issue' : 'metric', search)}
      prefetch="none"
    >
      {label}
    </Link>
  )
}

/** `browser:[Chrome, Safari]`: any of them. */
const listed = (id: string, terms: readonly string[]): string =>
  terms.length === 1
    ? (terms[0] ?? '')
    : `${id}:[${terms.map((term) => term.slice(id.length + 1)).join(', ')}]`

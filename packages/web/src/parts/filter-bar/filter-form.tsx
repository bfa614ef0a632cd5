import { Form, Link, useLocation, useSearchParams } from '@sonde/router'
import { OtherParams } from '../../shell/range-form.tsx'
import { CHOOSE, type Filter, nameInText, queryText, valuesOf } from './filter-state.ts'

/** Adds a typed value: for values too rare for the list, and without JavaScript. */
export function FilterForm({ filter, hasList }: { readonly filter: Filter; readonly hasList: boolean }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const listing = new URLSearchParams(params)
  listing.set(CHOOSE, filter.id)
  return (
    <Form method="get" action={pathname} className="menu-form menu-foot">
      <OtherParams params={params} without={['cursor', 'page', CHOOSE]} />
      <label>
        {valuesOf(params, filter.id).length === 0 ? filter.name : `Add ${nameInText(filter)}`}
        <input className="input" name={filter.id} autoComplete="off" spellCheck={false} dir="auto" required />
      </label>
      <div className="filter-form-end">
        <button type="submit" className="button button-small">
          Add
        </button>
        {hasList && (
          <Link to={pathname + queryText(listing)} prefetch="none">
            Show values
          </Link>
        )}
      </div>
    </Form>
  )
}

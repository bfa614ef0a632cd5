import type { SearchSuggestions } from '@sonde/queries'
import { Form, Link, useLocation, useSearchParams } from '@sonde/router'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { OtherParams } from '../../shell/range-form.tsx'
import { useJson } from '../../shell/use-json.ts'
import { SearchBox } from '../search-box/search-box.tsx'
import {
  type ExploreSearch,
  MAX_GROUPS,
  MAX_MEASURES,
  OFFERED_MEASURES,
  VIEWS,
  withExplore,
} from './explore-search.ts'

type Props = {
  readonly org: string
  readonly project: string | undefined
  readonly search: ExploreSearch
  readonly isRefused: boolean
}

const VIEW_NAMES = { groups: 'Aggregates', spans: 'Samples' } as const
const OWN = ['query', 'group', 'measure', 'page']

/** Which spans, put together by what, and what is computed of them. Empty fields are left out. */
export function ExploreForm({ org, project, search, isRefused }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const [isTouched, setTouched] = useState(false)
  const period = params.get('statsPeriod') ?? ''
  const suggestions = paths.exploreSuggestions(org, project)
  // Asked for when somebody is about to choose, so that no page waits for it.
  const keys = useJson<SearchSuggestions>(
    isTouched ? `${suggestions}?all=1&text=&statsPeriod=${encodeURIComponent(period)}` : undefined,
  ).data?.suggestions
  return (
    <Form
      method="get"
      action={pathname}
      role="search"
      className="explore-form"
      key={params.toString()}
      onFocus={() => setTouched(true)}
    >
      <OtherParams params={params} without={OWN} />
      <div className="explore-line">
        <SearchBox
          suggestions={suggestions}
          what="spans"
          placeholder="op:http.client duration:>500ms status:error checkout"
          query={search.query}
          statsPeriod={period}
          isRefused={isRefused}
        />
        <button type="submit" className="button button-primary">
          Run
        </button>
        <nav className="segmented" aria-label="View">
          {VIEWS.map((view) => (
            <Link
              key={view}
              to={pathname + withExplore(params, { view, sort: undefined })}
              prefetch="none"
              aria-current={view === search.view ? 'true' : undefined}
            >
              {VIEW_NAMES[view]}
            </Link>
          ))}
        </nav>
      </div>
      <fieldset className="explore-fields">
        <legend>{search.view === 'groups' ? 'Group by' : 'Columns'}</legend>
        {slots(search.groupBy, MAX_GROUPS).map((value, index) => (
          <FieldInput
            key={index}
            name="group"
            list="explore-keys"
            label={`Field ${index + 1}`}
            value={value}
          />
        ))}
      </fieldset>
      {search.view === 'groups' ? (
        <fieldset className="explore-fields">
          <legend>Visualize</legend>
          {slots(search.measures, MAX_MEASURES).map((value, index) => (
            <FieldInput
              key={index}
              name="measure"
              list="explore-measures"
              label={`Aggregate ${index + 1}`}
              value={value}
            />
          ))}
        </fieldset>
      ) : (
        search.measures.map((measure) => <input key={measure} type="hidden" name="measure" value={measure} />)
      )}
      <datalist id="explore-keys">
        {(keys ?? []).map(({ label, description }) => (
          <option key={label} value={label}>
            {description}
          </option>
        ))}
      </datalist>
      <datalist id="explore-measures">
        {OFFERED_MEASURES.map((measure) => (
          <option key={measure} value={measure} />
        ))}
      </datalist>
    </Form>
  )
}

/** Those that are chosen, and one more. */
const slots = (values: readonly string[], max: number): readonly string[] =>
  values.length < max ? [...values, ''] : values

type InputProps = {
  readonly name: string
  readonly list: string
  readonly label: string
  readonly value: string
}
const FieldInput = ({ name, list, label, value }: InputProps) => (
  <input
    className="input"
    name={name}
    list={list}
    aria-label={label}
    defaultValue={value}
    placeholder={value === '' ? '+ Add' : undefined}
    maxLength={200}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    dir="auto"
  />
)

import type { MetricRow, SearchSuggestions } from '@sonde/queries'
import { type MeasuredMetric, MEASURES_OF_TYPE } from '@sonde/queries/contract'
import { Form, Link, useLocation, useSearchParams } from '@sonde/router'
import { useState } from 'react'
import { SearchBox } from '../../../../parts/search-box/search-box.tsx'
import { paths } from '../../../../paths.ts'
import { OtherParams } from '../../../../shell/range-form.tsx'
import { useJson } from '../../../../shell/use-json.ts'
import { type MetricSearch, withMetric } from './metric-search.ts'
import { measureName } from './metric-value.ts'

type Props = {
  readonly org: string
  readonly project: string
  readonly search: MetricSearch
  readonly shown: MeasuredMetric | undefined
  /** Metrics of this name: by type and unit. */
  readonly variants: readonly MetricRow[]
  readonly isRefused: boolean
}

/** Which points count; and of one metric what is computed, by which attribute. */
export function MetricForm({ org, project, search, shown, variants, isRefused }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const [isTouched, setTouched] = useState(false)
  const period = params.get('statsPeriod') ?? ''
  const suggestions = paths.metricsSuggestions(org, project)
  // Asked for when somebody is about to choose, so that no page waits for it.
  const keys = useJson<SearchSuggestions>(
    isTouched && shown ? `${suggestions}?all=1&text=&statsPeriod=${encodeURIComponent(period)}` : undefined,
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
      <OtherParams params={params} without={shown ? ['query', 'measure', 'group'] : ['query']} />
      <div className="explore-line">
        <SearchBox
          suggestions={suggestions}
          what="metrics"
          placeholder={shown ? 'environment:production http.route:/checkout' : 'http environment:production'}
          query={search.query}
          statsPeriod={period}
          isRefused={isRefused}
        />
        <button type="submit" className="button button-primary">
          Run
        </button>
      </div>
      {shown && (
        <div className="explore-fields">
          <label className="metric-choice">
            <span>Measure</span>
            <select className="input" name="measure" defaultValue={shown.measure}>
              {MEASURES_OF_TYPE[shown.ref.type].map((measure) => (
                <option key={measure} value={measure}>
                  {measureName(measure, shown.ref.type)}
                </option>
              ))}
            </select>
          </label>
          <label className="metric-choice">
            <span>Group by</span>
            <input
              className="input"
              name="group"
              list="metric-keys"
              defaultValue={search.groupBy}
              placeholder="An attribute"
              maxLength={200}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              dir="auto"
            />
          </label>
          <datalist id="metric-keys">
            {(keys ?? []).map(({ label, description }) => (
              <option key={label} value={label}>
                {description}
              </option>
            ))}
          </datalist>
        </div>
      )}
      {shown && variants.length > 1 && (
        <nav className="segmented" aria-label="Type and unit">
          {variants.map(({ type, unit }) => (
            <Link
              key={`${type} ${unit}`}
              to={pathname + withMetric(params, { type, unit, measure: undefined })}
              prefetch="none"
              aria-current={type === shown.ref.type && unit === shown.ref.unit ? 'true' : undefined}
            >
              {type} {unit}
            </Link>
          ))}
        </nav>
      )}
    </Form>
  )
}

import {
  ANOMALY_SENSITIVITIES,
  METRIC_COMPARISONS,
  METRIC_DIRECTIONS,
  METRIC_WINDOWS,
} from '@sonde/alerts/contract'
import { isWritten, METRIC_MEASURES } from '@sonde/queries/contract'
import { useParams } from '@sonde/router'
import { useState } from 'react'
import { OFFERED_MEASURES } from '../../../../parts/explore/explore-search.ts'
import { SearchBox } from '../../../../parts/search-box/search-box.tsx'
import { paths } from '../../../../paths.ts'
import { Field } from '../../../../ui/field.tsx'
import { useIsInBrowser } from '../../../../ui/page-clock.tsx'
import { metricOf, type RuleDraft } from './rule-draft.ts'
import { EnvironmentField, FieldsError, type FieldsProps } from './rule-fields.tsx'
import { minutesText, unitOf } from './rule-words.ts'

const SOURCE_NAMES = {
  errors: 'Errors',
  vitals: 'Web vitals',
  navigations: 'Navigations',
  page_data: 'Page data',
  chunks: 'Code',
  prefetches: 'Prefetches',
  sessions: 'Sessions',
  logs: 'Logs',
  profile_functions: 'Profiled functions',
  outcomes: 'What was not stored',
} as const
const COMPARE_NAMES = {
  static: 'a number',
  change: 'the same time a week before',
  anomaly: 'what is usual at this hour of the week',
} as const
const SEARCH_HINTS: Readonly<Record<string, string>> = {
  vitals: 'Such as route:/checkout browser:Chrome',
  navigations: 'Such as to_route:/checkout outcome:errored',
  page_data: 'Such as endpoint:"GET /api/cart" route:/checkout',
  chunks: 'Such as build:shop@2.0.0 kind:not_found',
  prefetches: 'Such as route:/checkout',
  profile_functions: 'Such as function:renderCart transaction:"GET /cart"',
  sessions: 'Such as environment:production',
  outcomes: 'Such as reason:rate_limited',
}

/** Which number a metric rule watches, and when it is too high or too low. */
export function MetricFields({ draft, errorOf, mayWrite }: FieldsProps) {
  const isInBrowser = useIsInBrowser()
  const [metric, setMetric] = useState(draft.metric)
  const [compare, setCompare] = useState(draft.compare)
  const { source, measure } = metricOf({ metric, spanMeasure: draft.spanMeasure })
  const isMetrics = (source as string) === 'metrics'
  return (
    <>
      <fieldset disabled={!mayWrite}>
        <legend>Watch</legend>
        <div className="alert-sentence">
          <select
            className="input"
            name="metric"
            aria-label="Metric"
            defaultValue={draft.metric}
            onChange={(event) => setMetric(event.currentTarget.value)}
          >
            {Object.entries(SOURCE_NAMES).map(([from, name]) => (
              <optgroup key={from} label={name}>
                {METRIC_MEASURES[from as keyof typeof SOURCE_NAMES].map((each) => (
                  <option key={each.measure} value={`${from}|${each.measure}`}>
                    {each.label}
                  </option>
                ))}
              </optgroup>
            ))}
            <optgroup label="Spans">
              <option value="spans|">Spans: a measure of Explore</option>
            </optgroup>
            <optgroup label="Metrics">
              <option value="metrics|">Metrics: a measure of a metric</option>
            </optgroup>
          </select>
          {(isWritten(source) || !isInBrowser) && (
            <>
              <input
                className="input"
                name="spanMeasure"
                list={isMetrics ? undefined : 'span-measures'}
                aria-label={isMetrics ? 'Measure of a metric' : 'Measure of spans'}
                title={
                  isMetrics
                    ? 'measure(name,type,unit), such as p95(http.server.request.duration,histogram,s)'
                    : undefined
                }
                defaultValue={draft.spanMeasure}
                maxLength={300}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
              <datalist id="span-measures">
                {OFFERED_MEASURES.map((offered) => (
                  <option key={offered} value={offered} />
                ))}
              </datalist>
            </>
          )}
          <span>within</span>
          <select
            className="input"
            name="windowMinutes"
            aria-label="Window"
            defaultValue={draft.windowMinutes}
          >
            {METRIC_WINDOWS.map((minutes) => (
              <option key={minutes} value={minutes}>
                {minutesText(minutes)}
              </option>
            ))}
          </select>
        </div>
        <FieldsError id="measure-error" text={errorOf('measure')} />
        <EnvironmentField draft={draft} errorOf={errorOf} />
        <MetricSearch key={source} source={source} query={draft.query} error={errorOf('search')} />
      </fieldset>
      <fieldset disabled={!mayWrite}>
        <legend>Compare with</legend>
        <div className="alert-choices">
          {METRIC_COMPARISONS.map((each) => (
            <label key={each} className="tick">
              <input
                type="radio"
                name="compare"
                value={each}
                defaultChecked={draft.compare === each}
                onChange={() => setCompare(each)}
              />
              <span>{COMPARE_NAMES[each]}</span>
            </label>
          ))}
        </div>
        <Thresholds
          draft={draft}
          compare={isInBrowser ? compare : undefined}
          unit={unitOf({ source, measure }, compare).text}
        />
        <FieldsError id="trigger-error" text={errorOf('trigger')} />
        <FieldsError id="resolve-error" text={errorOf('resolve')} />
        <FieldsError id="sample-error" text={errorOf('minSample')} />
      </fieldset>
    </>
  )
}

/** Sources that are searched with all their fields and attributes, where the others know a few columns. */
const SEARCHED = {
  errors: {
    suggestions: (org: string, project: string) => `${paths.issues(org, project)}/suggestions`,
    what: 'events',
    placeholder: 'All. For example browser.name:Safari',
  },
  spans: {
    suggestions: paths.exploreSuggestions,
    what: 'spans',
    placeholder: 'All. For example op:http.client',
  },
  logs: {
    suggestions: paths.logsSuggestions,
    what: 'logs',
    placeholder: 'All. For example severity:error',
  },
  metrics: {
    suggestions: paths.metricsSuggestions,
    what: 'metrics',
    placeholder: 'All. For example http.route:/checkout',
  },
} as const

type SearchProps = { readonly source: string; readonly query: string; readonly error: string | undefined }

function MetricSearch({ source, query, error }: SearchProps) {
  const { org, project } = useParams<'org' | 'project'>()
  const searched = Object.entries(SEARCHED).find(([name]) => name === source)?.[1]
  if (!searched)
    return (
      <Field
        id="metric-query"
        name="query"
        label="Only of"
        hint={SEARCH_HINTS[source] ?? ''}
        defaultValue={query}
        maxLength={4_096}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={error}
      />
    )
  return (
    <>
      <SearchBox
        // A text that is chosen is another field: its suggestions are of another kind.
        key={source}
        suggestions={searched.suggestions(org, project)}
        what={searched.what}
        placeholder={searched.placeholder}
        query={query}
        statsPeriod="14d"
        isRefused={error !== undefined}
      />
      <FieldsError id="search-error" text={error} />
    </>
  )
}

type ThresholdProps = {
  readonly draft: RuleDraft
  /** Undefined: without scripts, where every field is there. */
  readonly compare: string | undefined
  readonly unit: string
}

/** A comparison with the usual has a sensitivity where the others have numbers. */
function Thresholds({ draft, compare, unit }: ThresholdProps) {
  return (
    <>
      <div className="alert-sentence">
        <span>Fires when it is</span>
        <select className="input" name="direction" aria-label="Direction" defaultValue={draft.direction}>
          {METRIC_DIRECTIONS.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
        {compare === 'anomaly' ? (
          <span>what is usual</span>
        ) : (
          <>
            <input
              className="input alert-number"
              name="trigger"
              inputMode="decimal"
              aria-label={`Threshold ${unit}`}
              defaultValue={draft.trigger}
            />
            <span>{unit}</span>
          </>
        )}
      </div>
      {compare !== 'anomaly' && (
        <div className="alert-sentence">
          <span>Resolves at</span>
          <input
            className="input alert-number"
            name="resolve"
            inputMode="decimal"
            aria-label={`Threshold that resolves it ${unit}`}
            placeholder="the same"
            defaultValue={draft.resolve}
          />
          <span>{unit}</span>
        </div>
      )}
      {(compare === 'anomaly' || compare === undefined) && (
        <div className="alert-sentence">
          <span>Sensitivity</span>
          <select
            className="input"
            name="sensitivity"
            aria-label="Sensitivity"
            defaultValue={draft.sensitivity}
          >
            {Object.keys(ANOMALY_SENSITIVITIES).map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
          <span>high fires sooner</span>
        </div>
      )}
      <div className="alert-sentence">
        <span>Only with at least</span>
        <input
          className="input"
          type="number"
          name="minSample"
          min={0}
          aria-label="Minimum sample size"
          defaultValue={draft.minSample}
        />
        <span>rows in the window</span>
      </div>
    </>
  )
}

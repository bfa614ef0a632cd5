import { Form, Link } from '@sonde/router'
import { spanText } from '../../../../../charts/axis-text.ts'
import { type EventFilter, isNarrowed } from '../../../../../parts/event-filter/event-filter.ts'
import { addressText } from '../../../../../shell/time-range.ts'
import { Icon } from '../../../../../ui/icon.tsx'
import { useIsInBrowser } from '../../../../../ui/page-clock.tsx'
import type { Refusal } from './search-refusal.server.ts'

type Props = {
  /** Where the search leads: the issue, or the list of its events. */
  readonly action: string
  readonly filter: EventFilter
  readonly refusal: Refusal | undefined
  readonly withFilter: (change: Partial<EventFilter>) => string
}

/** Narrows the events: a search, the span that the chart's brush chose, and the way out of both. */
export function EventSearch({ action, filter, refusal, withFilter }: Props) {
  const { query, range, environments, period } = filter
  const path = action.split('?')[0] ?? action
  return (
    <div className="event-search">
      <Form method="get" action={path} role="search" className="event-search-form" key={query}>
        <label className="sr-only" htmlFor="event-query">
          Filter events
        </label>
        <input
          id="event-query"
          className="input"
          name="query"
          type="search"
          defaultValue={query}
          placeholder="Filter events, e.g. browser.name:Firefox"
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          maxLength={4096}
          aria-invalid={refusal !== undefined}
          aria-describedby={refusal ? 'event-query-error' : undefined}
        />
        {environments.map((name) => (
          <input key={name} type="hidden" name="environment" value={name} />
        ))}
        {range && <input type="hidden" name="start" value={addressText(range.fromMs)} />}
        {range && <input type="hidden" name="end" value={addressText(range.toMs)} />}
        {!range && period !== '' && <input type="hidden" name="statsPeriod" value={period} />}
        <button type="submit" className="button">
          <Icon name="search" /> Search
        </button>
      </Form>
      {isNarrowed(filter) && <Chosen filter={filter} withFilter={withFilter} />}
      {refusal && (
        <p id="event-query-error" className="field-error" role="alert">
          {refusal.message}. {refusal.hint}
        </p>
      )}
    </div>
  )
}

/** What narrows, each with the way to take it away. */
function Chosen({ filter, withFilter }: Pick<Props, 'filter' | 'withFilter'>) {
  const zone = useIsInBrowser() ? 'local' : 'utc'
  const { query, range, environments, period } = filter
  const chips = [
    ...(query === '' ? [] : [{ text: query, what: 'search', to: withFilter({ query: '' }) }]),
    ...environments.map((name) => ({
      text: `environment ${name}`,
      what: `environment ${name}`,
      to: withFilter({ environments: environments.filter((other) => other !== name) }),
    })),
    ...(range
      ? [
          {
            text: spanText(range.fromMs, range.toMs, zone),
            what: 'time range',
            to: withFilter({ range: undefined }),
          },
        ]
      : []),
    ...(period === ''
      ? []
      : [{ text: `last ${period}`, what: 'time range', to: withFilter({ period: '' }) }]),
  ]
  return (
    <ul className="chips" aria-label="Active filters">
      {chips.map(({ text, what, to }) => (
        <li key={what}>
          <Link className="chip" to={to} prefetch="none" aria-label={`Remove filter ${what}: ${text}`}>
            <bdi>{text}</bdi>
            <Icon name="close" />
          </Link>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Link
            to={withFilter({ query: '', environments: [], period: '', range: undefined })}
            prefetch="none"
          >
            All events
          </Link>
        </li>
      )}
    </ul>
  )
}

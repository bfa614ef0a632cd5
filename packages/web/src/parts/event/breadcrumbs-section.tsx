import { type Breadcrumb, LEVELS } from '@sonde/protocol/event'
import { useState } from 'react'
import { countOf } from '../../format/format-count.ts'
import { formatOffset } from '../../format/format-time.ts'
import { Level, levelClass } from '../../ui/badge.tsx'
import { JsonValue } from '../../ui/key-values.tsx'
import { useIsInBrowser } from '../../ui/page-clock.tsx'
import { Section } from '../../ui/section.tsx'
import { ClockTime } from '../../ui/time.tsx'
import { LongText, UserText } from '../../ui/user-text.tsx'
import { ShowMore, useWholePage } from './lazy-fold.tsx'
import { useRemembered } from './use-remembered.ts'

/** Which breadcrumbs are shown. Pure. */
type CrumbFilter = {
  readonly text: string
  /** Empty: all. */
  readonly category: string
  /** At least this loud; empty: all. */
  readonly level: string
}

export const NO_CRUMB_FILTER: CrumbFilter = { text: '', category: '', level: '' }

const categoryOf = ({ category, type }: Breadcrumb): string => category ?? type

export function filterCrumbs(crumbs: readonly Breadcrumb[], filter: CrumbFilter): readonly Breadcrumb[] {
  const { category, level } = filter
  const text = filter.text.trim().toLowerCase()
  if (text === '' && category === '' && level === '') return crumbs
  const least = level === '' ? 0 : rankOf(level)
  return crumbs.filter(
    (crumb) =>
      (category === '' || categoryOf(crumb) === category) &&
      rankOf(crumb.level) >= least &&
      (text === '' || searchText(crumb).includes(text)),
  )
}

/** Categories with how often they are there, most frequent first. */
export function crumbCategories(crumbs: readonly Breadcrumb[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const crumb of crumbs) counts.set(categoryOf(crumb), (counts.get(categoryOf(crumb)) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)
}

/** The levels that are there, quietest first: "at least" is a choice only between several. */
export const crumbLevels = (crumbs: readonly Breadcrumb[]): readonly string[] =>
  LEVELS.filter((level) => crumbs.some((crumb) => crumb.level === level))

const rankOf = (level: string): number => (LEVELS as readonly string[]).indexOf(level)

const searchText = ({ message = '', data, category = '', type }: Breadcrumb): string =>
  `${category} ${type} ${message} ${data ? JSON.stringify(data) : ''}`.toLowerCase()

const FIRST_SHOWN = 15
const CRUMB_ORDERS = ['latest first', 'oldest first'] as const
type CrumbOrder = (typeof CRUMB_ORDERS)[number]
/** Fewer are read faster than filtered. */
const MIN_FILTERED = 6

type Props = { readonly breadcrumbs: readonly Breadcrumb[]; readonly eventMs: number }

/** What led there, latest first unless the reader turned it around: the last thing before an error explains most. */
export function BreadcrumbsSection({ breadcrumbs, eventMs }: Props) {
  const [isWhole, setWhole] = useState(useWholePage().isWhole)
  const [filter, setFilter] = useState(NO_CRUMB_FILTER)
  const [order, setOrder] = useRemembered('breadcrumbs', CRUMB_ORDERS)
  const matching = filterCrumbs(breadcrumbs, filter).toReversed()
  const recent = isWhole ? matching : matching.slice(0, FIRST_SHOWN)
  const shown = order === 'latest first' ? recent : recent.toReversed()
  const all = breadcrumbs.length
  return (
    <Section
      id="breadcrumbs"
      title="Breadcrumbs"
      note={matching.length === all ? `${all}, ${order}` : `${matching.length} of ${all}, ${order}`}
    >
      {all >= MIN_FILTERED && (
        <CrumbFilterForm
          breadcrumbs={breadcrumbs}
          filter={filter}
          onChange={setFilter}
          order={order}
          onOrder={setOrder}
        />
      )}
      <p className="sr-only" role="status">
        {filter === NO_CRUMB_FILTER ? '' : `${matching.length} of ${all} breadcrumbs`}
      </p>
      {matching.length === 0 ? (
        <p className="muted">No matching breadcrumbs.</p>
      ) : (
        <table className="crumb-table">
          <caption className="sr-only">Breadcrumbs, {order}</caption>
          <colgroup>
            <col className="col-time" />
            <col className="col-kind" />
            <col />
          </colgroup>
          <thead className="sr-only">
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Type</th>
              <th scope="col">Message</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((crumb, index) => (
              <CrumbRow key={index} crumb={crumb} eventMs={eventMs} />
            ))}
          </tbody>
        </table>
      )}
      {shown.length < matching.length && (
        <ShowMore
          text={`Show ${countOf(matching.length - shown.length, 'earlier one', 'earlier ones')}`}
          section="breadcrumbs"
          onShow={() => setWhole(true)}
        />
      )}
    </Section>
  )
}

type FormProps = {
  readonly breadcrumbs: readonly Breadcrumb[]
  readonly filter: CrumbFilter
  readonly onChange: (filter: CrumbFilter) => void
  readonly order: CrumbOrder
  readonly onOrder: (order: CrumbOrder) => void
}

/** Without JavaScript it could do nothing, so it is not there. */
function CrumbFilterForm({ breadcrumbs, filter, onChange, order, onOrder }: FormProps) {
  if (!useIsInBrowser()) return null
  const categories = crumbCategories(breadcrumbs)
  const levels = crumbLevels(breadcrumbs)
  return (
    <div className="crumb-filter" role="search" aria-label="Breadcrumbs">
      <input
        className="input"
        type="search"
        value={filter.text}
        placeholder="Search breadcrumbs"
        aria-label="Search breadcrumbs"
        autoComplete="off"
        onChange={({ target }) => onChange({ ...filter, text: target.value })}
      />
      {categories.length > 1 && (
        <select
          className="input"
          aria-label="Category"
          value={filter.category}
          onChange={({ target }) => onChange({ ...filter, category: target.value })}
        >
          <option value="">All categories</option>
          {categories.map(([name, count]) => (
            <option key={name} value={name}>
              {name.length > 40 ? `${name.slice(0, 39)}…` : name} ({count})
            </option>
          ))}
        </select>
      )}
      {levels.length > 1 && (
        <select
          className="input"
          aria-label="Level"
          value={filter.level}
          onChange={({ target }) => onChange({ ...filter, level: target.value })}
        >
          <option value="">All levels</option>
          {levels.slice(1).map((name) => (
            <option key={name} value={name}>
              {name} and above
            </option>
          ))}
        </select>
      )}
      <button
        type="button"
        className="button"
        aria-pressed={order === 'oldest first'}
        onClick={() => onOrder(order === 'oldest first' ? 'latest first' : 'oldest first')}
      >
        Oldest first
      </button>
    </div>
  )
}

function CrumbRow({ crumb, eventMs }: { readonly crumb: Breadcrumb; readonly eventMs: number }) {
  const { timestamp, level, message, data } = crumb
  const entries = Object.keys(data ?? {})
  return (
    <tr className={levelClass(level)}>
      <td className="crumb-time">
        {timestamp === undefined ? (
          '–'
        ) : (
          <>
            <ClockTime atMs={timestamp * 1000} />
            <span className="muted">{formatOffset(timestamp * 1000, eventMs)}</span>
          </>
        )}
      </td>
      <td className="crumb-kind">
        <UserText text={categoryOf(crumb)} />
        {level !== 'info' && <Level level={level} />}
      </td>
      <td className="crumb-text">
        {message !== undefined && message !== '' && <LongText text={message} max={600} />}
        {data && entries.length > 0 && <CrumbData data={data} />}
      </td>
    </tr>
  )
}

/** `POST /api/checkout [500]` is what a request is known by; anything else is shown as it came. */
function CrumbData({ data }: { readonly data: NonNullable<Breadcrumb['data']> }) {
  const { method, url, status_code: status, ...rest } = data
  const isRequest = typeof method === 'string' && typeof url === 'string'
  const shown = isRequest ? rest : data
  return (
    <>
      {isRequest && (
        <p className="crumb-request">
          <strong>{method}</strong> <LongText text={url} max={300} />{' '}
          {(typeof status === 'number' || typeof status === 'string') && (
            <span className={Number(status) >= 400 ? 'crumb-failed' : 'muted'}>[{status}]</span>
          )}
        </p>
      )}
      {Object.keys(shown).length > 0 && (
        <JsonValue value={shown} depth={Object.keys(shown).length > 6 ? 1 : 0} />
      )}
    </>
  )
}

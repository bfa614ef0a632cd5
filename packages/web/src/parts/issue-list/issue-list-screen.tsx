import { type DataOf, Form, Link, useActionData, useLocation } from '@sonde/router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { formatExact } from '../../format/format-count.ts'
import { useToast } from '../../shell/toasts.tsx'
import { useIsInBrowser } from '../../ui/page-clock.tsx'
import { EmptyState } from '../../ui/section.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { questionOf, useBulkPost } from './bulk-bar.tsx'
import type { ListAction } from './change-issues.server.ts'
import { IssueFilters } from './issue-filters.tsx'
import { IssueRows } from './issue-rows.tsx'
import {
  listPath,
  type ListPlace,
  type ListSearch,
  type ShownSaved,
  statusOf,
  toSearch,
  VIEWS,
  withStatus,
} from './list-search.ts'
import type { ListLoad } from './load-list.server.ts'
import { useLive } from './use-live.ts'

type Outcome = NonNullable<ReturnType<typeof useActionData<ListAction>>>

const issues = (count: number): string => `${formatExact(count)} ${count === 1 ? 'issue' : 'issues'}`

function said(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'changed':
      return `${issues(outcome.count)} ${outcome.done}`
    case 'undone':
      return `Undone for ${issues(outcome.count)}`
    case 'confirm':
      return questionOf(outcome.deed, formatExact(outcome.count))
    case 'refused':
      return `Nothing was changed: ${outcome.refused}.`
    default:
      return 'Select at least one issue.'
  }
}

/** What the last change did, with the way back: a toast, or without JavaScript a notice above the rows. */
function BulkNotice() {
  const outcome = useActionData<ListAction>()
  const toast = useToast()
  const { send } = useBulkPost()
  const isInBrowser = useIsInBrowser()
  const visit = useLocation().key
  const tell = useEffectEvent((_visit: string, told: Outcome | undefined) => {
    if (!told) return
    const undo = told.kind === 'changed' ? told.undo : undefined
    toast({
      text: said(told),
      kind: told.kind === 'none-chosen' || told.kind === 'refused' ? 'bad' : 'good',
      ...(undo !== undefined && { action: { name: 'Undo', run: () => void send({ undo }) } }),
    })
  })
  useEffect(() => tell(visit, outcome), [visit, outcome])
  if (!outcome || isInBrowser) return null
  return (
    <div className="bulk-notice">
      <p>{said(outcome)}</p>
      {outcome.kind === 'changed' && outcome.undo !== undefined && (
        <Form>
          <input type="hidden" name="undo" value={outcome.undo} />
          <button type="submit" className="button button-small">
            Undo
          </button>
        </Form>
      )}
      {outcome.kind === 'confirm' && (
        <Form>
          <input type="hidden" name="all" value="1" />
          <input type="hidden" name="confirmed" value="1" />
          {Object.entries(outcome.deed.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" className="button button-small">
            {outcome.deed.verb} all
          </button>
        </Form>
      )}
    </div>
  )
}

type ListedData = DataOf<ListLoad>
export type ShownPage = NonNullable<ListedData['page']>
export type ShownRow = ShownPage['rows'][number]

type IssueListScreenProps = ListedData & {
  readonly place: ListPlace
  /** For screen readers: where one is stands in the breadcrumbs. */
  readonly heading: string
  readonly search: ListSearch
  readonly saved: ShownSaved
  readonly mayChange: boolean
  /** Above the rows. */
  readonly notice?: ReactNode
  /** Instead of "nothing matches" where nothing ever arrived. */
  readonly whenFresh?: ReactNode
}

/** Search, rows, what to do with them, and the ways on. */
export function IssueListScreen({
  place,
  heading,
  search,
  page,
  refusal,
  saved,
  notice,
  ...rest
}: IssueListScreenProps) {
  useLive(place, search.cursor === undefined && page !== undefined)
  return (
    <div className="page page-wide">
      <h1 className="sr-only">{heading}</h1>
      <IssueFilters place={place} search={search} saved={saved} refusal={refusal} />
      <BulkNotice />
      {notice}
      {page && <Listed place={place} search={search} newest={page} {...rest} />}
    </div>
  )
}

type ListedProps = Pick<IssueListScreenProps, 'place' | 'search' | 'mayChange' | 'whenFresh'> & {
  readonly newest: ShownPage
}

function Listed({ place, search, newest, mayChange, whenFresh }: ListedProps) {
  const { page, waiting, showNewest } = useSteadyPage<ShownRow, ShownPage>(newest)
  if (page.rows.length === 0) return whenFresh ?? <NothingMatches place={place} search={search} />
  return (
    <IssueRows
      place={place}
      search={search}
      page={page}
      waiting={waiting}
      showNewest={showNewest}
      mayChange={mayChange}
    />
  )
}

type NothingMatchesProps = { readonly place: ListPlace; readonly search: ListSearch }

/** Says what was looked for and the ways to see more. */
function NothingMatches({ place, search }: NothingMatchesProps) {
  const { query, statsPeriod, start, environments } = search
  const isTimed = statsPeriod !== '' || start !== undefined
  const isDefault = query.trim() === 'is:unresolved' && !isTimed && environments.length === 0
  if (isDefault) {
    return (
      <EmptyState title="No unresolved issues">
        <p>All caught up.</p>
        <p>
          <Link to={listPath(place, { query: '' })}>Show resolved and ignored issues</Link>
        </p>
      </EmptyState>
    )
  }
  const view = VIEWS.find((known) => known.query === query.trim())
  if (view && !isTimed && environments.length === 0) {
    return (
      <EmptyState title={view.name === 'For review' ? 'Nothing to review' : 'Nothing is assigned to you'}>
        <p>
          {view.name === 'For review'
            ? 'Issues that are new or come back wait here for a week, until somebody marks them as reviewed.'
            : 'Your own issues and those of your teams stand here.'}
        </p>
        <p>
          <Link to={listPath(place, toSearch(search, { query: 'is:unresolved' }))}>
            Show all unresolved issues
          </Link>
        </p>
      </EmptyState>
    )
  }
  const hasStatus = statusOf(query) !== 'all'
  return (
    <EmptyState title="No matching issues">
      {query.trim() !== '' && (
        <p>
          {' '}
          You searched for <UserText className="query-shown" text={query} />
        </p>
      )}
      <ul className="ways-on">
        {isTimed && (
          <li>
            <Link
              to={listPath(place, toSearch(search, { statsPeriod: '', start: undefined, end: undefined }))}
            >
              Search all time
            </Link>
          </li>
        )}
        {environments.length > 0 && (
          <li>
            <Link to={listPath(place, toSearch(search, { environments: [] }))}>Search all environments</Link>
          </li>
        )}
        {hasStatus && query.trim() !== '' && (
          <li>
            <Link to={listPath(place, toSearch(search, { query: withStatus(query, 'all') }))}>
              Include all statuses
            </Link>
          </li>
        )}
        <li>
          <Link to={listPath(place)}>Reset search</Link>
        </li>
      </ul>
    </EmptyState>
  )
}

type Kept<P> = { readonly visit: string; readonly newest: P; readonly steady: SteadyPage<P> }

/** Every navigation and every post begins anew; fetching the same page again does not. */
function useSteadyPage<R extends { readonly id: number }, P extends AnyPage<R>>(
  newest: P,
): SteadyPage<P> & { readonly showNewest: () => void } {
  const visit = useLocation().key
  const [kept, keep] = useState<Kept<P>>(() => begin(visit, newest))
  let now = kept
  if (kept.visit !== visit) now = begin(visit, newest)
  else if (kept.newest !== newest) now = { visit, newest, steady: steadyPage<R, P>(kept.steady.page, newest) }
  if (now !== kept) keep(now)
  return { ...now.steady, showNewest: () => keep(begin(visit, newest)) }
}

const begin = <P,>(visit: string, newest: P): Kept<P> => ({
  visit,
  newest,
  steady: { page: newest, waiting: 0 },
})

/**
 * A list whose rows stay where they are while its data is fetched again: their numbers follow, what has come on top
 * is counted and waits, and what left stays until the list is asked for anew.
 */
type Row = { readonly id: number }
type AnyPage<R extends Row> = { readonly rows: readonly R[]; readonly hits: number }

type SteadyPage<P> = {
  /** What to show. */
  readonly page: P
  /** Rows of the newest data that are not shown. */
  readonly waiting: number
}

/** `shown` as it was put on the screen, `newest` as the server has it now. */
export function steadyPage<R extends Row, P extends AnyPage<R>>(shown: P, newest: P): SteadyPage<P> {
  if (shown === newest) return { page: shown, waiting: 0 }
  // An empty list has nothing that could move.
  if (shown.rows.length === 0) return { page: newest, waiting: 0 }
  const known = new Set(shown.rows.map(({ id }) => id))
  const fresh = new Map(newest.rows.map((row) => [row.id, row]))
  return {
    page: { ...shown, hits: newest.hits, rows: shown.rows.map((row) => fresh.get(row.id) ?? row) },
    waiting: newest.rows.filter(({ id }) => !known.has(id)).length,
  }
}

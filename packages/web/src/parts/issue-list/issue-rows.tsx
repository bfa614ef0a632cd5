import { MAX_HITS } from '@sonde/queries/contract'
import { Link } from '@sonde/router'
import { type Ref, useId, useRef, useState } from 'react'
import { formatExact } from '../../format/format-count.ts'
import { usePaths } from '../../shell/use-paths.ts'
import { BulkBar, ConfirmAll, type Deed, useBulkPost } from './bulk-bar.tsx'
import { IssueLine } from './issue-line.tsx'
import type { ShownPage, ShownRow } from './issue-list-screen.tsx'
import { listPath, type ListPlace, type ListSearch, type Sort, toSearch } from './list-search.ts'
import { useListKeys } from './use-list-keys.ts'
import { type RowSelection, useSelection } from './use-selection.ts'

const MOVES = [
  ['j k', 'navigate'],
  ['o', 'open'],
  ['/', 'search'],
] as const
const CHANGES = [
  ['x', 'select'],
  ['e', 'resolve'],
  ['m', 'ignore'],
  ['u', 'reopen'],
  ['a', 'assign'],
  ['r', 'reviewed'],
  ['?', 'all shortcuts'],
] as const

/** Where there is a keyboard. */
function KeyHints({ canChange }: { readonly canChange: boolean }) {
  return (
    <ul className="key-hints" aria-label="Keyboard shortcuts">
      {[...MOVES, ...(canChange ? CHANGES : [])].map(([keys, what]) => (
        <li key={keys}>
          {keys.split(' ').map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}{' '}
          {what}
        </li>
      ))}
    </ul>
  )
}

export type IssueRowsProps = {
  readonly place: ListPlace
  readonly search: ListSearch
  readonly page: ShownPage
  readonly waiting: number
  readonly showNewest: () => void
  readonly mayChange: boolean
}

/** The rows with everything that is done to them. */
export function IssueRows({ place, search, page, waiting, showNewest, mayChange }: IssueRowsProps) {
  const rowIds = page.rows.map(({ id }) => id)
  const selection = useSelection(rowIds)
  const formId = useId()
  const table = useRef<HTMLTableElement>(null)
  const { send, hasFailed } = useBulkPost()
  const [requested, ask] = useState<Deed>()

  const change = (deed: Deed, cursorId?: number): void => {
    if (selection.isAll) return ask(deed)
    const ids = selection.ids.size > 0 ? [...selection.ids] : cursorId === undefined ? [] : [cursorId]
    if (ids.length > 0) void send({ ...deed.fields, id: ids.join(',') })
  }
  const showAll = (): void => {
    showNewest()
    // The button that was pressed is gone; what it showed is at the top.
    requestAnimationFrame(() => {
      window.scrollTo({ top: 0 })
      table.current?.querySelector<HTMLElement>('.issue-link')?.focus({ preventScroll: true })
    })
  }
  useListKeys({
    table,
    canChange: mayChange,
    toggle: selection.toggle,
    hasChosen: selection.ids.size > 0,
    togglePage: selection.togglePage,
    change,
  })
  return (
    <>
      <div className="list-bar" data-chosen={selection.ids.size > 0 || undefined}>
        {mayChange && (
          <BulkBar
            org={place.org}
            formId={formId}
            page={page}
            selection={selection}
            hasFailed={hasFailed}
            onChange={change}
            rowIds={rowIds}
          />
        )}
        <NewIssuesBar waiting={waiting} isPageFull={waiting >= page.rows.length} onShow={showAll} />
      </div>
      <IssueTable
        ref={table}
        place={place}
        rows={page.rows}
        search={search}
        formId={mayChange ? formId : undefined}
        selection={selection}
      />
      <ListPages place={place} search={search} page={page} />
      <KeyHints canChange={mayChange} />
      {requested !== undefined && (
        <ConfirmAll
          deed={requested}
          hits={page.hits}
          onCancel={() => ask(undefined)}
          onConfirm={() => {
            ask(undefined)
            void send({ ...requested.fields, all: '1', confirmed: '1' })
          }}
        />
      )}
    </>
  )
}

type NewIssuesBarProps = {
  readonly waiting: number
  /** As many as a page has: there may be more. */
  readonly isPageFull: boolean
  readonly onShow: () => void
}

/** It has its place in the bar above the table, so that no row moves when it comes. */
function NewIssuesBar({ waiting, isPageFull, onShow }: NewIssuesBarProps) {
  const text = `${waiting}${isPageFull ? ' or more' : ''} new`
  return (
    <div className="new-issues" role="status">
      {waiting > 0 && (
        <button type="button" className="button button-primary button-small" onClick={onShow}>
          {text} <span className="new-issues-hint">· show</span>
        </button>
      )}
    </div>
  )
}

type Edge = { readonly cursor: string; readonly hasResults: boolean }
type ListPagesProps = {
  readonly place: ListPlace
  readonly search: ListSearch
  readonly page: {
    readonly rows: readonly unknown[]
    readonly hits: number
    readonly previous: Edge
    readonly next: Edge
  }
}

/** How many there are, and the ways on. */
function ListPages({ place, search, page }: ListPagesProps) {
  const { rows, hits, previous, next } = page
  const total = hits >= MAX_HITS ? `more than ${formatExact(MAX_HITS)}` : formatExact(hits)
  return (
    <div className="list-pages">
      <p className="muted">
        {rows.length === hits
          ? `${total} ${hits === 1 ? 'issue' : 'issues'}`
          : `${rows.length} of ${total} issues`}
      </p>
      {(previous.hasResults || next.hasResults) && (
        <nav aria-label="Pages">
          {step('Previous', previous)}
          {step('Next', next)}
        </nav>
      )}
    </div>
  )
  function step(name: string, { cursor, hasResults }: Edge) {
    return hasResults ? (
      <Link
        className="button button-small"
        to={listPath(place, toSearch(search, { cursor }))}
        prefetch="intent"
      >
        {name}
      </Link>
    ) : (
      <span className="button button-small" aria-disabled="true">
        {name}
      </span>
    )
  }
}

type IssueTableProps = {
  readonly ref: Ref<HTMLTableElement>
  readonly place: ListPlace
  readonly rows: readonly ShownRow[]
  readonly search: ListSearch
  /** The form that the rows' boxes belong to; undefined: nothing may be changed. */
  readonly formId: string | undefined
  readonly selection: RowSelection
}

/** One issue a row; the columns that the list can be sorted by are links. */
function IssueTable({ ref, place, rows, search, formId, selection }: IssueTableProps) {
  const paths = usePaths()
  const period = rows[0]?.bars.period === '14d' ? '14 days' : '24 hours'
  const header = (sort: Sort, name: string, className: string) => (
    <th scope="col" className={className} aria-sort={search.sort === sort ? 'descending' : undefined}>
      <Link to={listPath(place, toSearch(search, { sort }))} prefetch="none">
        {name}
      </Link>
    </th>
  )
  return (
    <table ref={ref} className="issue-table">
      <caption className="sr-only">Issues</caption>
      <thead>
        <tr>
          {formId !== undefined && (
            <th scope="col" className="col-box">
              <span className="sr-only">Selected</span>
            </th>
          )}
          <th scope="col" className="col-issue">
            Issue
          </th>
          <th scope="col" className="col-trend">
            {period}
          </th>
          {header('freq', 'Events', 'col-num')}
          {header('user', 'Users', 'col-num col-users')}
          <th scope="col" className="col-assignee">
            Assignee
          </th>
          {header('new', 'First seen', 'col-age col-first')}
          {header('date', 'Last seen', 'col-age')}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <IssueLine
            key={row.id}
            to={paths.issue(place.org, row.project.slug, row.shortId)}
            row={row}
            formId={formId}
            isChosen={selection.ids.has(row.id)}
            onToggle={selection.toggle}
          />
        ))}
      </tbody>
    </table>
  )
}

import { useId, useRef, useState } from 'react'
import type { ShownStatus } from '../issue/shown-status.ts'
import { BulkBar } from './bulk-bar.tsx'
import { ConfirmAll } from './confirm-all.tsx'
import type { ShownPage } from './issue-list-screen.tsx'
import { IssueTable } from './issue-table.tsx'
import { KeyHints } from './key-hints.tsx'
import { ListPages } from './list-pages.tsx'
import type { ListPlace } from './list-place.ts'
import type { ListSearch } from './list-search.ts'
import { NewIssuesBar } from './new-issues-bar.tsx'
import { useBulkPost } from './use-bulk-post.ts'
import { useListKeys } from './use-list-keys.ts'
import { useSelection } from './use-selection.ts'

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
  const [asked, ask] = useState<ShownStatus>()

  const change = (status: ShownStatus, cursorId?: number): void => {
    if (selection.isAll) return ask(status)
    const ids = selection.ids.size > 0 ? [...selection.ids] : cursorId === undefined ? [] : [cursorId]
    if (ids.length > 0) void send({ status, id: ids.join(',') })
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
    togglePage: selection.togglePage,
    change,
  })
  return (
    <>
      <div className="list-bar" data-chosen={selection.ids.size > 0 || undefined}>
        {mayChange && (
          <BulkBar
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
      {asked !== undefined && (
        <ConfirmAll
          status={asked}
          hits={page.hits}
          onCancel={() => ask(undefined)}
          onConfirm={() => {
            ask(undefined)
            void send({ status: asked, all: '1', confirmed: '1' })
          }}
        />
      )}
    </>
  )
}

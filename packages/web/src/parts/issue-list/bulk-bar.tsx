/** Changes to many issues at once: the bar, the question before a change of all, and the post. */
import { MAX_HITS } from '@sonde/queries/contract'
import { Form, useLocation, usePost } from '@sonde/router'
import { type SubmitEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { formatExact } from '../../format/format-count.ts'
import { Icon } from '../../ui/icon.tsx'
import { useIsInBrowser } from '../../ui/page-clock.tsx'
import { ArchiveMenu } from '../issue/archive-menu.tsx'
import { AssignMenu } from '../issue/assign-menu.tsx'
import { FormMenu } from '../issue/form-menu.tsx'
import { PriorityChoices } from '../issue/priority-menu.tsx'
import { isShownStatus, type ShownStatus, STATUS_DEEDS } from '../issue/shown-status.ts'
import type { ShownPage } from './issue-list-screen.tsx'
import { isWholePage, type RowSelection } from './use-selection.ts'

type Props = {
  /** The boxes of the rows belong to this form, wherever they stand. */
  readonly formId: string
  readonly page: ShownPage
  readonly rowIds: readonly number[]
  readonly selection: RowSelection
  readonly hasFailed: boolean
  readonly onChange: (deed: Deed) => void
  readonly org: string
}

/** What a press asks for: the fields to post, and how people call it. */
export type Deed = {
  readonly fields: Readonly<Record<string, string>>
  /** `Resolve`; `Assign` and `to Ada`. */
  readonly verb: string
  readonly suffix?: string | undefined
}

export const statusDeed = (status: ShownStatus): Deed => ({
  fields: { status },
  verb: STATUS_DEEDS[status].verb,
})

/** What the menus ask for beside the button that was pressed. */
const FIELDS = ['untilAt', 'untilAtZone', 'untilCount', 'untilOf', 'untilWithin'] as const

/** What a button of the bar or of its menus says. */
function deedOf({ name, value, textContent, dataset }: HTMLButtonElement, form: FormData): Deed {
  if (isShownStatus(value)) return statusDeed(value)
  const texts = FIELDS.map((field) => [field, form.get(field)] as const)
  const also = name === 'until' ? texts.filter(([, text]) => typeof text === 'string') : []
  const fields: Deed['fields'] = { ...Object.fromEntries(also as [string, string][]), [name]: value }
  const { verb, suffix } = dataset
  if (verb !== undefined) return { fields, verb, suffix }
  const text = textContent.trim()
  if (value === 'none') return { fields, verb: 'Unassign' }
  return { fields, verb: 'Assign', suffix: text === 'Assign to me' ? 'to you' : `to ${text}` }
}

/** `total`: `42`, `more than 1,000`. */
export const questionOf = ({ verb, suffix }: Pick<Deed, 'verb' | 'suffix'>, total: string): string =>
  `${verb} all ${total} matching ${total === '1' ? 'issue' : 'issues'}${suffix === undefined ? '' : ` ${suffix}`}?`

const totalText = (hits: number): string =>
  hits >= MAX_HITS ? `more than ${formatExact(MAX_HITS)}` : formatExact(hits)

/**
 * What to do with chosen rows. It keeps its place while nothing is chosen, so that choosing moves no row; without
 * JavaScript its buttons act on the boxes that are ticked.
 */
export function BulkBar({ org, formId, page, rowIds, selection, hasFailed, onChange }: Props) {
  const isInBrowser = useIsInBrowser()
  const { ids, isAll } = selection
  const isWhole = isWholePage(ids, rowIds)
  const hasChosen = ids.size > 0
  const hasMore = page.hits > rowIds.length
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as unknown as { submitter: HTMLButtonElement | null }
    if (submitter) onChange(deedOf(submitter, new FormData(event.currentTarget)))
  }
  return (
    <Form id={formId} className="bulk-bar" aria-label="Bulk actions" onSubmit={submit}>
      <PageBox isWhole={isWhole} hasChosen={hasChosen} onToggle={selection.togglePage} />
      {isInBrowser ? (
        <p className="bulk-state" role="status">
          {isAll
            ? `All ${totalText(page.hits)} matching issues selected`
            : hasChosen
              ? `${ids.size} selected`
              : 'Select issues to act on'}
        </p>
      ) : (
        <p className="bulk-state">
          {hasMore && (
            <label>
              <input type="checkbox" name="all" value="1" /> All {totalText(page.hits)} matching issues
            </label>
          )}
        </p>
      )}
      {isInBrowser && isWhole && hasMore && !isAll && (
        <button type="button" className="link-button" onClick={selection.chooseAll}>
          {' '}
          Select all {totalText(page.hits)} matching{' '}
        </button>
      )}
      {isAll && (
        <button type="button" className="link-button" onClick={selection.clear}>
          {' '}
          Clear selection{' '}
        </button>
      )}
      <div className="bulk-actions" hidden={isInBrowser && !hasChosen}>
        <button type="submit" name="status" value="resolved" className="button button-small">
          <Icon name="check" /> Resolve
        </button>
        <button type="submit" name="status" value="ignored" className="button button-small">
          <Icon name="mute" /> Ignore
        </button>
        <ArchiveMenu isInForm />
        <button type="submit" name="status" value="unresolved" className="button button-small">
          <Icon name="reopen" /> Reopen
        </button>
        <button type="submit" name="go" value="merge" data-verb="Merge" className="button button-small">
          Merge
        </button>
        <button type="submit" name="go" value="delete" data-verb="Delete" className="button button-small">
          Delete
        </button>
        <AssignMenu
          org={org}
          isInForm
          mayUnassign
          label="Assign"
          button={
            <>
              <Icon name="person" /> Assign
            </>
          }
        />
        <FormMenu isInForm className="more-menu" label="More actions" button="More">
          <MarkChoices />
          <PriorityChoices />
        </FormMenu>
      </div>
      {hasFailed && (
        <p role="alert">
          The server could not be reached. Check whether the change was applied, then try again.
        </p>
      )}
    </Form>
  )
}

const MARKS = [
  ['review', '1', 'Mark reviewed', 'Mark', 'as reviewed'],
  ['bookmark', '1', 'Bookmark', 'Bookmark', undefined],
  ['bookmark', '0', 'Remove bookmark', 'Remove', 'from your bookmarks'],
  ['subscribe', '1', 'Subscribe', 'Subscribe to', undefined],
  ['subscribe', '0', 'Unsubscribe', 'Unsubscribe from', undefined],
] as const

function MarkChoices() {
  return (
    <div className="menu-list">
      {MARKS.map(([name, value, text, verb, suffix]) => (
        <button
          key={text}
          type="submit"
          name={name}
          value={value}
          data-closes
          data-verb={verb}
          data-suffix={suffix}
        >
          {text}
        </button>
      ))}
    </div>
  )
}

type BoxProps = { readonly isWhole: boolean; readonly hasChosen: boolean; readonly onToggle: () => void }

/** Half ticked while some rows are chosen. Without JavaScript it could do nothing, so it is not there. */
function PageBox({ isWhole, hasChosen, onToggle }: BoxProps) {
  const isInBrowser = useIsInBrowser()
  const showHalf = useCallback(
    (box: HTMLInputElement | null): void => {
      if (box) box.indeterminate = hasChosen && !isWhole
    },
    [hasChosen, isWhole],
  )
  if (!isInBrowser) return <span className="row-box" />
  return (
    <label className="row-box">
      <input
        ref={showHalf}
        type="checkbox"
        checked={isWhole}
        onChange={onToggle}
        aria-label="Select all on this page"
      />
    </label>
  )
}

type ConfirmProps = {
  readonly deed: Deed
  readonly hits: number
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Before a change to more than can be seen. */
export function ConfirmAll({ deed, hits, onConfirm, onCancel }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed while it is still in the page, so that the focus returns to where it was.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog ref={dialog} className="confirm" aria-labelledby="confirm-title" onCancel={onCancel}>
      <h2 id="confirm-title">{questionOf(deed, totalText(hits))}</h2>
      <p>Includes issues on other pages and issues that arrived since you opened this page.</p>
      <div className="confirm-actions">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" className="button button-primary" onClick={onConfirm}>
          {deed.verb} all
        </button>
      </div>
    </dialog>
  )
}

/** Posts to the list that is shown, search and all. */
export function useBulkPost() {
  const post = usePost()
  const { pathname, search } = useLocation()
  const [hasFailed, setFailed] = useState(false)
  const send = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    setFailed(false)
    const outcome = await post(pathname + search, fields)
    if (outcome === 'failed') setFailed(true)
    // Nothing was done; the new build's page asks again.
    if (outcome === 'other-build') window.location.reload()
  }
  return { send, hasFailed }
}

import { useLocation } from '@sonde/router'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { useShortcuts } from '../../shell/use-shortcuts.ts'
import { type Deed, statusDeed } from './bulk-bar.tsx'

type Options = {
  readonly table: RefObject<HTMLTableElement | null>
  readonly canChange: boolean
  readonly toggle: (id: number, isRange: boolean) => void
  readonly togglePage: () => void
  readonly hasChosen: boolean
  readonly change: (deed: Deed, cursorId?: number) => void
}

const REVIEW: Deed = { fields: { review: '1' }, verb: 'Mark', suffix: 'as reviewed' }

/**
 * Keys of the list. The cursor is the focus itself, on the row's link: what is read aloud and what Enter opens is
 * always the row that looks chosen, and Tab goes on from there.
 */
export function useListKeys({ table, canChange, toggle, togglePage, hasChosen, change }: Options): void {
  /** Where the cursor was, for when the focus is elsewhere now. */
  const lastIndex = useRef(-1)
  const isChanging = useRef(false)
  /** The menu that is to be opened once its bar is shown. */
  const opening = useRef<string>(undefined)
  const visit = useLocation().key

  const links = (): HTMLAnchorElement[] => [
    ...(table.current?.querySelectorAll<HTMLAnchorElement>('.issue-link') ?? []),
  ]
  const rowOf = (link: Element | undefined): HTMLTableRowElement | null => link?.closest('tr') ?? null
  const cursor = (): number => links().findIndex((link) => rowOf(link)?.contains(document.activeElement))
  const idAt = (index: number): number | undefined => {
    const id = rowOf(links()[index])?.dataset['issue']
    return id === undefined ? undefined : Number(id)
  }
  const move = (step: 1 | -1): void => {
    const rows = links()
    const at = cursor()
    const from = at >= 0 ? at : lastIndex.current
    const to = from < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, from + step))
    lastIndex.current = to
    focusRow(rows[to])
  }
  const changeTo = (deed: Deed) => (): void => {
    lastIndex.current = cursor()
    isChanging.current = lastIndex.current >= 0
    change(deed, idAt(lastIndex.current))
  }
  /** The menus act on what is chosen: the row of the cursor where nothing is. */
  const openMenu = (selector: string): void => {
    const at = cursor()
    const id = idAt(at)
    if (!hasChosen && id === undefined) return
    lastIndex.current = at
    isChanging.current = at >= 0
    if (hasChosen) return pressMenu(selector)
    // Shown once something is chosen.
    opening.current = selector
    if (id !== undefined) toggle(id, false)
  }
  const openPending = useEffectEvent((isShown: boolean): void => {
    if (isShown && opening.current !== undefined) pressMenu(opening.current)
    opening.current = undefined
  })
  useEffect(() => openPending(hasChosen), [hasChosen])
  useShortcuts({
    'list.next': () => move(1),
    'list.previous': () => move(-1),
    'list.open': () => links()[cursor()]?.click(),
    ...(canChange && {
      'list.select': () => {
        const id = idAt(cursor())
        if (id !== undefined) toggle(id, false)
      },
      'list.select-all': togglePage,
      'list.resolve': changeTo(statusDeed('resolved')),
      'list.ignore': changeTo(statusDeed('ignored')),
      'list.reopen': changeTo(statusDeed('unresolved')),
      'list.review': changeTo(REVIEW),
      'list.assign': () => openMenu('.assign-menu'),
    }),
  })
  // After a change the row may be gone, and the focus with it: the next one has taken its place.
  const takeFocusBack = useEffectEvent((_visit: string) => {
    if (!isChanging.current) return
    isChanging.current = false
    const rows = links()
    if (document.activeElement === document.body) focusRow(rows[Math.min(lastIndex.current, rows.length - 1)])
  })
  useEffect(() => takeFocusBack(visit), [visit])
}

function pressMenu(selector: string): void {
  const summary = document.querySelector<HTMLElement>(`.bulk-actions ${selector} > summary`)
  summary?.focus()
  summary?.click()
}

function focusRow(link: HTMLElement | undefined): void {
  link?.focus({ preventScroll: true })
  link?.closest('tr')?.scrollIntoView({ block: 'nearest' })
}

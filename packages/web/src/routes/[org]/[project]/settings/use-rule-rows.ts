import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { changedRows, EMPTY_RULE, type RuleDraft, type RuleField } from './sampling-text.ts'

/** A row keeps its key, and what was refused of it, when it moves. */
export type RuleRow = {
  readonly key: number
  readonly draft: RuleDraft
  readonly errors: { readonly [Field in RuleField]?: string }
  /** Spans that the rule left out within a day, as it is stored. */
  readonly leftOut: number
}
export type InitialRow = Omit<RuleRow, 'key'>

/** The rows of the form, moved and filled in the page. Without scripts their buttons are posted. */
export function useRuleRows(initial: readonly InitialRow[]) {
  const [rows, setRows] = useState<readonly RuleRow[]>(() =>
    initial.map((row, key): RuleRow => ({ ...row, key })),
  )
  const [said, say] = useState('')
  const nextKey = useRef(initial.length)
  const focused = useRef<Element>(null)
  // A moved row is taken out of the page for a moment, and what had the focus loses it.
  useEffect(() => {
    const { current } = focused
    focused.current = null
    if (current instanceof HTMLElement && current !== document.activeElement) current.focus()
  })

  const change = (does: string): void => {
    const changed = changedRows(rows, does, () => ({
      draft: EMPTY_RULE,
      errors: {},
      leftOut: 0,
      key: nextKey.current++,
    }))
    if (changed === rows) return
    focused.current = document.activeElement
    setRows(changed)
    say(wordsOf(does, changed.length))
  }

  return {
    rows,
    said,
    change,
    type: (key: number, field: RuleField, text: string): void =>
      setRows(
        rows.map((row) => (row.key === key ? { ...row, draft: { ...row.draft, [field]: text } } : row)),
      ),
    /** Alt with an arrow moves the row in which one types. */
    onKeyDown: (event: KeyboardEvent, at: number): void => {
      const does = event.key === 'ArrowUp' ? 'up' : event.key === 'ArrowDown' ? 'down' : undefined
      if (!event.altKey || does === undefined) return
      event.preventDefault()
      change(`${does}:${at}`)
    },
  }
}

function wordsOf(does: string, count: number): string {
  const [what, at] = does.split(':')
  if (what === 'add') return `Rule ${count} was added.`
  if (what === 'remove') return `The rule was removed, ${count} left.`
  return `The rule is now number ${Number(at) + (what === 'up' ? 0 : 2)} of ${count}.`
}

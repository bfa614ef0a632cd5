import { type ReactNode, useEffect, useRef, useState } from 'react'

/** More than these are found faster by typing than by reading. */
const FILTER_FROM = 8
const MAX_SHOWN = 200

export type FilteredListProps<Item> = {
  /** `projects`: for the field and for an empty answer. */
  readonly what: string
  readonly items: readonly Item[]
  readonly textOf: (item: Item) => string
  /** Its content; the list makes the `li`. */
  readonly renderLine: (item: Item) => ReactNode
}

/** A list that can be narrowed by typing when it is long. */
export function FilteredList<Item>({ what, items, textOf, renderLine }: FilteredListProps<Item>) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const hasField = items.length > FILTER_FROM
  useEffect(() => {
    if (hasField) field.current?.focus()
  }, [hasField])
  const wanted = text.trim().toLowerCase()
  const shown = items.filter((item) => textOf(item).toLowerCase().includes(wanted))
  return (
    <>
      {hasField && (
        <input
          ref={field}
          className="input"
          type="search"
          aria-label={`Filter ${what}`}
          placeholder={`Filter ${items.length} ${what}`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          onKeyDown={(event) => {
            // Enter takes what is on top.
            if (event.key !== 'Enter') return
            event.preventDefault()
            const list = event.currentTarget.parentElement
            list?.querySelector<HTMLElement>('.menu-list :is(a, input, button)')?.click()
          }}
        />
      )}
      <ul className="menu-list">
        {shown.slice(0, MAX_SHOWN).map((item) => (
          <li key={textOf(item)}>{renderLine(item)}</li>
        ))}
      </ul>
      {shown.length === 0 && <p className="menu-note">No matching {what}</p>}
    </>
  )
}

import type { SearchSuggestions } from '@sonde/queries'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { formatCount } from '../../format/format-count.ts'
import { useShortcuts } from '../../shell/use-shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { useIsInBrowser } from '../../ui/page-clock.tsx'
import type { Refusal } from '../issue-list/load-list.server.ts'

type Suggestion = SearchSuggestions['suggestions'][number]

/** A fast typist's next key comes before. */
const TYPING_MS = 80
const MAX_KEPT = 100

/** `text`: the search that it completes. While somebody types on, the one before is shown until the next is there. */
type Offer = SearchSuggestions & { readonly text: string }

/** What to offer at a cursor, as `path` answers it. Answers are kept for as long as the field is there; a failed one offers nothing. */
function useSuggestions(path: string, statsPeriod: string) {
  const [offer, setOffer] = useState<Offer>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const requested = useRef('')
  const [kept] = useState(() => new Map<string, SearchSuggestions>())
  const stop = (): void => {
    clearTimeout(timer.current)
    requested.current = ''
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  const fetchOffer = async (url: string, text: string): Promise<void> => {
    let found = kept.get(url)
    if (!found) {
      const answer = await fetch(url, { headers: { accept: 'application/json' } }).catch(() => undefined)
      if (!answer?.ok) return
      found = (await answer.json()) as SearchSuggestions
      if (kept.size >= MAX_KEPT) kept.clear()
      kept.set(url, found)
    }
    if (requested.current === url) setOffer({ ...found, text })
  }
  return {
    offer,
    ask(text: string, cursor: number): void {
      const params = new URLSearchParams({ text, cursor: String(cursor) })
      if (statsPeriod !== '') params.set('statsPeriod', statsPeriod)
      const url = `${path}?${params.toString()}`
      stop()
      requested.current = url
      timer.current = setTimeout(() => void fetchOffer(url, text), kept.has(url) ? 0 : TYPING_MS)
    },
    forget(): void {
      stop()
      setOffer(undefined)
    },
  }
}

type SearchBoxProps = {
  /** Answers what to offer: `paths`' suggestions. */
  readonly suggestions: string
  /** What is searched: `issues`. */
  readonly what: string
  readonly placeholder: string
  readonly query: string
  readonly statsPeriod: string
  readonly isRefused: boolean
}

/**
 * A search field that offers keys and values at the cursor (the combobox with a listbox of the ARIA practices:
 * https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). Until there is JavaScript it is a plain search field.
 */
export function SearchBox({ query, statsPeriod, isRefused, ...props }: SearchBoxProps) {
  const isInBrowser = useIsInBrowser()
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const { offer, ask, forget } = useSuggestions(props.suggestions, statsPeriod)
  const [active, setActive] = useState(-1)
  const suggestions = offer?.suggestions ?? []
  const isOpen = suggestions.length > 0
  const optionId = (index: number): string => `${listId}-${index}`

  // The address changed (a tab, back, a link): the field says what the list shows.
  useEffect(() => {
    if (input.current && input.current.value !== query) input.current.value = query
  }, [query])
  useEffect(() => {
    if (active >= 0) document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' })
  })

  const look = (): void => {
    setActive(-1)
    const field = input.current
    if (field) ask(field.value, field.selectionStart ?? field.value.length)
  }
  /** Without a key pressed: behind the last term the next one is offered. */
  const lookAhead = (): void => {
    const field = input.current
    if (!field) return
    const { value, selectionStart, selectionEnd } = field
    if (selectionStart !== value.length || selectionEnd !== value.length || /(?:^|\s)$/.test(value))
      return look()
    setActive(-1)
    ask(`${value} `, value.length + 1)
  }
  useShortcuts({ search: () => input.current?.select() })
  const close = (): void => {
    forget()
    setActive(-1)
  }
  const accept = ({ text }: Suggestion): void => {
    const field = input.current
    // A late answer completes another text than the field's; what looks ahead has a space more.
    if (!field || !offer || offer.text.trimEnd() !== field.value.trimEnd()) return
    // A value is done; after a key its values are offered.
    const isDone = !text.endsWith(':')
    const behind = field.value.slice(offer.to)
    const before = offer.from > field.value.length ? ' ' : ''
    const after = isDone && !/^[\s,\]]/.test(behind) ? ' ' : ''
    field.setRangeText(before + text + after, offer.from, offer.to, 'end')
    field.focus()
    close()
    if (!isDone) look()
  }
  const press = (event: KeyboardEvent): void => {
    const { key } = event
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    const chosen = suggestions[active]
    if (step !== 0) {
      event.preventDefault()
      if (isOpen) setActive(cycle(active + step, suggestions.length))
      else lookAhead()
    } else if (key === 'Enter' && chosen) {
      event.preventDefault()
      accept(chosen)
    } else if (key === 'Enter') close()
    else if (key === 'Escape' && isOpen) {
      event.preventDefault()
      close()
    }
  }
  return (
    <div className="search">
      <Icon name="search" />
      <input
        ref={input}
        className="input"
        type="search"
        name="query"
        aria-label={`Search ${props.what}`}
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? 'search-error' : undefined}
        aria-keyshortcuts="/"
        {...(isInBrowser && {
          role: 'combobox',
          'aria-expanded': isOpen,
          'aria-controls': listId,
          'aria-autocomplete': 'list',
          'aria-activedescendant': active < 0 ? undefined : optionId(active),
        })}
        defaultValue={query}
        placeholder={props.placeholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={4_096}
        dir="auto"
        onInput={look}
        onClick={lookAhead}
        onKeyDown={press}
        onBlur={close}
      />
      {isInBrowser && (
        <ul
          id={listId}
          className="suggestions"
          role="listbox"
          aria-label="Search suggestions"
          hidden={!isOpen}
        >
          {suggestions.map((suggestion, index) => (
            <li
              key={suggestion.text}
              id={optionId(index)}
              role="option"
              aria-selected={index === active}
              // Before the field loses the focus, and with it the list.
              onPointerDown={(event) => {
                event.preventDefault()
                accept(suggestion)
              }}
            >
              <bdi className="suggestion-label">{suggestion.label}</bdi>
              {suggestion.description !== undefined && (
                <bdi className="suggestion-about">{suggestion.description}</bdi>
              )}
              {suggestion.count !== undefined && (
                <span className="suggestion-count">{formatCount(suggestion.count)}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** From -1 (the field) through the options and back. */
const cycle = (index: number, count: number): number => (index < -1 ? count - 1 : index >= count ? -1 : index)

type Props = { readonly query: string; readonly refusal: Refusal }

/** Enough to recognise the place by. */
const AROUND = 40

/** What cannot be understood, and where: the term is marked in a repetition of the search. */
export function SearchRefusal({ query, refusal: { message, hint, at } }: Props) {
  const end = /\s/.exec(query.slice(at))
  const to = end ? at + end.index : query.length
  const isInside = query !== '' && at < query.length
  return (
    <div className="search-refusal" id="search-error" role="alert">
      <p className="field-error">
        {message.charAt(0).toUpperCase() + message.slice(1)}
        {isInside && <span className="muted"> (at position {at + 1})</span>}
        {hint !== undefined && <span className="muted"> {hint}</span>}
      </p>
      {isInside && (
        <code className="refused-query" dir="auto">
          {at > AROUND && '…'}
          {query.slice(Math.max(0, at - AROUND), at)}
          <mark>{query.slice(at, Math.min(to, at + 2 * AROUND))}</mark>
          {query.slice(to, to + AROUND)}
          {to + AROUND < query.length && '…'}
        </code>
      )}
    </div>
  )
}

import type { SearchSuggestions } from '@sonde/queries'
import { useEffect, useRef, useState } from 'react'

export type Suggestion = SearchSuggestions['suggestions'][number]

/** A fast typist's next key comes before. */
const TYPING_MS = 80
const MAX_KEPT = 100

/** `text`: the search that it completes. While somebody types on, the one before is shown until the next is there. */
export type Offer = SearchSuggestions & { readonly text: string }

/** What to offer at a cursor, as `path` answers it. Answers are kept for as long as the field is there; a failed one offers nothing. */
export function useSuggestions(path: string, statsPeriod: string) {
  const [offer, setOffer] = useState<Offer>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asked = useRef('')
  const [kept] = useState(() => new Map<string, SearchSuggestions>())
  const stop = (): void => {
    clearTimeout(timer.current)
    asked.current = ''
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
    if (asked.current === url) setOffer({ ...found, text })
  }
  return {
    offer,
    ask(text: string, cursor: number): void {
      const params = new URLSearchParams({ text, cursor: String(cursor) })
      if (statsPeriod !== '') params.set('statsPeriod', statsPeriod)
      const url = `${path}?${params.toString()}`
      stop()
      asked.current = url
      timer.current = setTimeout(() => void fetchOffer(url, text), kept.has(url) ? 0 : TYPING_MS)
    },
    forget(): void {
      stop()
      setOffer(undefined)
    },
  }
}

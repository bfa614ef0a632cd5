/**
 * What of the address belongs to the waterfall alone: the chosen span, the part of the time, the text. It is kept there
 * without a navigation, so that choosing a span does not load ten thousand lines again.
 */
import { useLocation } from '@sonde/router'
import { useCallback, useState } from 'react'

const KEPT = ['span', 'zoom', 'q'] as const
type Kept = (typeof KEPT)[number]
export type TraceAddress = { readonly [Name in Kept]?: string }

export function useTraceAddress(): readonly [
  TraceAddress,
  (change: { [Name in Kept]?: string | undefined }) => void,
] {
  const { search } = useLocation()
  const [address, setAddress] = useState(() => readAddress(search))
  const change = useCallback((changes: { [Name in Kept]?: string | undefined }) => {
    // The window's own address: another change may have come since the last render.
    const url = new URL(window.location.href)
    for (const name of KEPT) {
      if (!(name in changes)) continue
      const value = changes[name]
      if (value === undefined || value === '') url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    }
    window.history.replaceState(window.history.state, '', url)
    setAddress(readAddress(url.search))
  }, [])
  return [address, change]
}

function readAddress(search: string): TraceAddress {
  const params = new URLSearchParams(search)
  return Object.fromEntries(
    KEPT.flatMap((name) => {
      const value = params.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )
}

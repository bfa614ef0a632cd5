import { formatCount, formatExact } from '../format/format-count.ts'

/** `12.3k`, with `12,345 events` as title. */
export function Count({ value, noun }: { readonly value: number; readonly noun: string }) {
  const exact = `${formatExact(value)} ${value === 1 ? noun : `${noun}s`}`
  return (
    <span className="num" title={exact}>
      {formatCount(value)}
    </span>
  )
}

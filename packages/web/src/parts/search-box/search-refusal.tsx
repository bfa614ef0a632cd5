import type { Refusal } from '../issue-list/load-list.server.ts'

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

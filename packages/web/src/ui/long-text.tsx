import { useState } from 'react'
import { formatExact } from '../format/format-count.ts'

/** Text from outside of any length, line breaks kept; the rest is a press away. */
export function LongText({ text, max = 1_500 }: { readonly text: string; readonly max?: number }) {
  const [isWhole, setWhole] = useState(false)
  const isCut = text.length > max && !isWhole
  return (
    <span className="long-text" dir="auto">
      {isCut ? text.slice(0, max) : text}
      {isCut && (
        <>
          …{' '}
          <button type="button" className="link-button" onClick={() => setWhole(true)}>
            Show all {formatExact(text.length)} characters
          </button>
        </>
      )}
    </span>
  )
}

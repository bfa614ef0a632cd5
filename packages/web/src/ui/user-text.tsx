import { useState } from 'react'
import { formatExact } from '../format/format-count.ts'

/**
 * Text that came from outside: error messages, tag values, names. Its direction is its own (a right-to-left text must
 * not turn its surroundings around), and the whole of it is in the title where its place may cut it.
 */
const TITLE_CHARS = 500

export function UserText({ text, className }: { readonly text: string; readonly className?: string }) {
  return (
    <bdi className={className} title={titleOf(text)}>
      {text}
    </bdi>
  )
}

export function titleOf(text: string): string {
  return text.length > TITLE_CHARS ? `${text.slice(0, TITLE_CHARS)}…` : text
}

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

/** The beginning of a text, or JSON as a tree: code that comes when somebody opens one. */
import type { Json } from '@sonde/protocol/event'
import type { ReactNode } from 'react'
import { formatBytes } from '../../format/format-count.ts'
import { JsonValue } from '../../ui/json-value.tsx'
import { useTextStart } from './use-text-start.ts'

type TextProps = {
  readonly name: string
  readonly href: string
  readonly bytes: number
  readonly isTree: boolean
  /** What is read of it. */
  readonly maxBytes: number
}

export default function TextPreview({ name, href, bytes, isTree, maxBytes }: TextProps): ReactNode {
  const { state, text } = useTextStart(href, maxBytes)
  if (state === 'loading') return <p className="muted">Loading…</p>
  if (state === 'failed')
    return (
      <p className="muted" role="alert">
        The file could not be loaded. It may have been deleted. Reload to retry.
      </p>
    )
  const tree = isTree ? parsed(text) : undefined
  if (tree !== undefined) return <JsonValue value={tree} />
  return (
    <>
      <pre className="json" tabIndex={0} aria-label={`Beginning of ${name}`}>
        <code>{text}</code>
      </pre>
      {bytes > maxBytes && (
        <p className="muted">
          The first {formatBytes(maxBytes)} of {formatBytes(bytes)} are shown.
        </p>
      )}
    </>
  )
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** The beginning of a text, or JSON as a tree: code that comes when somebody opens one. */
import type { Json } from '@sonde/protocol/event'
import { type ReactNode, useEffect, useState } from 'react'
import { formatBytes } from '../../format/format-count.ts'
import { JsonValue } from '../../ui/key-values.tsx'

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
  if (state === 'failed' || state === 'gone')
    return (
      <p className="muted" role="alert">
        {state === 'gone'
          ? 'The file is missing or damaged on the server.'
          : 'The file could not be loaded. It may have been deleted. Reload to retry.'}
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

type TextStart = { readonly state: 'loading' | 'done' | 'failed' | 'gone'; readonly text: string }

/** The first `maxBytes` of a text of ours; the rest is not fetched. */
function useTextStart(url: string, maxBytes: number): TextStart {
  const [start, setStart] = useState<TextStart>({ state: 'loading', text: '' })
  useEffect(() => {
    const abort = new AbortController()
    readStart(url, maxBytes, abort.signal).then(
      (text) => setStart(text === undefined ? { state: 'gone', text: '' } : { state: 'done', text }),
      () => {
        if (!abort.signal.aborted) setStart({ state: 'failed', text: '' })
      },
    )
    return () => abort.abort()
  }, [url, maxBytes])
  return start
}

/** Undefined: its bytes are gone. */
async function readStart(url: string, maxBytes: number, signal: AbortSignal): Promise<string | undefined> {
  const answer = await fetch(url, { signal })
  if (answer.status === 410) return undefined
  // A sign-in page is HTML: what was asked for is text.
  const isText = answer.headers.get('content-type')?.startsWith('text/plain') === true
  if (!answer.ok || !isText || !answer.body) throw new Error(`it answered ${answer.status}`)
  const reader = answer.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let left = maxBytes; left > 0;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value.subarray(0, left), { stream: true })
    left -= value.length
  }
  await reader.cancel()
  return text
}

import { useEffect, useState } from 'react'

export type TextStart = { readonly state: 'loading' | 'done' | 'failed'; readonly text: string }

/** The first `maxBytes` of a text of ours; the rest is not fetched. */
export function useTextStart(url: string, maxBytes: number): TextStart {
  const [start, setStart] = useState<TextStart>({ state: 'loading', text: '' })
  useEffect(() => {
    const abort = new AbortController()
    readStart(url, maxBytes, abort.signal).then(
      (text) => setStart({ state: 'done', text }),
      () => {
        if (!abort.signal.aborted) setStart({ state: 'failed', text: '' })
      },
    )
    return () => abort.abort()
  }, [url, maxBytes])
  return start
}

async function readStart(url: string, maxBytes: number, signal: AbortSignal): Promise<string> {
  const answer = await fetch(url, { signal })
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

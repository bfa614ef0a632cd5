import { useEffect, useState } from 'react'
import { Icon } from './icon.tsx'
import { useIsInBrowser } from './page-clock.tsx'

const DONE_MS = 1_600

type Props = {
  /** A function is asked when the button is pressed, for texts that take work to make. */
  readonly text: string | (() => string | Promise<string>)
  readonly what: string
  /** On the button, where several stand together. */
  readonly label?: string
}

/** Copies a text. Without JavaScript it could do nothing, so it is not there. */
export function CopyButton({ text, what, label = 'Copy' }: Props) {
  const isInBrowser = useIsInBrowser()
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready')
  useEffect(() => {
    if (state === 'ready') return undefined
    const timer = setTimeout(() => setState('ready'), DONE_MS)
    return () => clearTimeout(timer)
  }, [state])
  if (!isInBrowser) return null
  const copy = async (): Promise<void> => {
    // Without https there is no clipboard, and a browser may refuse.
    try {
      await (typeof text === 'string' ? navigator.clipboard.writeText(text) : copyLater(text()))
      setState('copied')
    } catch {
      setState('refused')
    }
  }
  return (
    <button
      type="button"
      className="button button-small copy"
      onClick={() => void copy()}
      aria-label={`Copy ${what}`}
    >
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite">
        {state === 'copied' ? 'Copied' : state === 'refused' ? 'Copy failed' : label}
      </span>
    </button>
  )
}

/** Safari takes a text that is waited for only as a promise that is handed over with the press itself. */
async function copyLater(text: string | Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(await text)
  const blob = Promise.resolve(text).then((made) => new Blob([made], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}

/** Code to take away. */
export function Snippet({ code, what }: { readonly code: string; readonly what: string }) {
  return (
    <div className="snippet">
      <pre tabIndex={0} aria-label={what}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} what={what} />
    </div>
  )
}

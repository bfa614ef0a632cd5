import { type FormEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'

const WAIT_MS = 300
// While the server starts again or has too much to do: what was typed is asked for once more, without a key pressed.
const AGAIN_AFTER_MS = [1_000, 3_000, 10_000] as const

/**
 * Tries a form of rules a moment after each change, and at once when its button `try` is pressed. Without scripts it is
 * posted. `unreached` is shown when the server does not answer.
 */
export function useLiveTry<Shown>(path: string, unreached: Shown) {
  const [preview, setPreview] = useState<Shown>()
  const left = useRef(new AbortController())
  const isAsking = useRef(false)
  const next = useRef<HTMLFormElement>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    const leaving = (left.current = new AbortController())
    return () => {
      clearTimeout(timer.current)
      leaving.abort()
    }
  }, [])

  /** One at a time: who types on waits for the answer and asks once more, instead of piling up work. */
  const ask = async (form: HTMLFormElement, failures = 0): Promise<void> => {
    clearTimeout(timer.current)
    if (isAsking.current) {
      next.current = form
      return
    }
    const { signal } = left.current
    isAsking.current = true
    try {
      const answer = await fetch(path, {
        method: 'POST',
        body: new URLSearchParams(
          [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
        ),
        signal,
      })
      if (!answer.ok) throw new Error(`Preview failed (HTTP ${answer.status})`)
      setPreview((await answer.json()) as Shown)
    } catch {
      if (!signal.aborted) {
        setPreview(unreached)
        const afterMs = AGAIN_AFTER_MS[failures]
        if (afterMs !== undefined) timer.current = setTimeout(() => void ask(form, failures + 1), afterMs)
      }
    }
    isAsking.current = false
    const again = next.current
    next.current = undefined
    if (again !== undefined && !signal.aborted) await ask(again)
  }

  const tryLater = (form: HTMLFormElement): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void ask(form), WAIT_MS)
  }
  return {
    preview,
    tryLater,
    tryForm: (event: FormEvent<HTMLFormElement>): void => tryLater(event.currentTarget),
    onSubmit: (event: SubmitEvent<HTMLFormElement>): void => {
      if (submitterOf(event)?.value !== 'try') return
      event.preventDefault()
      void ask(event.currentTarget)
    },
  }
}

export const submitterOf = (event: SubmitEvent<HTMLFormElement>): HTMLButtonElement | null =>
  (event.nativeEvent as unknown as { submitter: HTMLButtonElement | null }).submitter

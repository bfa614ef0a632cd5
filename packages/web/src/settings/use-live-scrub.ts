import { useParams } from '@sonde/router'
import { type SubmitEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { paths } from '../paths.ts'
import type { ShownPreview } from './shown-preview.ts'

const WAIT_MS = 300
const UNREACHED: ShownPreview = { ok: false, message: 'The server could not be reached. Try again.' }

/** Tries the form a moment after each change, and at once when its button is pressed. Without scripts it is posted. */
export function useLiveScrub() {
  const { org, project } = useParams<'org' | 'project'>()
  const [preview, setPreview] = useState<ShownPreview>()
  const asked = useRef<AbortController>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      asked.current?.abort()
    },
    [],
  )

  const ask = async (form: HTMLFormElement): Promise<void> => {
    clearTimeout(timer.current)
    asked.current?.abort()
    const own = new AbortController()
    asked.current = own
    try {
      const answer = await fetch(paths.scrubPreview(org, project), {
        method: 'POST',
        body: new URLSearchParams(
          [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
        ),
        signal: own.signal,
      })
      if (!answer.ok) throw new Error(`the tester answered ${answer.status}`)
      setPreview((await answer.json()) as ShownPreview)
    } catch {
      if (!own.signal.aborted) setPreview(UNREACHED)
    }
  }

  return {
    preview,
    tryForm: (event: FormEvent<HTMLFormElement>): void => {
      const form = event.currentTarget
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void ask(form), WAIT_MS)
    },
    onSubmit: (event: SubmitEvent<HTMLFormElement>): void => {
      const { submitter } = event.nativeEvent as unknown as { submitter: HTMLButtonElement | null }
      if (submitter?.value !== 'try') return
      event.preventDefault()
      void ask(event.currentTarget)
    },
  }
}

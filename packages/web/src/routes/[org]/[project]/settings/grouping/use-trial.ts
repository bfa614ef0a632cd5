import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { submitterOf } from '../../../../../parts/forms/use-live-try.ts'
import { addPage, MAX_TRIED_EVENTS, type TrialAnswer, type TrialPage } from './trial-summary.ts'

export type TrialState = {
  readonly trial?: TrialPage | undefined
  readonly isRunning: boolean
  /** Beside the fields of the form. */
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined
  readonly failure?: string | undefined
}

/** Asks for one page of events after the other when the button `try` is pressed. A new press begins anew. */
export function useTrial(path: string) {
  const [state, setState] = useState<TrialState>({ isRunning: false })
  const running = useRef(new AbortController())
  useEffect(() => () => running.current.abort(), [])

  const run = async (form: HTMLFormElement, signal: AbortSignal): Promise<void> => {
    let trial: TrialPage | undefined
    setState({ isRunning: true })
    try {
      do {
        const fields = new FormData(form)
        const body = new URLSearchParams(
          [...fields].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
        )
        body.set('cursor', trial?.next ?? '')
        const answer = await fetch(path, { method: 'POST', body, signal })
        if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
        const page = (await answer.json()) as TrialAnswer
        if ('fields' in page) {
          setState({ isRunning: false, fields: page.fields })
          return
        }
        trial = addPage(trial, page)
        setState({ isRunning: true, trial })
      } while (trial.next !== undefined && trial.events.length < MAX_TRIED_EVENTS)
      setState({ isRunning: false, trial })
    } catch {
      if (signal.aborted) return
      setState({ isRunning: false, trial, failure: 'The server could not be reached. Try again.' })
    }
  }

  return {
    state,
    onSubmit: (event: SubmitEvent<HTMLFormElement>): void => {
      if (submitterOf(event)?.value !== 'try') return
      event.preventDefault()
      running.current.abort()
      running.current = new AbortController()
      void run(event.currentTarget, running.current.signal)
    },
  }
}

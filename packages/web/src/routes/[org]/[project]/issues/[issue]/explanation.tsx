/** Asks the organization's language model to explain an event, shows its answer as it comes, and what it cost. */
import './explanation.css'
import type { ModelName } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { useEffect, useRef, useState } from 'react'
import { formatExact } from '../../../../../format/format-count.ts'
import { paths } from '../../../../../paths.ts'
import { CommentText } from './comment-text.tsx'
import type { ExplanationLine } from './explanation-line.ts'

type Ended = Extract<ExplanationLine, { kind: 'end' }>
type State =
  | { readonly is: 'ready' }
  | { readonly is: 'asking'; readonly text: string }
  | { readonly is: 'stopped'; readonly text: string }
  | { readonly is: 'done'; readonly end: Ended }
  | { readonly is: 'failed'; readonly text: string; readonly message: string }

type Props = {
  readonly shortId: string
  readonly eventId: string
  readonly promptUrl: string
  readonly asked: ModelName
}

export default function Explanation({ shortId, eventId, promptUrl, asked }: Props) {
  const { org, project } = useParams<'org' | 'project'>()
  const [state, setState] = useState<State>({ is: 'ready' })
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])

  const ask = async (): Promise<void> => {
    const ending = new AbortController()
    asking.current = ending
    let text = ''
    setState({ is: 'asking', text })
    try {
      const url = paths.issueExplanation(org, project, shortId)
      for await (const line of explanationOf(url, eventId, ending.signal)) {
        if (line.kind === 'end') return setState({ is: 'done', end: line })
        if (line.kind === 'failed') return setState({ is: 'failed', text, message: line.message })
        text += line.text
        setState({ is: 'asking', text })
      }
      setState({ is: 'failed', text, message: CUT_OFF })
    } catch {
      setState(ending.signal.aborted ? { is: 'stopped', text } : { is: 'failed', text, message: CUT_OFF })
    }
  }
  return (
    <div className="explanation">
      <p className="muted">
        Sends the text of this event to {asked.host}: without who the user was, and without headers, cookies,
        query and body of the request.{' '}
        <a className="text-link" href={promptUrl} target="_blank" rel="noopener">
          See what is sent
        </a>
      </p>
      {state.is === 'asking' ? (
        <button type="button" className="button" onClick={() => asking.current?.abort()}>
          Stop
        </button>
      ) : (
        <button type="button" className="button button-primary" onClick={() => void ask()}>
          {state.is === 'ready' ? 'Explain' : 'Explain again'}
        </button>
      )}
      <div aria-live="polite" aria-busy={state.is === 'asking'}>
        <Answer state={state} settings={paths.languageModel(org)} />
      </div>
    </div>
  )
}

const CUT_OFF = 'The connection to Sonde ended before the explanation did.'

function Answer({ state, settings }: { readonly state: State; readonly settings: string }) {
  if (state.is === 'ready') return null
  if (state.is === 'done') {
    return (
      <>
        <CommentText nodes={state.end.nodes} mine={[]} />
        {state.end.isCut && <p className="muted">Cut off: the answer was too long.</p>}
        <p className="muted explanation-cost">
          {costText(state.end)}. Made by a language model: check it before you rely on it.
        </p>
      </>
    )
  }
  return (
    <>
      {state.text !== '' && <p className="explanation-text">{state.text}</p>}
      {state.is === 'asking' && (
        <p className="muted">{state.text === '' ? 'Waiting for the model…' : 'Writing…'}</p>
      )}
      {state.is === 'stopped' && <p className="muted">Stopped. What was asked for so far may be charged.</p>}
      {state.is === 'failed' && (
        <p className="field-error" role="alert">
          {state.message}{' '}
          <Link className="text-link" to={settings} prefetch="none">
            Settings of the language model
          </Link>
        </p>
      )}
    </>
  )
}

function costText({ usage, cost }: Ended): string {
  if (!usage) return 'The server did not say how many tokens it used'
  const tokens = `${formatExact(usage.input)} tokens in, ${formatExact(usage.output)} out`
  if (cost === undefined) return `${tokens}; no prices are set`
  return `${tokens}; cost ${cost.toPrecision(2)} by the prices in the settings`
}

/** Lines of JSON as they come. Ends with the answer; throws when there is none. */
async function* explanationOf(
  url: string,
  eventId: string,
  signal: AbortSignal,
): AsyncGenerator<ExplanationLine> {
  const body = new URLSearchParams({ event: eventId })
  const answer = await fetch(url, { method: 'POST', body, signal })
  if (!answer.ok || !answer.body) throw new Error(`the explanation answered ${answer.status}`)
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let waiting = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (waiting + value).split('\n')
    waiting = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as ExplanationLine
  }
}

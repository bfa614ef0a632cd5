import '../../../../../parts/performance/performance.css'
import '../ai-agents.css'
import { Link, usePageData, useParams } from '@sonde/router'
import { countOf, formatExact } from '../../../../../format/format-count.ts'
import { formatDuration } from '../../../../../format/format-time.ts'
import { paths } from '../../../../../paths.ts'
import { Badge } from '../../../../../ui/badge.tsx'
import { ExactTime } from '../../../../../ui/time.tsx'
import { LongText, UserText } from '../../../../../ui/user-text.tsx'
import type { ShownMessage } from './messages.ts'
import type { load } from './page.server.ts'

export const title = (): string => 'Conversation · AI agents · Sonde'

const KINDS = { agent: 'Agent', tool: 'Tool', model: 'Model', other: 'Step' } as const
/** Shown at once; a system prompt alone may have pages. */
const MAX_SHOWN = 1200

export default function Conversation() {
  const { org, project } = useParams<'org' | 'project'>()
  const { conversation, steps, hasMore } = usePageData<typeof load>()
  const traces = new Set(steps.map(({ trace }) => trace))
  const [first] = steps
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>
          <Link to={paths.aiAgents(org, project)}>AI agents</Link>{' '}
          <span className="muted">
            {conversation === '' ? `run ${first?.trace.slice(0, 8)}` : <UserText text={conversation} />}
          </span>
        </h1>
      </div>
      <p className="muted">
        {countOf(steps.length, 'step')} in {countOf(traces.size, 'trace')}.
        {hasMore && ` Only the first ${steps.length} are shown.`} Shown as stored: the project’s scrubbing
        rules decide what is kept of inputs and outputs.
      </p>
      <ol className="ai-steps">
        {steps.map((step) => (
          <li key={step.spanId} className={`ai-step ai-${step.kind}`}>
            <div className="ai-step-head">
              <Badge>{KINDS[step.kind]}</Badge>
              <h2 className="ai-step-name">
                <UserText text={step.name} />
              </h2>
              {step.isFailed && <Badge tone="bad">{step.status}</Badge>}
              <span className="muted num">{formatDuration(step.durationMs)}</span>
              {step.kind === 'model' && step.inputTokens + step.outputTokens > 0 && (
                <span className="muted num">
                  {formatExact(step.inputTokens)} in, {formatExact(step.outputTokens)} out
                </span>
              )}
              <span className="muted">
                <ExactTime atMs={step.startMs} />
              </span>
              <Link to={paths.trace(org, step.trace, step.spanId)} prefetch="none" className="text-link">
                View in trace<span className="sr-only"> {step.name}</span>
              </Link>
            </div>
            <Messages title={step.kind === 'tool' ? 'Arguments' : 'Input'} messages={step.input} />
            <Messages title={step.kind === 'tool' ? 'Result' : 'Output'} messages={step.output} />
            <Messages title="Tool calls" messages={step.toolCalls} />
          </li>
        ))}
      </ol>
    </div>
  )
}

type MessagesProps = { readonly title: string; readonly messages: readonly ShownMessage[] }

function Messages({ title: what, messages }: MessagesProps) {
  if (messages.length === 0) return null
  return (
    <details className="ai-messages" open={messages.length <= 3}>
      <summary>
        {what}
        {messages.length > 1 && <span className="muted"> {countOf(messages.length, 'message')}</span>}
      </summary>
      {messages.map(({ role, text }, at) => (
        <div key={at} className="ai-message">
          {role !== '' && (
            <span className="muted">
              <UserText text={role} />
            </span>
          )}
          <pre className="ai-text">
            <LongText text={text} max={MAX_SHOWN} />
          </pre>
        </div>
      ))}
    </details>
  )
}

import '../../../../parts/performance/performance.css'
import '../../../../parts/explore/explore.css'
import './ai-agents.css'
import { Link, usePageData, useParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { FilterBar } from '../../../../parts/filter-bar/filter-bar.tsx'
import { paths } from '../../../../paths.ts'
import { Snippet } from '../../../../ui/copy-button.tsx'
import { EmptyState, Section } from '../../../../ui/section.tsx'
import { ConversationTable } from './conversation-table.tsx'
import type { load } from './page.server.ts'
import { UsageTable } from './usage-table.tsx'
import { costText } from './usage-text.ts'

export const title = (): string => 'AI agents · Sonde'

export default function AiAgents() {
  const { org, project } = useParams<'org' | 'project'>()
  const { usage, conversations, choices, isNarrowed, hasPrices, dsn, refusal } = usePageData<typeof load>()
  const models = usage.filter(({ kind }) => kind === 'model')
  const agents = usage.filter(({ kind }) => kind === 'agent')
  const tools = usage.filter(({ kind }) => kind === 'tool')
  const costs = models.flatMap(({ cost }) => (cost === undefined ? [] : [cost]))
  const tokens = models.reduce((sum, row) => sum + row.inputTokens + row.outputTokens, 0)
  return (
    <div className="page page-wide">
      <h1 className="sr-only">AI agents of {project}</h1>
      <FilterBar org={org} project={project} source="spans" choices={choices} />
      {refusal ? (
        <EmptyState title="Too many spans">
          <p>
            {refusal.message}. {refusal.hint}
          </p>
        </EmptyState>
      ) : usage.length === 0 ? (
        <NoAgents isNarrowed={isNarrowed} dsn={dsn} />
      ) : (
        <>
          <p className="muted ai-facts">
            {formatExact(Math.round(tokens))} tokens
            {costs.length > 0 && `, ${costText(costs.reduce((sum, cost) => sum + cost, 0))}`}.{' '}
            {costs.length < models.length &&
              (hasPrices
                ? 'Some models have no cost and no price. '
                : 'No cost was sent with some calls. Enter what your models cost: ')}
            <Link className="text-link" to={paths.aiPrices(org, project)}>
              Prices
            </Link>
          </p>
          {agents.length > 0 && (
            <Section id="agents" title="Agents">
              <UsageTable kind="agent" rows={agents} />
            </Section>
          )}
          {models.length > 0 && (
            <Section id="models" title="Models">
              <UsageTable kind="model" rows={models} />
            </Section>
          )}
          {tools.length > 0 && (
            <Section id="tools" title="Tools">
              <UsageTable kind="tool" rows={tools} />
            </Section>
          )}
          <Section id="conversations" title="Conversations" note="The newest.">
            <ConversationTable rows={conversations} />
          </Section>
        </>
      )}
    </div>
  )
}

function NoAgents({ isNarrowed, dsn }: { readonly isNarrowed: boolean; readonly dsn: string | undefined }) {
  return (
    <EmptyState title="No AI agents yet" docs="ai-agents">
      <p>Agents, models and tools with calls, failures, duration, tokens and cost, from gen_ai spans.</p>
      {isNarrowed && <p>No gen_ai spans for these filters. Try a longer time range.</p>}
      {dsn !== undefined && (
        <>
          <p>Sent by Sentry’s SDKs with an AI integration, or by any OpenTelemetry instrumentation:</p>
          <Snippet
            what="code that sends gen_ai spans"
            code={`import * as Sentry from '@sentry/node'

Sentry.init({
  dsn: '${dsn}',
  tracesSampleRate: 1,
  integrations: [Sentry.openAIIntegration()],
})`}
          />
        </>
      )}
    </EmptyState>
  )
}

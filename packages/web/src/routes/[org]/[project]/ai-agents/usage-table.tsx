import type { AiUsageRow } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { formatCount, formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { usePaths } from '../../../../shell/use-paths.ts'
import { UserText } from '../../../../ui/user-text.tsx'
import { costText } from './usage-text.ts'

type Kind = 'agent' | 'model' | 'tool'
const NAMES = { agent: 'Agent', model: 'Model', tool: 'Tool' } as const
const FIELDS = {
  agent: 'span.op:[gen_ai.invoke_agent, gen_ai.create_agent] gen_ai.agent.name',
  model: 'gen_ai.request.model',
  tool: 'span.op:gen_ai.execute_tool gen_ai.tool.name',
} as const
const TOKENS = [
  ['inputTokens', 'Input'],
  ['cachedTokens', 'Cached'],
  ['outputTokens', 'Output'],
  ['reasoningTokens', 'Reasoning'],
] as const

export function UsageTable({ kind, rows }: { readonly kind: Kind; readonly rows: readonly AiUsageRow[] }) {
  const { org, project } = useParams<'org' | 'project'>()
  const kept = usePaths()
  const hasTokens = kind === 'model'
  return (
    <div className="perf-scroll" role="group" aria-label={`${NAMES[kind]}s`} tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">{NAMES[kind]}</th>
            <th scope="col" className="col-num">
              Calls
            </th>
            <th scope="col" className="col-num">
              Error rate
            </th>
            <th scope="col" className="col-num">
              p50
            </th>
            <th scope="col" className="col-num">
              p95
            </th>
            {hasTokens &&
              TOKENS.map(([field, name]) => (
                <th key={field} scope="col" className="col-num" title={`${name} tokens`}>
                  {name}
                </th>
              ))}
            {hasTokens && (
              <th scope="col" className="col-num">
                Cost
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.name} ${row.provider}`}>
              <th scope="row" className="perf-name">
                {row.name === '' ? (
                  <span className="muted">not named</span>
                ) : (
                  <Link
                    to={kept.explore(org, project, { query: `${FIELDS[kind]}:${quoted(row.name)}` })}
                    prefetch="none"
                  >
                    <UserText text={row.name} />
                  </Link>
                )}{' '}
                {row.provider !== '' && (
                  <span className="perf-op">
                    <UserText text={row.provider} />
                  </span>
                )}
              </th>
              <td className="col-num num">{formatExact(row.calls)}</td>
              <td className={`col-num num ${row.failureRate > 0 ? 'perf-bad' : 'muted'}`}>
                {formatShare(row.failureRate, 1)}
              </td>
              <td className="col-num num">{formatDuration(row.p50Ms)}</td>
              <td className="col-num num">{formatDuration(row.p95Ms)}</td>
              {hasTokens &&
                TOKENS.map(([field]) => (
                  <td key={field} className="col-num num" title={formatExact(Math.round(row[field]))}>
                    {formatCount(Math.round(row[field]))}
                  </td>
                ))}
              {hasTokens && (
                <td className="col-num num">
                  {row.cost === undefined ? (
                    <span className="muted" title="No cost was sent, and no price is entered">
                      unknown
                    </span>
                  ) : (
                    costText(row.cost).replace('cost ', '')
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const quoted = (value: string): string => `"${value.replace(/[\\"*]/g, '\\$&')}"`

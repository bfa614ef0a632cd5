import type { AiConversation } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { countOf, formatCount, formatExact } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { paths } from '../../../../paths.ts'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'

export function ConversationTable({ rows }: { readonly rows: readonly AiConversation[] }) {
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <div className="perf-scroll" role="group" aria-label="Conversations" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Conversation</th>
            <th scope="col">Agent</th>
            <th scope="col" className="col-num">
              Turns
            </th>
            <th scope="col" className="col-num">
              Tool calls
            </th>
            <th scope="col" className="col-num">
              Errors
            </th>
            <th scope="col" className="col-num">
              Tokens
            </th>
            <th scope="col" className="col-num">
              Duration
            </th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.conversation} ${row.trace}`}>
              <th scope="row" className="perf-name">
                <Link
                  to={paths.aiConversation(
                    org,
                    project,
                    row.conversation === '' ? { trace: row.trace } : { id: row.conversation },
                  )}
                >
                  {row.conversation === '' ? (
                    <>Run {row.trace.slice(0, 8)}</>
                  ) : (
                    <UserText text={row.conversation} />
                  )}
                </Link>
              </th>
              <td>
                {row.agent === '' ? <span className="muted">not named</span> : <UserText text={row.agent} />}
              </td>
              <td className="col-num num" title={countOf(row.modelCalls, 'model call')}>
                {formatExact(row.turns)}
              </td>
              <td className="col-num num">{formatExact(row.toolCalls)}</td>
              <td className={`col-num num ${row.failed > 0 ? 'perf-bad' : 'muted'}`}>
                {formatExact(row.failed)}
              </td>
              <td className="col-num num">{formatCount(Math.round(row.inputTokens + row.outputTokens))}</td>
              <td className="col-num num">{formatDuration(row.durationMs)}</td>
              <td>
                <Ago atMs={row.startMs} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

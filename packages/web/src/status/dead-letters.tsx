import type { OperatorDeadLetter } from '@sonde/queries'
import { Form } from '@sonde/router'
import { countOf, formatExact } from '../format/format-count.ts'
import { paths } from '../paths.ts'
import { Section } from '../ui/section.tsx'
import { Ago } from '../ui/time.tsx'
import { UserText } from '../ui/user-text.tsx'

export type DeadLettersProps = {
  readonly dead: readonly (Omit<OperatorDeadLetter, 'projectId' | 'replayedMs'> & {
    readonly project?: string | undefined
    readonly projectId?: number | undefined
    readonly replayedMs?: number | undefined
  })[]
  readonly deadCount: number
  /** How many the last replay gave back and how many it could not, as the address says. */
  readonly replayed: string | null
  readonly failed: string | null
}

/** What could not be digested, with the reason: kept until somebody tries it again. */
export function DeadLetters({ dead, deadCount, replayed, failed }: DeadLettersProps) {
  return (
    <Section
      id="dead"
      title="Dead letters"
      note={deadCount === 0 ? undefined : countOf(deadCount, 'item')}
      actions={
        deadCount > 0 && (
          <Form action={paths.status()}>
            <button type="submit" name="all" value="yes" className="button button-small">
              Replay all
            </button>
          </Form>
        )
      }
    >
      {replayed !== null && (
        <p className="status-note" role="status">
          {replayText(Number(replayed), Number(failed))}
        </p>
      )}
      {dead.length === 0 ? (
        <p className="muted">None: everything that was received could be digested.</p>
      ) : (
        <DeadTable dead={dead} />
      )}
      {deadCount > dead.length && <p className="muted">The newest {dead.length} are shown.</p>}
    </Section>
  )
}

function DeadTable({ dead }: Pick<DeadLettersProps, 'dead'>) {
  return (
    <div className="table-frame">
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">Received</th>
            <th scope="col">Project</th>
            <th scope="col">Item</th>
            <th scope="col">Reason</th>
            <th scope="col">
              <span className="sr-only">Try again</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {dead.map(({ id, createdMs, project, projectId, itemType, reason, detail, replayedMs }) => (
            <tr key={id}>
              <td className="nowrap">
                <Ago atMs={createdMs} />
              </td>
              <td>{project ?? projectId ?? <span className="muted">unknown</span>}</td>
              <td>{itemType}</td>
              <td className="dead-reason">
                <code>{reason}</code> <UserText text={detail} className="muted" />
              </td>
              <td className="col-end">
                {replayedMs === undefined ? (
                  <Form action={paths.status()}>
                    <button
                      type="submit"
                      name="id"
                      value={id}
                      className="button button-small"
                      aria-label={`Replay dead letter ${id}`}
                    >
                      Replay
                    </button>
                  </Form>
                ) : (
                  <span className="muted">
                    replayed <Ago atMs={replayedMs} />
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function replayText(replayed: number, failed: number): string {
  if (!Number.isSafeInteger(replayed)) return ''
  const given = `${formatExact(replayed)} ${replayed === 1 ? 'was' : 'were'} given to the pipeline again`
  return failed > 0 ? `${given}; of ${formatExact(failed)} the bytes are gone.` : `${given}.`
}

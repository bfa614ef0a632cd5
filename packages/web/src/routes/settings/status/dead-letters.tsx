import { Form, Link } from '@sonde/router'
import { countOf, formatExact } from '../../../format/format-count.ts'
import { bytesText } from '../../../parts/figures/figures-text.ts'
import { paths } from '../../../paths.ts'
import type { OperatorDeadLetter } from '../../../server/operator-status.ts'
import { Section, TableFrame } from '../../../ui/section.tsx'
import { Ago } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'

type ShownDeadLetter = Omit<OperatorDeadLetter, 'projectId' | 'replayedMs' | 'discardedMs'> & {
  readonly project?: string | undefined
  readonly projectId?: number | undefined
  readonly replayedMs?: number | undefined
  readonly discardedMs?: number | undefined
}

type DeadLettersProps = {
  readonly dead: readonly ShownDeadLetter[]
  readonly deadCount: number
  /** What the last decision did, as the address says it. */
  readonly result: DeadResult | undefined
}

export type DeadResult = { readonly change: string; readonly done: number; readonly failed: number }

/** What could not be digested, with the reason: kept until somebody tries it again or gives it up. */
export function DeadLetters({ dead, deadCount, result }: DeadLettersProps) {
  return (
    <Section
      id="dead"
      title="Dead letters"
      note={deadCount === 0 ? undefined : countOf(deadCount, 'item')}
      actions={
        deadCount > 0 && (
          <Form action={paths.status()} className="dead-buttons">
            <input type="hidden" name="all" value="yes" />
            <DeadButton change="replay" text="Replay all" />
            <details className="confirm">
              <summary className="button button-small">Discard all</summary>
              <DeadButton change="discard" text={`Permanently delete ${countOf(deadCount, 'item')}`} />
            </details>
          </Form>
        )
      }
    >
      {result && (
        <p className="status-note" role="status">
          {resultText(result)}
        </p>
      )}
      {dead.length === 0 ? (
        <p className="muted">None. Everything received was processed.</p>
      ) : (
        <DeadTable dead={dead} />
      )}
      {deadCount > dead.length && <p className="muted">Showing the newest {dead.length}.</p>}
    </Section>
  )
}

function DeadTable({ dead }: Pick<DeadLettersProps, 'dead'>) {
  return (
    <TableFrame label="Dead letters, newest first">
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">Received</th>
            <th scope="col">Project</th>
            <th scope="col">Item</th>
            <th scope="col">SDK</th>
            <th scope="col">Reason</th>
            <th scope="col" className="col-end">
              Size
            </th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {dead.map((letter) => (
            <DeadRow key={letter.id} letter={letter} />
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

function DeadRow({ letter }: { readonly letter: ShownDeadLetter }) {
  const { id, createdMs, project, projectId, itemType, sdk, reason, detail, bytes } = letter
  return (
    <tr>
      <td className="nowrap">
        <Link to={paths.deadLetter(id)}>
          <Ago atMs={createdMs} />
          <span className="sr-only">, view dead letter {id}</span>
        </Link>
      </td>
      <td>{project ?? projectId ?? <span className="muted">unknown</span>}</td>
      <td>
        <UserText text={itemType} />
      </td>
      <td>{sdk === '' ? <span className="muted">unknown</span> : <UserText text={sdk} />}</td>
      <td className="dead-reason">
        <code>{reason}</code> <UserText text={detail} className="muted" />
      </td>
      <td className="col-end">{bytes === 0 ? <span className="muted">–</span> : bytesText(bytes)}</td>
      <td className="col-end">
        <DeadActions letter={letter} />
      </td>
    </tr>
  )
}

function resultText({ change, done, failed }: DeadResult): string {
  const were = `${formatExact(done)} ${done === 1 ? 'was' : 'were'}`
  const did = change === 'discard' ? `${were} deleted.` : `${were} requeued. Failures will reappear here.`
  return failed > 0 ? `${did} ${formatExact(failed)} failed: their content is gone.` : did
}

/** What can be done about one dead letter; nothing once it was discarded. */
type Letter = {
  readonly id: number
  readonly replayedMs?: number | undefined
  readonly discardedMs?: number | undefined
}

export function DeadActions({ letter: { id, replayedMs, discardedMs } }: { readonly letter: Letter }) {
  if (discardedMs !== undefined)
    return (
      <span className="muted">
        discarded <Ago atMs={discardedMs} />
      </span>
    )
  if (replayedMs !== undefined)
    return (
      <span className="muted">
        replayed <Ago atMs={replayedMs} />
      </span>
    )
  return (
    <Form action={paths.status()} className="dead-buttons">
      <input type="hidden" name="id" value={id} />
      <DeadButton change="replay" text="Replay" label={`Replay dead letter ${id}`} />
      <DeadButton change="discard" text="Discard" label={`Discard dead letter ${id}`} />
    </Form>
  )
}

type ButtonProps = { readonly change: 'replay' | 'discard'; readonly text: string; readonly label?: string }

function DeadButton({ change, text, label }: ButtonProps) {
  return (
    <button
      type="submit"
      name="change"
      value={change}
      className="button button-small"
      {...(label !== undefined && { 'aria-label': label })}
    >
      {text}
    </button>
  )
}

/** One dead letter: why it is one, who sent it, and what is in it. */
import { formatExact } from '../../../../../format/format-count.ts'
import { bytesText } from '../../../../../parts/figures/figures-text.ts'
import type { OperatorDeadContent } from '../../../../../server/operator-status.ts'
import { CopyButton } from '../../../../../ui/copy-button.tsx'
import { Section, TableFrame } from '../../../../../ui/section.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { DeadActions } from '../../dead-letters.tsx'

type Optional = 'projectId' | 'replayedMs' | 'discardedMs' | 'receivedMs' | 'eventId'
type Letter = Omit<OperatorDeadContent, Optional> & {
  readonly [name in Optional]?: OperatorDeadContent[name] | undefined
}
type Props = { readonly letter: Letter; readonly project?: string | undefined }

export function DeadContent({ letter, project }: Props) {
  const {
    createdMs,
    receivedMs,
    eventId,
    projectId,
    itemType,
    itemIndex,
    sdk,
    bytes,
    logPartition,
    logPosition,
  } = letter
  return (
    <>
      <Section id="why" title="Error" actions={<DeadActions letter={letter} />}>
        <p className="dead-reason">
          <code>{letter.reason}</code> <UserText text={letter.detail} />
        </p>
        <p className="muted">{ADVICE[letter.reason] ?? ADVICE['digest_error']}</p>
      </Section>
      <Section id="sender" title="Details">
        <dl className="dead-facts">
          <Fact name="Received">
            <Ago atMs={receivedMs ?? createdMs} />
          </Fact>
          <Fact name="Project">{project ?? projectId ?? 'unknown'}</Fact>
          <Fact name="Item">
            <UserText text={itemIndex < 0 ? 'entire envelope' : `${itemType}, item ${itemIndex + 1}`} />
          </Fact>
          <Fact name="SDK">
            <UserText text={sdk === '' ? 'unknown' : sdk} />
          </Fact>
          <Fact name="Event">{eventId === undefined ? 'none' : <code>{eventId}</code>}</Fact>
          <Fact name="Size">{bytes === 0 ? 'unknown' : bytesText(bytes)}</Fact>
          <Fact name="Log position">
            {formatExact(logPosition)}
            {logPartition > 0 && ` of partition ${logPartition}`}
          </Fact>
        </dl>
      </Section>
      {letter.items.length > 0 && <Items items={letter.items} itemIndex={itemIndex} />}
      <Content letter={letter} />
    </>
  )
}

/** By reason: what usually helps. */
const ADVICE: Readonly<Record<string, string>> = {
  record_unreadable:
    'The log record is corrupt. Check the disk. Replaying only helps if a newer version of Sonde wrote the record.',
  envelope_unreadable: 'Not a valid envelope. Replaying won’t help until Sonde supports this format.',
  digest_error: 'A bug in Sonde. Report it, then replay after updating.',
  digest_timeout: 'Processing timed out. Replay it if the machine was busy; otherwise report a bug.',
  digest_crash:
    'The worker crashed, possibly out of memory. Replay it once; if it fails again, report a bug.',
  store_refused: 'The database rejected a value. Report it, then replay after updating.',
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Items({ items, itemIndex }: Pick<Letter, 'items' | 'itemIndex'>) {
  return (
    <Section id="items" title="Items in this envelope">
      <TableFrame label="Items in this envelope">
        <table className="status-table">
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">Type</th>
              <th scope="col" className="col-end">
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ index, type, bytes }) => (
              <tr key={index}>
                <td>{index + 1}</td>
                <td>
                  <UserText text={type} />
                  {index === itemIndex && <span className="muted"> (this one)</span>}
                </td>
                <td className="col-end">{bytesText(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </Section>
  )
}

function Content({ letter: { text, isKept, isCut } }: Pick<Props, 'letter'>) {
  return (
    <Section
      id="content"
      title="Content"
      note={isCut ? 'first 64 kB' : undefined}
      actions={isKept && <CopyButton text={() => text} what="the content" />}
    >
      {isKept ? (
        <pre className="json" tabIndex={0} aria-label="Content of the dead letter">
          <code>{text === '' ? '(empty)' : text}</code>
        </pre>
      ) : (
        <p className="muted">Content discarded.</p>
      )}
    </Section>
  )
}

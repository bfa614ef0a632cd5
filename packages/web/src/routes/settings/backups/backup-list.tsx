import { Form } from '@sonde/router'
import { countOf, formatExact } from '../../../format/format-count.ts'
import { formatDuration } from '../../../format/format-time.ts'
import { bytesText } from '../../../parts/figures/figures-text.ts'
import { paths } from '../../../paths.ts'
import type { OperatorBackup, OperatorBackups } from '../../../server/operator-backups.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Section, TableFrame } from '../../../ui/section.tsx'
import { Age, Ago, ExactTime } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'

/** What lies in the place, the newest first; and what the rules would delete. */
export function BackupList({ backups }: { readonly backups: OperatorBackups }) {
  const { backups: list, trouble, unkept, running } = backups
  const isIdle = running === undefined
  return (
    <Section
      id="backups"
      title="Stored backups"
      note={list.length === 0 ? undefined : countOf(list.length, 'backup')}
      actions={isIdle && unkept.ids.length > 0 && <PruneNow unkept={unkept} />}
    >
      {trouble !== '' && (
        <p className="backup-alert" role="alert">
          They cannot be listed: <UserText text={trouble} />
        </p>
      )}
      {trouble === '' && list.length === 0 && (
        <p>None yet. “Back up now” makes the first one; a schedule below makes them regularly.</p>
      )}
      {list.length > 0 && <BackupTable list={list} unkept={unkept.ids} isIdle={isIdle} />}
    </Section>
  )
}

function PruneNow({ unkept }: Pick<OperatorBackups, 'unkept'>) {
  return (
    <Form action={paths.backups()}>
      <input type="hidden" name="form" value="prune" />
      <details className="confirm">
        <summary className="button button-small">Prune now</summary>
        <button type="submit" className="button button-small">
          Delete {countOf(unkept.ids.length, 'backup')}, free {bytesText(unkept.bytes)}
        </button>
      </details>
    </Form>
  )
}

type TableProps = {
  readonly list: readonly OperatorBackup[]
  readonly unkept: readonly string[]
  readonly isIdle: boolean
}

function BackupTable({ list, unkept, isIdle }: TableProps) {
  return (
    <TableFrame label="Stored backups, newest first">
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">Made</th>
            <th scope="col">Age</th>
            <th scope="col">Encrypted for</th>
            <th scope="col">Verified</th>
            <th scope="col" className="num col-end">
              Data
            </th>
            <th scope="col" className="num col-end" title="Compressed, shared with other backups or not">
              Stored
            </th>
            <th scope="col" className="num col-end" title="What no earlier backup had">
              Newly written
            </th>
            <th scope="col" className="num col-end">
              Rows
            </th>
            <th scope="col" className="num col-end">
              Took
            </th>
            <th
              scope="col"
              className="num col-end"
              title="How long nothing was written to the stores; what arrived went to the log"
            >
              Pause
            </th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map((backup) => (
            <BackupRow key={backup.id} backup={backup} isKept={!unkept.includes(backup.id)} isIdle={isIdle} />
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

type RowProps = { readonly backup: OperatorBackup; readonly isKept: boolean; readonly isIdle: boolean }

function BackupRow({ backup, isKept, isIdle }: RowProps) {
  const { id, isReadable, createdMs, version, bytes, storedBytes, newBytes, rows, tookMs, pausedMs } = backup
  if (!isReadable)
    return (
      <tr>
        <th scope="row">
          <UserText text={id} />
        </th>
        <td colSpan={10}>
          It cannot be read: it is damaged, or of a later version of Sonde.{' '}
          <code>sonde backup prune --delete {id}</code> removes it.
        </td>
      </tr>
    )
  return (
    <tr>
      <th scope="row" className="nowrap" title={`${id}, of Sonde ${version}`}>
        <ExactTime atMs={createdMs} />
        {!isKept && (
          <>
            {' '}
            <Badge tone="attention" title="No rule of the retention keeps it: the next prune deletes it">
              not kept
            </Badge>
          </>
        )}
      </th>
      <td className="nowrap">
        <Age atMs={createdMs} />
      </td>
      <td className="nowrap">
        <Recipients recipients={backup.recipients} />
      </td>
      <td className="nowrap">
        <Verified verified={backup.verified} />
      </td>
      <td className="num col-end">{bytesText(bytes)}</td>
      <td className="num col-end">{bytesText(storedBytes)}</td>
      <td className="num col-end">{bytesText(newBytes)}</td>
      <td className="num col-end">{formatExact(rows)}</td>
      <td className="num col-end">{formatDuration(tookMs)}</td>
      <td className="num col-end">{formatDuration(pausedMs)}</td>
      <td className="col-end">
        {isIdle && (
          <Form action={paths.backups()}>
            <input type="hidden" name="form" value="verify" />
            <input type="hidden" name="id" value={id} />
            <button type="submit" className="button button-small" aria-label={`Verify ${id}`}>
              Verify
            </button>
          </Form>
        )}
      </td>
    </tr>
  )
}

function Recipients({ recipients }: Pick<OperatorBackup, 'recipients'>) {
  const [first] = recipients
  if (first === undefined) return <span className="muted">nobody</span>
  const more = recipients.length > 1 ? ` and ${recipients.length - 1} more` : ''
  return (
    <span title={recipients.join('\n')}>
      <code>{first.length > 14 ? `${first.slice(0, 12)}…` : first}</code>
      {more}
    </span>
  )
}

function Verified({ verified }: Pick<OperatorBackup, 'verified'>) {
  if (!verified) return <span className="muted">not yet</span>
  if (!verified.isGood) return <Badge tone="bad">damaged</Badge>
  return <Ago atMs={verified.atMs} />
}

import '../../../parts/figures/status.css'
import '../../../parts/forms/settings.css'
import { Form, Link, usePageData } from '@sonde/router'
import { bytesText } from '../../../parts/figures/figures-text.ts'
import { SavedNotice } from '../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../paths.ts'
import type { OperatorBackups } from '../../../server/operator-backups.ts'
import { useRefresh } from '../../../shell/use-refresh.ts'
import { Badge } from '../../../ui/badge.tsx'
import { EmptyState } from '../../../ui/section.tsx'
import { Ago, ExactTime } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import { BackupList } from './backup-list.tsx'
import type { load } from './page.server.ts'
import { RetentionForm, ScheduleForm } from './plan-forms.tsx'
import { RunList } from './run-list.tsx'
import { SetUp } from './set-up.tsx'

const REFRESH_MS = 2_000

export function title() {
  return 'Backups · Sonde'
}

export default function Backups() {
  const { backups } = usePageData<typeof load>()
  useRefresh(backups?.running ? REFRESH_MS : undefined)
  return (
    <div className="page status-page">
      <div className="page-head">
        <h1>Backups</h1>
        {backups && backups.place.kind !== 'servers' && <State backups={backups} />}
      </div>
      <SavedNotice />
      {!backups || backups.place.kind === 'servers' ? (
        <EmptyState title="Your data is on servers">
          <p>
            PostgreSQL, ClickHouse, the object store and NATS have backups of their own.
            <a className="text-link" href={paths.docs('operate/backup#with-data-on-servers')}>
              The documentation
            </a>{' '}
            says with which commands, and in which order.
          </p>
        </EmptyState>
      ) : (
        <Content backups={backups} />
      )}
    </div>
  )
}

function Content({ backups }: { readonly backups: OperatorBackups }) {
  const { place, plan, running, runs, warnAfterMs } = backups
  return (
    <>
      {place.kind === 'set' ? (
        <>
          {running ? <Running running={running} /> : <BackUpNow />}
          <BackupList backups={backups} />
        </>
      ) : (
        <SetUp place={place} />
      )}
      <ScheduleForm plan={plan} warnAfterMs={warnAfterMs} />
      <RetentionForm plan={plan} />
      <RunList runs={runs} />
    </>
  )
}

/** First of all: is there a backup, how old is it, and when is the next. */
function State({ backups }: { readonly backups: OperatorBackups }) {
  const { place, last, nextMs, isWell, detail, plan } = backups
  const tone = isWell ? (last ? 'good' : 'neutral') : 'bad'
  const word = isWell ? (last ? 'healthy' : 'no backup') : 'needs attention'
  return (
    <>
      <p className="status-line">
        <Badge tone={tone}>{word}</Badge>
        <span>
          {last ? (
            <>
              Last backup <Ago atMs={last.createdMs} />: {bytesText(last.bytes)},{' '}
              {last.recipients.length > 0 ? 'encrypted' : 'not encrypted'}
            </>
          ) : (
            'No backup yet'
          )}
          {place.kind === 'set' && (
            <>
              , in <UserText text={place.name} />
            </>
          )}
          .{' '}
          {nextMs === undefined ? (
            plan.schedule === 'off' && 'No schedule.'
          ) : (
            <>
              Next one <ExactTime atMs={nextMs} />.
            </>
          )}
        </span>
      </p>
      {!isWell && (
        <p className="backup-alert" role="alert">
          <UserText text={`${detail.charAt(0).toUpperCase()}${detail.slice(1)}`} />
        </p>
      )}
      <p className="muted">
        See also{' '}
        <Link className="text-link" to={paths.status()}>
          System status
        </Link>{' '}
        and{' '}
        <Link className="text-link" to={paths.storage()}>
          Storage
        </Link>
        .
      </p>
    </>
  )
}

const RUNNING = {
  create: 'A backup is being made',
  verify: 'A backup is being verified: it is restored into a temporary folder',
  prune: 'Backups are being deleted',
} as const

function Running({ running }: { readonly running: NonNullable<OperatorBackups['running']> }) {
  const { kind, startedMs, bytes, ofBytes } = running
  return (
    <div className="status-note" role="status">
      <p>
        {RUNNING[kind]}, started <Ago atMs={startedMs} />.
        {bytes !== undefined && ofBytes !== undefined && ` ${bytesText(bytes)} of ${bytesText(ofBytes)}.`}
      </p>
      {bytes !== undefined && ofBytes !== undefined && (
        <progress className="backup-progress" value={bytes} max={Math.max(1, ofBytes)} aria-label="Copied" />
      )}
    </div>
  )
}

function BackUpNow() {
  return (
    <Form action={paths.backups()} className="backup-now">
      <input type="hidden" name="form" value="create" />
      <button type="submit" className="button button-primary">
        Back up now
      </button>
    </Form>
  )
}

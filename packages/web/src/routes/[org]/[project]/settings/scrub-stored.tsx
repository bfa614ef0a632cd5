import type { RecentReprocessing } from '@sonde/queries'
import { Form } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { Ago } from '../../../../ui/time.tsx'

type ScrubStoredProps = {
  /** The last one; undefined: the rules were never applied to what is stored. */
  readonly run: RecentReprocessing | undefined
  readonly mayWrite: boolean
}

/** Rules apply to what comes; this applies the saved ones to events that are stored. */
export function ScrubStored({ run, mayWrite }: ScrubStoredProps) {
  const isRunning = run !== undefined && run.finishedMs === undefined
  return (
    <>
      {run && (
        <p className="muted">
          {run.finishedMs === undefined ? (
            <>
              Stored events are being scrubbed since <Ago atMs={run.requestedMs} />:{' '}
            </>
          ) : (
            <>
              Applied to stored events <Ago atMs={run.finishedMs} />:{' '}
            </>
          )}
          {formatExact(run.changed)} changed of {formatExact(run.seen)} looked at
          {run.total !== undefined && isRunning && ` (of ${formatExact(run.total)})`}.
          {run.trouble !== '' && ` Trying again: ${run.trouble}`}
        </p>
      )}
      {mayWrite && !isRunning && (
        <Form className="settings-form">
          <input type="hidden" name="form" value="scrub-stored" />
          <p>
            Saved rules apply to new events. Apply them to stored events too: what is removed cannot be
            brought back. Issues and event counts stay.
          </p>
          <button type="submit" className="button">
            Apply to stored events
          </button>
        </Form>
      )}
    </>
  )
}

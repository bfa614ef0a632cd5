import type { RecentReprocessing, ScrubTrial } from '@sonde/queries'
import { Form, useActionData } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { Ago } from '../../../../ui/time.tsx'
import type { Refused } from './change-project.server.ts'

type ScrubStoredProps = {
  /** The last one; undefined: the rules were never applied to what is stored. */
  readonly run: RecentReprocessing | undefined
  readonly mayWrite: boolean
}

/** Rules apply to what comes; this tries the saved ones on what is stored, and applies them. */
export function ScrubStored({ run, mayWrite }: ScrubStoredProps) {
  const trial = useActionData<() => Promise<Refused>>()?.stored
  const isRunning = run !== undefined && run.finishedMs === undefined
  return (
    <>
      {run && (
        <p className="muted">
          {run.finishedMs === undefined ? (
            <>
              Stored data is being scrubbed since <Ago atMs={run.requestedMs} />:{' '}
            </>
          ) : (
            <>
              Applied to stored data <Ago atMs={run.finishedMs} />:{' '}
            </>
          )}
          {formatExact(run.changed)} of {formatExact(run.seen)} rows changed
          {run.total !== undefined && isRunning && `, ${formatExact(run.total)} in all`}.
          {run.trouble !== '' && ` Trying again: ${run.trouble}`}
        </p>
      )}
      {mayWrite && !isRunning && (
        <Form className="settings-form">
          <input type="hidden" name="form" value="scrub-stored" />
          <p>
            Saved rules apply to new data. Apply them to stored events, spans, logs, metrics, vitals,
            navigations, profiles and replays too: what is removed cannot be brought back. Issues and event
            counts stay.
          </p>
          <div className="settings-line">
            <button type="submit" className="button" name="does" value="preview">
              Preview
            </button>
            <button type="submit" className="button" name="does" value="apply">
              Apply to stored data
            </button>
          </div>
          <div role="status">{trial && <Trial trial={trial} />}</div>
        </Form>
      )}
    </>
  )
}

/** Names of the tables, as the menu calls what is in them. */
const KIND_NAMES: Readonly<Record<string, string>> = {
  tabs: 'open tabs',
  profile_functions: 'functions of profiles',
  replays: 'parts of session replays',
}

function Trial({ trial: { kinds, isCut } }: { readonly trial: ScrubTrial }) {
  if (kinds.length === 0)
    return <p>{isCut ? 'Nothing could be read in time. Try again.' : 'Nothing is stored.'}</p>
  return (
    <>
      <ul className="scrub-removed">
        {kinds.map(({ kind, total, looked, changed, examples }) => (
          <li key={kind}>
            {formatExact(changed)} of{' '}
            {looked < total
              ? `the newest ${formatExact(looked)} (of ${formatExact(total)})`
              : formatExact(total)}{' '}
            {KIND_NAMES[kind] ?? kind} would change
            {examples.length > 0 && (
              <ul className="scrub-removed">
                {examples.map(({ path, rule, before, after }) => (
                  <li key={path}>
                    <code>{path}</code> <span className="muted">by {rule}:</span> <code>{before}</code> →{' '}
                    {after === '' ? <span className="muted">removed</span> : <code>{after}</code>}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      {isCut && <p className="muted">Not all kinds could be read in ten seconds.</p>}
    </>
  )
}

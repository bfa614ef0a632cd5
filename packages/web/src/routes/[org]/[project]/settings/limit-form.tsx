import { Form } from '@sonde/router'
import { LimitFields } from './limit-fields.tsx'
import { limitText, type ShownLimit } from './limit-text.ts'
import type { ShownSpikes } from '../../../../server/app-context.server.ts'
import { isAnySpike, newcomersText, spikesText } from './spike-text.ts'
import { RefusedNote, type Refusals } from './refused-note.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'

export type LimitFormProps = {
  readonly limit: ShownLimit | undefined
  /** What holds without one. */
  readonly spikes: ShownSpikes
  /** Over whichever of the two holds. */
  readonly refusals: Refusals
  readonly newcomers: { readonly issues: Refusals; readonly releases: Refusals }
  readonly mayWrite: boolean
}

/** Of all keys together. What is over it is refused at the door, and the SDKs are told how long to wait. */
export function LimitForm({ limit, spikes, refusals, newcomers, mayWrite }: LimitFormProps) {
  const state = useFormState('rate-limit')
  return (
    <>
      <p>
        {limit === undefined ? (
          spikesText(spikes)
        ) : (
          <>
            At most <strong>{limitText(limit)}</strong> are taken, counted for errors, transactions and every
            other kind of data on its own.
          </>
        )}{' '}
        What is over a limit is refused and counted; SDKs are told how long to hold back. Keys can have limits
        of their own below this one.
      </p>
      <RefusedNote refusals={refusals} noun="item" badge="over the limit">
        {refusals.quantity === 1 ? 'was' : 'were'} over it
      </RefusedNote>
      {newcomersText(spikes) !== undefined && <p className="refused-note">{newcomersText(spikes)}</p>}
      <RefusedNote refusals={newcomers.issues} noun="event" badge="too many new issues">
        {newcomers.issues.quantity === 1 ? 'was' : 'were'} not stored: too many new issues
      </RefusedNote>
      <RefusedNote refusals={newcomers.releases} noun="release" badge="too many new releases">
        {newcomers.releases.quantity === 1 ? 'was' : 'were'} not listed at once: too many new ones
      </RefusedNote>
      <Form className="settings-form" key={`${limit?.count} ${limit?.windowSec}`}>
        <fieldset className="settings-fields" disabled={!mayWrite}>
          <legend className="sr-only">Rate limit of the project</legend>
          <input type="hidden" name="form" value="rate-limit" />
          <LimitFields
            idPrefix="project-limit"
            limit={limit}
            state={state}
            hint={`Empty: ${isAnySpike(spikes) ? 'spikes are held back' : 'no limit'}. 0 refuses everything.`}
          />
          {mayWrite && (
            <button type="submit" className="button button-primary">
              Save limit
            </button>
          )}
        </fieldset>
      </Form>
    </>
  )
}

import { Form } from '@sonde/router'
import { formatBytes, formatExact } from '../../../../format/format-count.ts'
import { type FormState, useFormState } from '../../../../parts/forms/use-form-state.ts'
import type { ShownSpikes } from '../../../../server/app-context.server.ts'
import { Field } from '../../../../ui/field.tsx'
import { LIMIT_WINDOWS, limitText, type ShownLimit } from './limit-text.ts'
import { type Refusals, RefusedNote } from './refused-note.tsx'

/** What holds spikes back in projects that nobody set a limit for, in sentences. */
export const isAnySpike = ({ events, spans, bytes }: ShownSpikes): boolean =>
  [events, spans, bytes].some((limit) => limit !== undefined)

export function spikesText(spikes: ShownSpikes): string {
  if (!isAnySpike(spikes)) return 'No limit.'
  const { events, spans, bytes, hourTimes } = spikes
  const parts = [
    events === undefined ? undefined : `${formatExact(events)} errors, and as many of each other data type`,
    spans === undefined ? undefined : `${formatExact(spans)} spans`,
    bytes === undefined ? undefined : `${formatBytes(bytes)} of each data type`,
  ].filter((part) => part !== undefined)
  const list = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts.join('')
  return (
    `No limit is set, so only spike protection applies: at most ${list} per minute, and ` +
    `${hourTimes} times as much per hour. A rate limit replaces spike protection.`
  )
}

/** Undefined: any number. Whatever the limits, these hold: each new issue is a row that a person looks at. */
export function newcomersText({ issues, releases, hourTimes }: ShownSpikes): string | undefined {
  const parts = [
    issues === undefined ? undefined : `${formatExact(issues)} new issues`,
    releases === undefined ? undefined : `${formatExact(releases)} new releases`,
  ].filter((part) => part !== undefined)
  if (parts.length === 0) return undefined
  return (
    `At most ${parts.join(' and ')} per minute, and ${hourTimes} times as many per hour.` +
    (issues === undefined
      ? ''
      : ' Events of existing issues are still stored; events that would create more issues are counted and dropped.') +
    (releases === undefined ? '' : ' Events of further releases are stored; the releases are listed later.')
  )
}

type LimitFormProps = {
  readonly limit: ShownLimit | undefined
  /** What holds without one. */
  readonly spikes: ShownSpikes
  /** Over whichever of the two holds. */
  readonly refusals: Refusals
  readonly newcomers: { readonly issues: Refusals; readonly releases: Refusals }
  readonly mayWrite: boolean
}

/** Applies to all keys combined. What is over it is refused at the door, and the SDKs are told how long to wait. */
export function LimitForm({ limit, spikes, refusals, newcomers, mayWrite }: LimitFormProps) {
  const state = useFormState('rate-limit')
  return (
    <>
      <p>
        {limit === undefined ? (
          spikesText(spikes)
        ) : (
          <>
            Limited to <strong>{limitText(limit)}</strong>, applied separately to errors, transactions and
            each other data type.
          </>
        )}{' '}
        Excess data is rejected and counted; SDKs back off. Individual keys can have lower limits.
      </p>
      <RefusedNote refusals={refusals} noun="item" badge="over the limit">
        {refusals.quantity === 1 ? 'was' : 'were'} rejected
      </RefusedNote>
      {newcomersText(spikes) !== undefined && <p className="refused-note">{newcomersText(spikes)}</p>}
      <RefusedNote refusals={newcomers.issues} noun="event" badge="too many new issues">
        {newcomers.issues.quantity === 1 ? 'was' : 'were'} dropped because of too many new issues
      </RefusedNote>
      <RefusedNote refusals={newcomers.releases} noun="release" badge="too many new releases">
        {newcomers.releases.quantity === 1 ? 'was' : 'were'} not listed at first because of too many new
        releases
      </RefusedNote>
      <Form className="settings-form" key={`${limit?.count} ${limit?.windowSec}`}>
        <fieldset className="settings-fields" disabled={!mayWrite}>
          <legend className="sr-only">Project rate limit</legend>
          <input type="hidden" name="form" value="rate-limit" />
          <LimitFields
            idPrefix="project-limit"
            limit={limit}
            state={state}
            hint={`Leave empty for ${isAnySpike(spikes) ? 'spike protection only' : 'no limit'}. 0 rejects everything.`}
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

const DEFAULT_WINDOW_SEC = 60

type LimitFieldsProps = {
  /** Of several such forms on a page, each has its own ids. */
  readonly idPrefix: string
  readonly limit: ShownLimit | undefined
  readonly state: Pick<FormState, 'errorOf' | 'valueOf'>
  readonly hint?: string
}

/** How many, within which time. */
export function LimitFields({
  idPrefix,
  limit,
  state: { errorOf, valueOf },
  hint = 'Leave empty for no limit. 0 rejects everything.',
}: LimitFieldsProps) {
  const windowSec = limit?.windowSec ?? DEFAULT_WINDOW_SEC
  return (
    <div className="field-pair">
      <Field
        id={`${idPrefix}-count`}
        name="count"
        label="Max events"
        inputMode="numeric"
        autoComplete="off"
        hint={hint}
        defaultValue={valueOf('count', limit === undefined ? '' : String(limit.count))}
        error={errorOf('rateLimit')}
      />
      <div className="field">
        <label htmlFor={`${idPrefix}-window`}>Per</label>
        <select
          id={`${idPrefix}-window`}
          name="windowSec"
          className="input"
          defaultValue={valueOf('windowSec', String(windowSec))}
        >
          {!LIMIT_WINDOWS.some(([sec]) => sec === windowSec) && (
            <option value={windowSec}>{windowSec} seconds</option>
          )}
          {LIMIT_WINDOWS.map(([sec, name]) => (
            <option key={sec} value={sec}>
              {name}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

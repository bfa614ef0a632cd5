import { Form } from '@sonde/router'
import { formatExact, formatShare } from '../../../../format/format-count.ts'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { SplitBar } from '../../../../parts/split-bar.tsx'
import { Badge } from '../../../../ui/badge.tsx'
import { Count } from '../../../../ui/count.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Sparkline } from '../../../../ui/sparkline.tsx'
import { ExactTime } from '../../../../ui/time.tsx'
import { type Refusals, RefusedNote } from './refused-note.tsx'

export type CapsFormProps = {
  readonly usage: ShownUsage
  /** How many a minute a project without its own cap may send; undefined: any number. */
  readonly spikeSpans: number | undefined
  readonly refusals: Refusals
  readonly mayWrite: boolean
}

/** How many spans may be stored. Beyond, transactions and spans are refused at the door; errors go on. */
export function CapsForm({ usage, spikeSpans, refusals, mayWrite }: CapsFormProps) {
  const { errorOf, valueOf } = useFormState('span-caps')
  const { cap, perMinute } = usage
  return (
    <>
      <CapUse usage={usage} />
      <RefusedNote refusals={refusals} noun="item" badge="over quota">
        {refusals.quantity === 1 ? 'was' : 'were'} rejected
      </RefusedNote>
      <Form className="settings-form" key={`${cap?.count} ${cap?.period} ${perMinute}`}>
        <fieldset className="settings-fields" disabled={!mayWrite}>
          <legend className="sr-only">Span quotas</legend>
          <input type="hidden" name="form" value="span-caps" />
          <div className="field-pair">
            <Field
              id="cap-count"
              name="capCount"
              label="Span quota"
              inputMode="numeric"
              autoComplete="off"
              hint="Leave empty for no quota. Counts stored spans, after sampling."
              defaultValue={valueOf('capCount', cap === undefined ? '' : formatExact(cap.count))}
              error={errorOf('cap')}
            />
            <div className="field">
              <label htmlFor="cap-period">Per</label>
              <select
                id="cap-period"
                name="capPeriod"
                className="input"
                defaultValue={valueOf('capPeriod', cap?.period ?? 'month')}
              >
                <option value="month">month</option>
                <option value="day">day</option>
              </select>
            </div>
          </div>
          <Field
            id="cap-minute"
            name="perMinute"
            label="Burst limit (spans/min)"
            inputMode="numeric"
            autoComplete="off"
            hint={`Protects against spikes such as loops, crawlers and bad releases. Applied before sampling. ${
              spikeSpans === undefined
                ? 'Leave empty for no limit.'
                : `Leave empty for the default of ${formatExact(spikeSpans)}.`
            }`}
            defaultValue={valueOf('perMinute', perMinute === undefined ? '' : formatExact(perMinute))}
            error={errorOf('perMinute')}
          />
          {mayWrite && (
            <button type="submit" className="button button-primary">
              Save quotas
            </button>
          )}
        </fieldset>
      </Form>
    </>
  )
}

type ShownUsage = {
  readonly cap?: { readonly count: number; readonly period: 'day' | 'month' } | undefined
  readonly perMinute?: number | undefined
  readonly window: { readonly fromMs: number; readonly toMs: number }
  readonly used: number
  readonly expected?: number | undefined
  readonly refusedUntilMs?: number | undefined
  readonly daily: readonly number[]
}

/** How much of a cap is used, and when it will be over. Without one, what a month comes to. */
function CapUse({ usage }: { readonly usage: ShownUsage }) {
  const { cap, window, used, expected, refusedUntilMs, daily } = usage
  const period = cap?.period === 'day' ? 'today' : 'this month'
  const end = cap?.period === 'day' ? 'day' : 'month'
  return (
    <div className="cap-use">
      <p>
        <strong>
          <Count value={used} noun="span" />
        </strong>{' '}
        {cap ? (
          <>
            of <Count value={cap.count} noun="span" /> spans stored {period} ({formatShare(used, cap.count)}{' '}
            of the quota).
          </>
        ) : (
          `${used === 1 ? 'span' : 'spans'} stored ${period}.`
        )}{' '}
        {expected !== undefined && refusedUntilMs === undefined && (
          <>
            Projected: <Count value={expected} noun="span" /> by the end of the {end}.{' '}
            {cap && expected > cap.count && <Badge tone="attention">over quota</Badge>}
          </>
        )}
      </p>
      {cap && (
        <SplitBar
          label={`${formatExact(used)} of ${formatExact(cap.count)} spans`}
          parts={[
            { className: used >= cap.count ? 'cap-full' : 'cap-used', value: Math.min(used, cap.count) },
            { className: 'cap-left', value: Math.max(0, cap.count - used) },
          ]}
        />
      )}
      {refusedUntilMs !== undefined && (
        <p>
          <Badge tone="attention">quota reached</Badge> Transactions and spans are rejected until{' '}
          <ExactTime atMs={refusedUntilMs} />. Errors are still accepted.
        </p>
      )}
      <div className="cap-days">
        <Sparkline counts={daily} period="30 days" step="day" noun="span" />
        <span className="muted">
          Stored spans per day, last 30 days (UTC). This {end} ends <ExactTime atMs={window.toMs} />.
        </span>
      </div>
    </div>
  )
}

import { Form } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { Field } from '../../../../ui/field.tsx'
import { CapUse, type ShownUsage } from './cap-use.tsx'
import { RefusedNote, type Refusals } from './refused-note.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'

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

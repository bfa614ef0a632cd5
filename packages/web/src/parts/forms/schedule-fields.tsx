/** When something is done by a schedule: how often, on which day, at what time, in which zone. For backups and exports. */
import { Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import type { FormState } from './use-form-state.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

type Props = {
  readonly state: Pick<FormState, 'errorOf' | 'valueOf'>
  readonly plan: {
    readonly schedule: string
    readonly weekday: number
    readonly at: string
    readonly zone: string
  }
  /** `Back up`. */
  readonly label: string
  readonly choices: readonly (readonly [value: string, words: string])[]
  readonly timeLabel: string
  readonly zoneHint: string
}

export function ScheduleFields({ state, plan, label, choices, timeLabel, zoneHint }: Props) {
  const { errorOf, valueOf } = state
  return (
    <>
      <SelectField
        id="schedule-choice"
        name="schedule"
        label={label}
        value={valueOf('schedule', plan.schedule)}
        choices={choices}
        error={errorOf('schedule')}
      />
      <div className="field-pair">
        <SelectField
          id="schedule-weekday"
          name="weekday"
          label="Day of the week (every week)"
          value={valueOf('weekday', String(plan.weekday))}
          choices={DAYS.map((day, at) => [String(at), day] as const)}
          error={errorOf('weekday')}
        />
        <Field
          id="schedule-at"
          name="at"
          type="time"
          label={timeLabel}
          defaultValue={valueOf('at', plan.at)}
          error={errorOf('at')}
          required
        />
      </div>
      <Field
        id="schedule-zone"
        name="zone"
        label="Time zone"
        hint={zoneHint}
        defaultValue={valueOf('zone', plan.zone)}
        error={errorOf('zone')}
        autoComplete="off"
        spellCheck={false}
        required
      />
    </>
  )
}

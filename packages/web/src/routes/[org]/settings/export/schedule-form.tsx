import type { ExportPlan } from '@sonde/commands'
import { Form } from '@sonde/router'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { Field } from '../../../../ui/field.tsx'
import { Section } from '../../../../ui/section.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'

const SCHEDULES = [
  ['off', 'Off'],
  ['daily', 'Every day'],
  ['weekly', 'Every week'],
] as const
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

export function ExportSchedule({ plan }: { readonly plan: ExportPlan }) {
  const { errorOf, valueOf } = useFormState('schedule')
  return (
    <Section id="schedule" title="Schedule">
      <Form className="settings-form">
        <input type="hidden" name="form" value="schedule" />
        <SelectField
          id="schedule-choice"
          name="schedule"
          label="Export"
          value={valueOf('schedule', plan.schedule)}
          choices={SCHEDULES}
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
            label="Time"
            defaultValue={valueOf('at', plan.at)}
            error={errorOf('at')}
            required
          />
        </div>
        <Field
          id="schedule-zone"
          name="zone"
          label="Time zone"
          hint="A name such as Europe/Berlin."
          defaultValue={valueOf('zone', plan.zone)}
          error={errorOf('zone')}
          autoComplete="off"
          spellCheck={false}
          required
        />
        <Field
          id="schedule-keep"
          name="keep"
          type="number"
          min={0}
          max={100}
          label="Keep the newest"
          hint="Of the schedule's own exports; older ones are deleted. 0 keeps all."
          defaultValue={valueOf('keep', String(plan.keep))}
          error={errorOf('keep')}
          required
        />
        <button type="submit" className="button">
          Save schedule
        </button>
      </Form>
    </Section>
  )
}

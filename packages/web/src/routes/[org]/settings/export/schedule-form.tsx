import type { ExportPlan } from '@sonde/commands'
import { Form } from '@sonde/router'
import { ScheduleFields } from '../../../../parts/forms/schedule-fields.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { Field } from '../../../../ui/field.tsx'
import { Section } from '../../../../ui/section.tsx'

const SCHEDULES = [
  ['off', 'Off'],
  ['daily', 'Every day'],
  ['weekly', 'Every week'],
] as const

export function ExportSchedule({ plan }: { readonly plan: ExportPlan }) {
  const state = useFormState('schedule')
  const { errorOf, valueOf } = state
  return (
    <Section id="schedule" title="Schedule">
      <Form className="settings-form">
        <input type="hidden" name="form" value="schedule" />
        <ScheduleFields
          state={state}
          plan={plan}
          label="Export"
          choices={SCHEDULES}
          timeLabel="Time"
          zoneHint="A name such as Europe/Berlin."
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

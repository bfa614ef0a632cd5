import type { BackupPlan } from '@sonde/commands'
import { Form } from '@sonde/router'
import { ScheduleFields } from '../../../parts/forms/schedule-fields.tsx'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import { paths } from '../../../paths.ts'
import { Field } from '../../../ui/field.tsx'
import { Section } from '../../../ui/section.tsx'
import { SelectField } from '../../../ui/select-field.tsx'

const SCHEDULES = [
  ['off', 'Off'],
  ['every-6h', 'Every 6 hours (0, 6, 12 and 18 UTC)'],
  ['every-12h', 'Every 12 hours (0 and 12 UTC)'],
  ['daily', 'Every day'],
  ['weekly', 'Every week'],
] as const
const VERIFIES = [
  ['never', 'Never'],
  ['each', 'After every backup'],
  ['weekly', 'Once a week'],
] as const
const HOUR_MS = 3_600_000

type ScheduleProps = { readonly plan: BackupPlan; readonly warnAfterMs: number | undefined }

export function ScheduleForm({ plan, warnAfterMs }: ScheduleProps) {
  const state = useFormState('schedule')
  const { errorOf, valueOf } = state
  const usual =
    plan.warnAfterHours === null && warnAfterMs !== undefined ? ` (now ${warnAfterMs / HOUR_MS} hours)` : ''
  return (
    <Section id="schedule" title="Schedule">
      <Form action={paths.backups()} className="settings-form">
        <input type="hidden" name="form" value="schedule" />
        <ScheduleFields
          state={state}
          plan={plan}
          label="Back up"
          choices={SCHEDULES}
          timeLabel="Time (every day or week)"
          zoneHint="Of the time, and of the days, weeks and months of the retention. A name such as Europe/Berlin."
        />
        <SelectField
          id="schedule-verify"
          name="verify"
          label="Verify the last backup by restoring it into a temporary folder"
          value={valueOf('verify', plan.verify)}
          choices={VERIFIES}
          error={errorOf('verify')}
        />
        <Field
          id="schedule-warn"
          name="warnAfterHours"
          type="number"
          min={1}
          label="Warn when the last good backup is older than (hours)"
          hint={`Empty: twice the time between two backups${usual}. Operators get a mail, and the status page says so. Without a schedule it watches backups that you make by other means.`}
          defaultValue={valueOf('warnAfterHours', plan.warnAfterHours?.toString() ?? '')}
          error={errorOf('warnAfterHours')}
        />
        <button type="submit" className="button">
          Save schedule
        </button>
      </Form>
    </Section>
  )
}

const KEPT = [
  ['keepLast', 'Newest'],
  ['keepDaily', 'Days'],
  ['keepWeekly', 'Weeks'],
  ['keepMonthly', 'Months'],
] as const

export function RetentionForm({ plan }: Pick<ScheduleProps, 'plan'>) {
  const { errorOf, valueOf } = useFormState('retention')
  return (
    <Section id="retention" title="Retention">
      <p className="muted">
        Kept are the newest backups, and the newest one of each of the last days, weeks and months that have
        one. Others are deleted after each scheduled backup. All 0: every backup is kept.
      </p>
      <Form action={paths.backups()} className="settings-form">
        <input type="hidden" name="form" value="retention" />
        <div className="field-pair">
          {KEPT.map(([name, label]) => (
            <Field
              key={name}
              id={`retention-${name}`}
              name={name}
              type="number"
              min={0}
              max={1000}
              label={label}
              defaultValue={valueOf(name, String(plan[name]))}
              error={errorOf(name)}
              required
            />
          ))}
        </div>
        <button type="submit" className="button">
          Save retention
        </button>
      </Form>
    </Section>
  )
}

import { CRON_UNITS } from '@sonde/alerts/contract'
import { Form, useActionData, useParams } from '@sonde/router'
import { type Tellable, TellFields } from '../../../../parts/alerts/tell-fields.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { useLiveTry } from '../../../../parts/forms/use-live-try.ts'
import { paths } from '../../../../paths.ts'
import { Field } from '../../../../ui/field.tsx'
import { useIsInBrowser } from '../../../../ui/page-clock.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import type { CronDraft } from './cron-draft.ts'
import type { AnsweredCron } from './save-cron.server.ts'
import { SchedulePreview } from './schedule-preview.tsx'
import type { TriedCron } from './try-cron.server.ts'

type Props = Tellable & {
  readonly draft: CronDraft
  readonly tried: TriedCron
  /** Its slug is in the code of the job. */
  readonly isNew: boolean
}
type ErrorOf = (field: string) => string | undefined

/** When it runs, when it is missed, when it fails, whom it tells; and the next runs as they are typed. */
export function CronForm({ draft: stored, tried, isNew, ...tellable }: Props) {
  const { org, project } = useParams<'org' | 'project'>()
  const answer = useActionData<() => Promise<AnsweredCron>>()
  const answered = answer?.form === 'cron' ? answer : undefined
  const { errorOf } = useFormState('cron')
  const live = useLiveTry<TriedCron | 'unreached'>(paths.cronPreview(org, project), 'unreached')
  const draft = answered?.draft ?? stored
  return (
    <Form className="settings-form cron-form" onInput={live.tryForm} onSubmit={live.onSubmit}>
      <fieldset>
        <legend>Job</legend>
        <Field
          id="name"
          name="name"
          label="Name"
          required
          maxLength={128}
          autoComplete="off"
          placeholder="Nightly backup"
          defaultValue={draft.name}
          error={errorOf('name')}
        />
        <Field
          id="slug"
          name="slug"
          label="Slug"
          hint={
            isNew
              ? 'What check-ins name. Empty: made from the name.'
              : 'What check-ins name. Change it in the job too.'
          }
          maxLength={50}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="nightly-backup"
          defaultValue={draft.slug}
          error={errorOf('slug')}
        />
      </fieldset>
      <ScheduleFields draft={draft} errorOf={errorOf} />
      <SchedulePreview tried={live.preview ?? answered?.tried ?? tried} />
      <ThresholdFields draft={draft} errorOf={errorOf} />
      <TellFields draft={draft} error={errorOf('actions')} {...tellable} />
      <OwnerField owner={draft.owner} error={errorOf('owner')} {...tellable} />
      <div className="cron-buttons">
        <button type="submit" className="button button-primary" name="does" value="save">
          Save monitor
        </button>
        <button type="submit" className="button" name="does" value="try">
          Preview
        </button>
      </div>
    </Form>
  )
}

type PartProps = { readonly draft: CronDraft; readonly errorOf: ErrorOf }

function ScheduleFields({ draft, errorOf }: PartProps) {
  const isInBrowser = useIsInBrowser()
  return (
    <fieldset>
      <legend>Schedule</legend>
      <div className="cron-types">
        {(
          [
            ['crontab', 'Crontab'],
            ['interval', 'Interval'],
          ] as const
        ).map(([type, name]) => (
          <label key={type} className="tick">
            <input
              type="radio"
              name="scheduleType"
              value={type}
              defaultChecked={type === (draft.scheduleType === 'interval' ? 'interval' : 'crontab')}
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
      <div className="cron-crontab">
        <Field
          id="crontab"
          name="crontab"
          label="Crontab"
          hint="Minute, hour, day of the month, month, day of the week; or @hourly, @daily, @weekly, @monthly"
          className="input cron-code"
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={draft.crontab}
          error={errorOf('crontab')}
        />
      </div>
      <div className="cron-row cron-interval">
        <Field
          id="every"
          name="every"
          label="Every"
          inputMode="numeric"
          defaultValue={draft.every}
          error={errorOf('every')}
        />
        <SelectField
          id="unit"
          name="unit"
          label="Unit"
          value={draft.unit}
          choices={CRON_UNITS.map((unit) => [unit, `${unit}s`] as const)}
          error={errorOf('unit')}
        />
      </div>
      <Field
        id="timezone"
        name="timezone"
        label="Time zone"
        hint="Type a part of its name, such as Berlin"
        list="cron-zones"
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        defaultValue={draft.timezone}
        error={errorOf('timezone')}
      />
      {isInBrowser && (
        <datalist id="cron-zones">
          {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      )}
    </fieldset>
  )
}

const NUMBERS = [
  ['checkinMargin', 'Missed after, minutes', 'From the expected time on'],
  ['maxRuntime', 'Timed out after, minutes', 'From its beginning on'],
  ['failureIssueThreshold', 'Failing after runs', 'In a row that failed, were missed or timed out'],
  ['recoveryThreshold', 'Recovered after runs', 'In a row that were OK'],
] as const

function ThresholdFields({ draft, errorOf }: PartProps) {
  return (
    <fieldset>
      <legend>Missed and failing</legend>
      <div className="cron-row">
        {NUMBERS.map(([name, label, hint]) => (
          <Field
            key={name}
            id={name}
            name={name}
            label={label}
            hint={hint}
            inputMode="numeric"
            autoComplete="off"
            defaultValue={draft[name]}
            error={errorOf(name)}
          />
        ))}
      </div>
    </fieldset>
  )
}

function OwnerField({
  owner,
  error,
  members,
  teams,
}: Tellable & { readonly owner: string; readonly error: string | undefined }) {
  return (
    <SelectField
      id="owner"
      name="owner"
      label="Owner"
      value={owner}
      choices={[
        ['', 'Nobody'],
        ...teams.map(({ id, name }) => [`team:${id}`, `Team ${name}`] as const),
        ...members.map(({ userId, name }) => [`user:${userId}`, name] as const),
      ]}
      error={error}
    />
  )
}

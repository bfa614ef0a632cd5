/** The forms that post an incident and plan maintenance. */
import { IMPACT_WORDS, IMPACTS, INCIDENT_STATES, STATE_WORDS, STATUS_LIMITS } from '@sonde/alerts/contract'
import { Form } from '@sonde/router'
import { useFormState } from '../../../../../parts/forms/use-form-state.ts'
import { ZonedTimeField } from '../../../../../parts/forms/zoned-time-field.tsx'
import { Field, Tick } from '../../../../../ui/field.tsx'
import { SelectField } from '../../../../../ui/select-field.tsx'

type Components = readonly { readonly id: number; readonly name: string }[]

export function IncidentForm({ components }: { readonly components: Components }) {
  const { errorOf, valueOf } = useFormState('incident')
  return (
    <Form className="settings-form" aria-label="Post an incident">
      <input type="hidden" name="form" value="incident" />
      <TitleField id="incident-title" value={valueOf('title', '')} error={errorOf('title')} />
      <div className="field-pair">
        <SelectField
          id="incident-state"
          name="state"
          label="State"
          value={valueOf('state', 'investigating')}
          choices={INCIDENT_STATES.map((each) => [each, STATE_WORDS[each]] as const)}
          error={errorOf('state')}
        />
        <SelectField
          id="incident-impact"
          name="impact"
          label="Impact"
          value={valueOf('impact', 'minor')}
          choices={IMPACTS.map((each) => [each, IMPACT_WORDS[each]] as const)}
          error={errorOf('impact')}
        />
      </div>
      <Affects components={components} error={errorOf('components')} />
      <BodyField
        id="incident-body"
        label="What happens"
        value={valueOf('body', '')}
        error={errorOf('body')}
      />
      <button type="submit" className="button button-primary">
        Post incident
      </button>
    </Form>
  )
}

export function MaintenanceForm({ components }: { readonly components: Components }) {
  const { errorOf, valueOf } = useFormState('maintenance')
  const error = errorOf('startMs') ?? errorOf('endMs')
  return (
    <Form className="settings-form" aria-label="Schedule maintenance">
      <input type="hidden" name="form" value="maintenance" />
      <TitleField id="maintenance-title" value={valueOf('title', '')} error={errorOf('title')} />
      <div className="field-pair">
        <ZonedTimeField label="Start" name="start" isRequired />
        <ZonedTimeField label="End" name="end" isRequired />
      </div>
      {error !== undefined && (
        <p className="field-error" role="alert">
          The end {error}
        </p>
      )}
      <Affects components={components} error={errorOf('components')} />
      <BodyField
        id="maintenance-body"
        label="What is done"
        value={valueOf('body', '')}
        error={errorOf('body')}
      />
      <button type="submit" className="button button-primary">
        Schedule maintenance
      </button>
    </Form>
  )
}

type TextProps = { readonly id: string; readonly value: string; readonly error: string | undefined }

function TitleField({ id, value, error }: TextProps) {
  return (
    <Field
      id={id}
      name="title"
      label="Title"
      required
      maxLength={STATUS_LIMITS.titleChars}
      autoComplete="off"
      defaultValue={value}
      error={error}
    />
  )
}

export function BodyField({ id, label, value, error }: TextProps & { readonly label: string }) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        name="body"
        className="input lines"
        rows={4}
        required
        maxLength={STATUS_LIMITS.bodyChars}
        defaultValue={value}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      />
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

function Affects({
  components,
  error,
}: {
  readonly components: Components
  readonly error: string | undefined
}) {
  if (components.length === 0) return null
  return (
    <fieldset className="status-affects">
      <legend>Affected components</legend>
      {components.map(({ id, name }) => (
        <Tick key={id} name="components" value={String(id)} isOn={false}>
          {name}
        </Tick>
      ))}
      {error !== undefined && <p className="field-error">{error}</p>}
    </fieldset>
  )
}

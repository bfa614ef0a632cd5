/** The components of a status page: each a form of its own, so that all of it works without scripts and by keys. */
import { STATUS_LIMITS } from '@sonde/alerts/contract'
import { Form } from '@sonde/router'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { Field } from '../../../../ui/field.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { UserText } from '../../../../ui/user-text.tsx'

type Monitor = {
  readonly ref: string
  readonly kind: 'uptime' | 'cron'
  readonly project: string
  readonly name: string
  readonly environment: string
}
type Component = {
  readonly id: number
  readonly name: string
  readonly group: string
  readonly monitor?: Monitor | undefined
}

const monitorText = ({ kind, project, name, environment }: Monitor): string =>
  `${kind === 'uptime' ? 'Uptime' : 'Cron'}: ${project} / ${name}${environment === '' ? '' : ` (${environment})`}`

export function ComponentList({ components }: { readonly components: readonly Component[] }) {
  if (components.length === 0)
    return (
      <p className="muted">The page shows no monitor yet. Add one with the name that the public reads.</p>
    )
  return (
    <ol className="status-components" aria-label="Components">
      {components.map((component, index) => (
        <li key={component.id}>
          <ComponentForm
            // What is stored now, also after it was moved or renamed elsewhere.
            key={`${component.name} ${component.group}`}
            component={component}
            position={index + 1}
            isFirst={index === 0}
            isLast={index === components.length - 1}
          />
        </li>
      ))}
    </ol>
  )
}

type ComponentFormProps = {
  readonly component: Component
  /** From 1. */
  readonly position: number
  readonly isFirst: boolean
  readonly isLast: boolean
}

function ComponentForm({ component, position, isFirst, isLast }: ComponentFormProps) {
  const { id, name, group, monitor } = component
  const { errorOf, valueOf } = useFormState(`component-${id}`)
  return (
    <Form aria-label={`Component ${position}: ${name}`}>
      <input type="hidden" name="form" value="component" />
      <input type="hidden" name="component" value={id} />
      <div className="field-pair">
        <Field
          id={`name-${id}`}
          name="name"
          label="Public name"
          required
          maxLength={STATUS_LIMITS.nameChars}
          defaultValue={valueOf('name', name)}
          error={errorOf('name')}
        />
        <Field
          id={`group-${id}`}
          name="group"
          label="Group"
          maxLength={STATUS_LIMITS.nameChars}
          defaultValue={valueOf('group', group)}
          error={errorOf('group')}
        />
      </div>
      <p className="muted status-monitor">{monitor && <UserText text={monitorText(monitor)} />}</p>
      <div className="status-actions">
        <button type="submit" className="button button-small" aria-label={`Save ${name}`}>
          Save
        </button>
        {!isFirst && (
          <button
            type="submit"
            className="button button-small"
            name="does"
            value="up"
            aria-label={`Move ${name} up`}
          >
            Up
          </button>
        )}
        {!isLast && (
          <button
            type="submit"
            className="button button-small"
            name="does"
            value="down"
            aria-label={`Move ${name} down`}
          >
            Down
          </button>
        )}
        <button
          type="submit"
          className="button button-small"
          name="does"
          value="remove"
          aria-label={`Remove ${name}`}
        >
          Remove
        </button>
      </div>
    </Form>
  )
}

type AddComponentProps = { readonly choices: readonly Monitor[]; readonly isFull: boolean }

export function AddComponent({ choices, isFull }: AddComponentProps) {
  const { errorOf, valueOf } = useFormState('add-component')
  if (isFull) return <p className="muted">A page shows at most {STATUS_LIMITS.components} components.</p>
  if (choices.length === 0)
    return <p className="muted">Every monitor is shown. Uptime and cron monitors are made under Alerts.</p>
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value="add-component" />
      <SelectField
        id="add-monitor"
        name="monitor"
        label="Monitor"
        value={valueOf('monitor', choices[0]?.ref ?? '')}
        choices={choices.map((choice) => [choice.ref, monitorText(choice)] as const)}
        error={errorOf('monitorId')}
      />
      <div className="field-pair">
        <Field
          id="add-name"
          name="name"
          label="Name for the public"
          required
          maxLength={STATUS_LIMITS.nameChars}
          autoComplete="off"
          defaultValue={valueOf('name', '')}
          error={errorOf('name')}
        />
        <Field
          id="add-group"
          name="group"
          label="Group (may be empty)"
          maxLength={STATUS_LIMITS.nameChars}
          autoComplete="off"
          defaultValue={valueOf('group', '')}
          error={errorOf('group')}
        />
      </div>
      <button type="submit" className="button button-primary">
        Add component
      </button>
    </Form>
  )
}

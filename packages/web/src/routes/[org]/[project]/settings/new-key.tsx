import { Form } from '@sonde/router'
import { Field } from '../../../../ui/field.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'

export function NewKey() {
  const { errorOf, valueOf } = useFormState('new-key')
  return (
    <Form className="settings-line">
      <input type="hidden" name="form" value="new-key" />
      <Field
        id="new-key-label"
        name="label"
        label="New key"
        required
        maxLength={100}
        placeholder="Web app, staging"
        autoComplete="off"
        defaultValue={valueOf('label', '')}
        error={errorOf('label')}
      />
      <button type="submit" className="button">
        Create key
      </button>
    </Form>
  )
}

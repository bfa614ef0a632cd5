import { Form } from '@sonde/router'
import { Field } from '../../../../ui/field.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'

/** The end of the project, with its slug typed: nobody does that by mistake. */
export function DeleteProject({ slug }: { readonly slug: string }) {
  const { errorOf, valueOf } = useFormState('delete-project')
  return (
    <Form className="settings-form danger">
      <input type="hidden" name="form" value="delete-project" />
      <p>
        Issues, keys and settings are deleted immediately and the DSNs stop working. Stored events are deleted
        in the background. This cannot be undone.
      </p>
      <Field
        id="confirm-slug"
        name="confirmSlug"
        label={`Type ${slug} to delete the project`}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={valueOf('confirmSlug', '')}
        error={errorOf('confirmSlug')}
      />
      <button type="submit" className="button button-danger">
        Delete project
      </button>
    </Form>
  )
}

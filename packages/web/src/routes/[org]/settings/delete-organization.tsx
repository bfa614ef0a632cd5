import { Form } from '@sonde/router'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import { Field } from '../../../ui/field.tsx'

/** The end of the organization, with its slug typed. */
export function DeleteOrganization({ slug }: { readonly slug: string }) {
  const { errorOf, valueOf } = useFormState('delete-organization')
  return (
    <Form className="settings-form danger">
      <input type="hidden" name="form" value="delete-organization" />
      <p>
        The organization and all its projects are gone from every page at once; tokens, invitations and DSNs
        stop working. For a day you can restore it; then it is removed for good, with all its data.
      </p>
      <Field
        id="confirm-org-slug"
        name="confirmSlug"
        label={`Type ${slug} to delete the organization`}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={valueOf('confirmSlug', '')}
        error={errorOf('confirmSlug')}
      />
      <button type="submit" className="button button-danger">
        Delete organization
      </button>
    </Form>
  )
}

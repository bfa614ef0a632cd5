import { Form } from '@sonde/router'
import type { ReactNode } from 'react'
import { Field } from '../../ui/field.tsx'
import { useFormState } from './use-form-state.ts'

type Props = {
  readonly what: 'organization' | 'project'
  readonly slug: string
  /** What becomes of it, and how long it can be had back. */
  readonly children: ReactNode
}

/** The end of something with its slug typed: nobody does that by mistake. */
export function DeleteForm({ what, slug, children }: Props) {
  const form = `delete-${what}`
  const { errorOf, valueOf } = useFormState(form)
  return (
    <Form className="settings-form danger">
      <input type="hidden" name="form" value={form} />
      <p>{children}</p>
      <Field
        id="confirm-slug"
        name="confirmSlug"
        label={`Type ${slug} to delete the ${what}`}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={valueOf('confirmSlug', '')}
        error={errorOf('confirmSlug')}
      />
      <button type="submit" className="button button-danger">
        Delete {what}
      </button>
    </Form>
  )
}

import type { FormState } from '../forms/use-form-state.ts'
import { Field } from '../../ui/field.tsx'

export type PasswordAgainFieldProps = { readonly id: string; readonly state: FormState }

/** A browser that was left open must not be enough to make an access that lasts. */
export function PasswordAgainField({ id, state }: PasswordAgainFieldProps) {
  return (
    <Field
      id={id}
      name="currentPassword"
      label="Confirm your password"
      type="password"
      autoComplete="current-password"
      required
      error={state.errorOf('currentPassword')}
    />
  )
}

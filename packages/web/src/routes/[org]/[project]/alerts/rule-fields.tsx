/** What the parts of the form share. */
import { Field } from '../../../../ui/field.tsx'
import type { RuleDraft } from './rule-draft.ts'

export type FieldsProps = {
  readonly draft: RuleDraft
  /** Of a field of the rule. */
  readonly errorOf: (field: string) => string | undefined
  readonly mayWrite: boolean
}

export function FieldsError({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p className="field-error" id={id}>
      {text.charAt(0).toUpperCase() + text.slice(1)}
    </p>
  )
}

export function EnvironmentField({ draft, errorOf }: Pick<FieldsProps, 'draft' | 'errorOf'>) {
  return (
    <Field
      id="rule-environment"
      name="environment"
      label="Environment"
      placeholder="All"
      defaultValue={draft.environment}
      maxLength={64}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      error={errorOf('environment')}
    />
  )
}

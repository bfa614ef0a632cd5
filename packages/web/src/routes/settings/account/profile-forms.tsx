import { Form } from '@sonde/router'
import { Tick } from '../../../parts/forms/tick.tsx'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import { Field } from '../../../ui/field.tsx'

export function NameForm({ name, email }: { readonly name: string; readonly email: string }) {
  const { errorOf, valueOf } = useFormState('name')
  return (
    <Form className="settings-form" key={name}>
      <input type="hidden" name="form" value="name" />
      <p className="muted">
        Email: <bdi>{email}</bdi>{' '}
      </p>
      <Field
        id="account-name"
        name="name"
        label="Name"
        required
        maxLength={100}
        autoComplete="name"
        defaultValue={valueOf('name', name)}
        error={errorOf('name')}
      />
      <button type="submit" className="button button-primary">
        Save name
      </button>
    </Form>
  )
}

export type PasswordFormProps = {
  readonly minChars: number
  /** How many tokens of their own this person has: they do not end by themselves. */
  readonly tokens: number
}

export function PasswordForm({ minChars, tokens }: PasswordFormProps) {
  const { errorOf, isTicked } = useFormState('password')
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value="password" />
      <Field
        id="current-password"
        name="currentPassword"
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        error={errorOf('currentPassword')}
      />
      <Field
        id="new-password"
        name="newPassword"
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        hint={`At least ${minChars} characters. Other sessions will be signed out.`}
        error={errorOf('newPassword')}
      />
      {tokens > 0 && (
        <Tick name="endTokens" isOn={isTicked('endTokens', false)}>
          Also delete my {tokens === 1 ? 'token' : `${tokens} tokens`}{' '}
          <span className="muted">if someone else may know the old password</span>
        </Tick>
      )}
      <button type="submit" className="button">
        Change password
      </button>
    </Form>
  )
}

import '../sign-in.css'
import { Form, Link, useActionData, usePageData } from '@sonde/router'
import { paths } from '../../../paths.ts'
import { Field, Tick } from '../../../ui/field.tsx'
import { Mark } from '../../../ui/icon.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import type { action, load } from './page.server.ts'

export function title() {
  return 'New password · Sonde'
}

export default function NewPassword() {
  const { isDone, email } = usePageData<typeof load>()
  return (
    <div className="sign-in">
      <h1>
        <Mark /> New password
      </h1>
      {isDone ? (
        <p role="status">
          Your password is changed, and you were signed out everywhere.{' '}
          <Link className="text-link" to={paths.signIn()}>
            Sign in
          </Link>{' '}
          with the new one.
        </p>
      ) : email === undefined ? (
        <p>
          This link was used, has expired or is not complete.{' '}
          <Link className="text-link" to={paths.forgotPassword()}>
            Ask for a new one
          </Link>
          .
        </p>
      ) : (
        <PasswordForm email={email} />
      )}
    </div>
  )
}

function PasswordForm({ email }: { readonly email: string }) {
  const { minPasswordChars } = usePageData<typeof load>()
  const refused = useActionData<typeof action>()
  return (
    <Form failure="The server could not be reached. Check the connection and try again.">
      <p>
        For <UserText text={email} />
      </p>
      {/* For password managers: whose password it is. */}
      <input type="email" name="email" autoComplete="username" defaultValue={email} readOnly hidden />
      <Field
        id="new-password"
        name="password"
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        autoFocus
        hint={`At least ${minPasswordChars} characters. You will be signed out everywhere.`}
        error={refused?.message}
      />
      <Tick name="endTokens" isOn={false}>
        Also delete my personal tokens{' '}
        <span className="muted">if someone else may know the old password</span>
      </Tick>
      <button type="submit" className="button button-primary">
        Set password
      </button>
    </Form>
  )
}

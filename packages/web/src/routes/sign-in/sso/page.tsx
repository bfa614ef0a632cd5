import '../sign-in.css'
import { Form, Link, useActionData, usePageData, useTyped } from '@sonde/router'
import { paths } from '../../../paths.ts'
import { Field } from '../../../ui/field.tsx'
import { Mark } from '../../../ui/icon.tsx'
import type { action, load } from './page.server.ts'

export function title() {
  return 'Single sign-on · Sonde'
}

export default function FindProvider() {
  const { next } = usePageData<typeof load>()
  const refused = useActionData<typeof action>()
  const typed = useTyped()
  return (
    <div className="sign-in">
      <h1>
        <Mark /> Single sign-on
      </h1>
      <Form failure="The server could not be reached. Check the connection and try again.">
        {refused && (
          <p className="form-error" role="alert">
            {refused.message}
          </p>
        )}
        <Field
          id="email"
          name="email"
          label="E-mail or organization"
          hint="Your work address, or the organization’s short name."
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus
          maxLength={255}
          defaultValue={typed('email') ?? ''}
        />
        <button type="submit" className="button button-primary">
          Continue
        </button>
      </Form>
      <p className="sign-in-help">
        <Link to={paths.signIn(next)}>Sign in with a password</Link>
      </p>
    </div>
  )
}

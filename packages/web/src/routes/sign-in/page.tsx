import './sign-in.css'
import { Form, Link, useActionData, usePageData, useTyped } from '@sonde/router'
import { PasskeySignIn } from '../../parts/access/passkey-sign-in.tsx'
import { paths } from '../../paths.ts'
import { Field } from '../../ui/field.tsx'
import { Mark } from '../../ui/icon.tsx'
import { UserText } from '../../ui/user-text.tsx'
import type { action, load } from './page.server.ts'

export function title() {
  return 'Sign in · Sonde'
}

export default function SignIn() {
  const { isCodeExpired, next, passkey, hasProviders, provider } = usePageData<typeof load>()
  const refused = useActionData<typeof action>()
  const typed = useTyped()
  return (
    <div className="sign-in">
      <h1>
        <Mark /> Sign in to Sonde
      </h1>
      {isCodeExpired && !refused && (
        <p className="sign-in-notice" role="status">
          Your sign-in expired. Enter your password again.
        </p>
      )}
      <Form failure="The server could not be reached. Check the connection and try again.">
        {refused && (
          <p className="form-error" role="alert" id="sign-in-error">
            {refused.message}
          </p>
        )}
        <Field
          id="email"
          name="email"
          label="E-mail"
          type="email"
          autoComplete="username webauthn"
          required
          autoFocus
          defaultValue={typed('email') ?? ''}
        />
        <Field
          id="password"
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
        />
        <button type="submit" className="button button-primary">
          Sign in
        </button>
      </Form>
      {passkey && <PasskeySignIn options={passkey} isOffered />}
      {hasProviders && (
        <div className="sign-in-doors">
          <p className="sign-in-or">or</p>
          {provider ? (
            <Link to={paths.signInSso(provider.org, { next })} className="button">
              Sign in with <UserText text={provider.name} />
            </Link>
          ) : (
            <Link to={paths.findSso(next)} className="button">
              Single sign-on
            </Link>
          )}
        </div>
      )}
      <p className="sign-in-help">
        <Link to={paths.forgotPassword()}>Forgot password?</Link>
      </p>
      <p className="sign-in-help">
        The first owner&rsquo;s password was printed when Sonde first started, or set with{' '}
        <code>SONDE_OWNER_PASSWORD</code>.
      </p>
      <p className="sign-in-help">
        <a href={paths.docs()}>Documentation</a>
      </p>
    </div>
  )
}

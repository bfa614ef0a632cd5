import '../sign-in.css'
import { Form, Link, useActionData, usePageData } from '@sonde/router'
import { useEffect, useRef, useState } from 'react'
import { PasskeySignIn } from '../../../parts/access/passkey-sign-in.tsx'
import { paths } from '../../../paths.ts'
import { Field } from '../../../ui/field.tsx'
import { Mark } from '../../../ui/icon.tsx'
import type { action, load } from './page.server.ts'

export function title() {
  return 'Second step · Sonde'
}

export default function SignInCode() {
  const { next, hasCode, passkey } = usePageData<typeof load>()
  const refused = useActionData<typeof action>()
  const field = useRef<HTMLInputElement>(null)
  // Phones show the keys of digits first; a backup code has letters too.
  const [isDigits, setDigits] = useState(true)
  useEffect(() => {
    if (refused) field.current?.select()
  }, [refused])
  return (
    <div className="sign-in">
      <h1>
        <Mark /> {hasCode ? 'Enter your code' : 'Use your passkey'}
      </h1>
      {passkey && <PasskeySignIn options={passkey} error={hasCode ? undefined : refused?.message} />}
      {hasCode && (
        <Form failure="The server could not be reached. Check the connection and try again.">
          <Field
            ref={field}
            id="code"
            name="code"
            label="Code"
            className="input sign-in-code"
            inputMode={isDigits ? 'numeric' : 'text'}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus
            maxLength={64}
            hint="6-digit code from your authenticator app, or a backup code."
            error={refused?.message}
          />
          <button type="submit" className="button button-primary">
            Sign in
          </button>
        </Form>
      )}
      {hasCode ? (
        <details
          className="sign-in-help"
          onToggle={(event) => {
            setDigits(!event.currentTarget.open)
          }}
        >
          <summary>Lost your phone?</summary>
          <p>Enter one of your backup codes instead. Each code works once.</p>
          <p>
            No codes left? Ask your administrator to run <code>sonde user reset-two-factor --email …</code>
          </p>
        </details>
      ) : (
        <p className="sign-in-help">
          Lost your passkey? Ask your administrator to run <code>sonde user reset-two-factor --email …</code>
        </p>
      )}
      <p className="sign-in-help">
        <Link to={paths.signIn(next)}>Use a different account</Link>
      </p>
    </div>
  )
}

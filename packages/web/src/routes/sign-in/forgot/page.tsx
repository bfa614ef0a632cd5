import '../sign-in.css'
import { Form, Link, useActionData, usePageData, useTyped } from '@sonde/router'
import { paths } from '../../../paths.ts'
import { Field } from '../../../ui/field.tsx'
import { Mark } from '../../../ui/icon.tsx'
import type { action, load } from './page.server.ts'

export function title() {
  return 'Forgot password · Sonde'
}

export default function ForgotPassword() {
  const { hasMail, isSent } = usePageData<typeof load>()
  return (
    <div className="sign-in">
      <h1>
        <Mark /> Forgot password
      </h1>
      {hasMail ? isSent ? <Sent /> : <AskForm /> : <WithoutMail />}
      <p className="sign-in-help">
        <Link to={paths.signIn()}>Back to sign-in</Link>
      </p>
    </div>
  )
}

function Sent() {
  return (
    <div role="status">
      <p>
        If an account has this address, a link to set a new password is on its way. It works once, within an
        hour.
      </p>
      <p className="sign-in-help">
        No mail? Look into spam, check the address and{' '}
        <Link className="text-link" to={paths.forgotPassword()}>
          ask once more
        </Link>
        , or ask whoever runs this Sonde.
      </p>
    </div>
  )
}

function WithoutMail() {
  return (
    <p>
      This Sonde sends no mail. Ask whoever runs it to set a new password for you:{' '}
      <code>sonde user set-password --email …</code>
    </p>
  )
}

function AskForm() {
  const refused = useActionData<typeof action>()
  const typed = useTyped()
  return (
    <Form failure="The server could not be reached. Check the connection and try again.">
      <Field
        id="email"
        name="email"
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        autoFocus
        defaultValue={typed('email') ?? ''}
        error={refused?.message}
      />
      <button type="submit" className="button button-primary">
        Send link
      </button>
    </Form>
  )
}

import '../../../parts/forms/settings.css'
import { Form, Link, usePageData } from '@sonde/router'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import { paths } from '../../../paths.ts'
import { Field } from '../../../ui/field.tsx'
import { ExactTime } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export function title() {
  return 'Invitation · Sonde'
}

/** For who comes by a link: signed in or not, with an account or without. */
export default function Invitation() {
  const { state, invitation, viewer, isMember, isForOther, signInPath } = usePageData<typeof load>()
  if (!invitation) return <Closed isExpired={state === 'expired'} isSignedIn={viewer !== undefined} />
  const { orgName, role, email, expiresMs } = invitation
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>
          Join <UserText text={orgName} />
        </h1>
      </div>
      <p>
        You are invited as <strong>{role}</strong>
        {email !== undefined && (
          <>
            {' '}
            with the address{' '}
            <strong>
              <UserText text={email} />
            </strong>
          </>
        )}
        . The invitation expires <ExactTime atMs={expiresMs} />.
      </p>
      {viewer ? (
        <JoinForm viewer={viewer} isMember={isMember} isForOther={isForOther} />
      ) : (
        <>
          <p>
            Have an account already?{' '}
            <Link className="text-link" to={signInPath}>
              Sign in to accept
            </Link>
          </p>
          <AccountForm />
        </>
      )}
    </div>
  )
}

function Closed({ isExpired, isSignedIn }: { readonly isExpired: boolean; readonly isSignedIn: boolean }) {
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>{isExpired ? 'This invitation has expired' : 'This invitation is no longer valid'}</h1>
      </div>
      <p>
        {isExpired
          ? 'Ask whoever invited you to send it again.'
          : 'It was accepted, revoked or replaced by a newer one, or the link is not complete. Open the newest link, or ask whoever invited you for another.'}
      </p>
      <p>
        <Link className="text-link" to={isSignedIn ? paths.home() : paths.signIn()}>
          {isSignedIn ? 'To your organizations' : 'Sign in'}
        </Link>
      </p>
    </div>
  )
}

function FormError({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p className="form-error" role="alert">
      {text}
    </p>
  )
}

type JoinFormProps = {
  readonly viewer: { readonly name: string; readonly email: string }
  readonly isMember: boolean
  readonly isForOther: boolean
}

function JoinForm({ viewer, isMember, isForOther }: JoinFormProps) {
  const { errorOf } = useFormState('join')
  if (isForOther)
    return (
      <>
        <p role="alert">
          You are signed in as <UserText text={viewer.email} />. Sign out and sign in with the address that
          was invited, or ask for an invitation for yours.
        </p>
        <Form action={paths.signOut()}>
          <button type="submit" className="button">
            Sign out
          </button>
        </Form>
      </>
    )
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value="join" />
      <FormError text={errorOf('form')} />
      <p>
        Signed in as <UserText text={viewer.email} />.
        {isMember &&
          ' You are a member already. Accepting keeps your role, and adds you to the teams of the invitation if it has any.'}
      </p>
      <button type="submit" className="button button-primary">
        Accept invitation
      </button>
    </Form>
  )
}

function AccountForm() {
  const { invitation, minPasswordChars } = usePageData<typeof load>()
  const { errorOf, valueOf } = useFormState('account')
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value="account" />
      <h2>Create an account</h2>
      <FormError text={errorOf('form')} />
      <Field
        id="invited-email"
        name="email"
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        readOnly={invitation?.email !== undefined}
        defaultValue={invitation?.email ?? valueOf('email', '')}
        error={errorOf('email')}
      />
      <Field
        id="invited-name"
        name="name"
        label="Name"
        required
        maxLength={100}
        autoComplete="name"
        defaultValue={valueOf('name', '')}
        error={errorOf('name')}
      />
      <Field
        id="invited-password"
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        hint={`At least ${minPasswordChars} characters.`}
        error={errorOf('password')}
      />
      <button type="submit" className="button button-primary">
        Create account and join
      </button>
    </Form>
  )
}

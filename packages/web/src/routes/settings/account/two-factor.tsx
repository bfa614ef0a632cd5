import { Form, Link, useActionData } from '@sonde/router'
import type { ReactNode } from 'react'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Field } from '../../../ui/field.tsx'
import type { action, ShownSetup } from './page.server.ts'

/** Without JavaScript the answer to a post is shown from here on, not from the top of the page. */
const TWO_FACTOR_PATH = `${paths.account()}#two-factor`

/** Modules of light around a code, without which readers do not find it. */
const BORDER = 4

/** The key for the app, and the first code that proves that it arrived there. */
function TwoFactorSetup({ setup }: { readonly setup: ShownSetup }) {
  const { otpauthUri, secretGroups, qr } = setup
  const { errorOf } = useFormState('two-factor-confirm')
  return (
    <div className="two-factor-setup">
      <div>
        <h3 tabIndex={-1} ref={focusOnce}>
          1. Scan this code with your authenticator app
        </h3>
        {qr && (
          <svg
            className="qr-code"
            role="img"
            aria-label="QR code for your authenticator app"
            viewBox={`${-BORDER} ${-BORDER} ${qr.size + 2 * BORDER} ${qr.size + 2 * BORDER}`}
            shapeRendering="crispEdges"
          >
            <path d={qr.path} />
          </svg>
        )}
        <p>
          {qr ? 'Scan the code' : 'Enter the key'}, or{' '}
          <a href={otpauthUri}>open it in an app on this device</a>.{qr && ' Can’t scan? Enter this key:'}
        </p>
        <div className="dsn">
          <code>{secretGroups.join(' ')}</code>
          <CopyButton text={secretGroups.join('')} what="key" />
        </div>
      </div>
      <div>
        <h3>2. Enter the 6-digit code</h3>
        <Form className="settings-form" action={TWO_FACTOR_PATH}>
          <input type="hidden" name="form" value="two-factor-confirm" />
          <input type="hidden" name="otpauthUri" value={otpauthUri} />
          <Field
            id="two-factor-code"
            name="code"
            label="6-digit code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={20}
            error={errorOf('code')}
          />
          <div className="settings-line">
            <button type="submit" className="button button-primary">
              Turn on two-factor sign-in
            </button>
            <Link to={paths.account()}>Cancel</Link>
          </div>
        </Form>
      </div>
    </div>
  )
}

/** So few that somebody without a phone is soon locked out. */
const FEW_CODES = 3

type TwoFactorProps = {
  readonly state: { readonly isOn: false } | { readonly isOn: true; readonly backupCodesLeft: number }
}

/** A second step for signing in: off, being set up, or on. */
export function TwoFactor({ state }: TwoFactorProps) {
  const setup = useActionData<typeof action>()?.setup
  if (setup) return <TwoFactorSetup setup={setup} />
  if (!state.isOn) {
    return (
      <>
        <p>
          <Badge>off</Badge> Require a 6-digit code from an authenticator app when you sign in.
        </p>
        <PasswordAgain form="two-factor-start" button="Turn on" />
      </>
    )
  }
  const { backupCodesLeft: left } = state
  return (
    <>
      <p>
        <Badge tone="good">on</Badge> {left === 1 ? '1 backup code is' : `${left} backup codes are`} left
        {left < FEW_CODES && '. Generate new codes before you run out'}.
      </p>
      <div className="key-actions">
        <Fold form="two-factor-codes" title="New backup codes">
          <p>Your old codes stop working.</p>
          <PasswordAgain form="two-factor-codes" button="Generate new codes" />
        </Fold>
        <Fold form="two-factor-off" title="Turn off">
          <p>You’ll sign in with just your password.</p>
          <PasswordAgain form="two-factor-off" button="Turn off two-factor sign-in" isDanger />
        </Fold>
      </div>
    </>
  )
}

type FoldProps = { readonly form: string; readonly title: string; readonly children: ReactNode }

function Fold({ form, title, children }: FoldProps) {
  const { isRefused } = useFormState(form)
  return (
    <details className="key-fold" open={isRefused}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}

type PasswordAgainProps = { readonly form: string; readonly button: string; readonly isDanger?: boolean }

/** A browser that was left open must not be enough. */
function PasswordAgain({ form, button, isDanger = false }: PasswordAgainProps) {
  const { errorOf } = useFormState(form)
  return (
    <Form className="settings-line" action={TWO_FACTOR_PATH}>
      <input type="hidden" name="form" value={form} />
      <Field
        id={`${form}-password`}
        name="currentPassword"
        label="Your password"
        type="password"
        autoComplete="current-password"
        required
        error={errorOf('currentPassword')}
      />
      <button type="submit" className={isDanger ? 'button button-danger' : 'button'}>
        {button}
      </button>
    </Form>
  )
}

/** A `ref` for what an answer put on the page: the focus goes there, or it would be lost with the form that was posted. */
export function focusOnce(element: HTMLElement | null): void {
  element?.focus()
}

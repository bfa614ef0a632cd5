import { Form, useActionData } from '@sonde/router'
import type { ReactNode } from 'react'
import type { action } from './page.server.ts'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Field } from '../../../ui/field.tsx'
import { TWO_FACTOR_PATH } from './two-factor-path.ts'
import { TwoFactorSetup } from './two-factor-setup.tsx'

/** So few that somebody without a phone is soon locked out. */
const FEW_CODES = 3

export type TwoFactorProps = {
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

import { Form, Link } from '@sonde/router'
import { paths } from '../../../paths.ts'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Field } from '../../../ui/field.tsx'
import type { ShownSetup } from './shown-setup.ts'
import { focusOnce } from './focus-once.ts'
import { TWO_FACTOR_PATH } from './two-factor-path.ts'

/** Modules of light around a code, without which readers do not find it. */
const BORDER = 4

/** The key for the app, and the first code that proves that it arrived there. */
export function TwoFactorSetup({ setup }: { readonly setup: ShownSetup }) {
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

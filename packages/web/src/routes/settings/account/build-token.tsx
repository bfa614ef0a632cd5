import { Form } from '@sonde/router'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import { PasswordAgainField } from '../../../parts/tokens/password-again.tsx'
import { TokenLifeField } from '../../../parts/tokens/token-life-field.tsx'
import { Field } from '../../../ui/field.tsx'
import type { NewTokenProps } from './new-token.tsx'
import { OrgField } from './org-field.tsx'

/** The token that a build needs, with a press: nobody has to know which scope that is. */
export function BuildToken({ orgs }: Pick<NewTokenProps, 'orgs'>) {
  const state = useFormState('build-token')
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value="build-token" />
      <input type="hidden" name="scopes" value="org:ci" />
      <Field
        id="build-token-name"
        name="name"
        label="New build token"
        hint="For CI: uploads source maps and creates releases. Set it as SENTRY_AUTH_TOKEN. It contains the server URL and organization, so sentry-cli and the bundler plugins need no other settings."
        required
        maxLength={100}
        autoComplete="off"
        defaultValue={state.valueOf('name', 'Source maps')}
        error={state.errorOf('name')}
      />
      <OrgField id="build-token-org" orgs={orgs} state={state} />
      <TokenLifeField id="build-token-life" state={state} usual="365" mayBeEndless />
      <PasswordAgainField id="build-token-password" state={state} />
      <button type="submit" className="button">
        Create build token
      </button>
    </Form>
  )
}

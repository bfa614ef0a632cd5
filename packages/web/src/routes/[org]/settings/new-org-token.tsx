import { Form, useActionData } from '@sonde/router'
import type { action } from './page.server.ts'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import { MadeTokenNotice } from '../../../parts/tokens/made-token.tsx'
import { PasswordAgainField } from '../../../parts/tokens/password-again.tsx'
import { ScopesField } from '../../../parts/tokens/scopes-field.tsx'
import { TokenLifeField } from '../../../parts/tokens/token-life-field.tsx'
import { Field } from '../../../ui/field.tsx'

export type NewOrgTokenProps = { readonly scopes: readonly string[]; readonly mayBeEndless: boolean }

/** Of the organization: it goes on when the person who made it leaves, if nobody takes it along. */
export function NewOrgToken({ scopes, mayBeEndless }: NewOrgTokenProps) {
  const made = useActionData<typeof action>()?.madeToken
  const state = useFormState('new-token')
  return (
    <>
      <MadeTokenNotice made={made} />
      <Form className="settings-form" key={made?.token}>
        <input type="hidden" name="form" value="new-token" />
        <Field
          id="org-token-name"
          name="name"
          label="New organization token"
          hint="For CI, select only org:ci; such a token may never expire."
          required
          maxLength={100}
          placeholder="Nightly build"
          autoComplete="off"
          defaultValue={state.valueOf('name', '')}
          error={state.errorOf('name')}
        />
        <ScopesField id="org-token-scopes" scopes={scopes} state={state} />
        <TokenLifeField
          id="org-token-life"
          state={state}
          usual="90"
          mayBeEndless={mayBeEndless || scopes.includes('org:ci')}
        />
        <PasswordAgainField id="org-token-password" state={state} />
        <button type="submit" className="button">
          Create token
        </button>
      </Form>
    </>
  )
}

import type { SsoSettings } from '@sonde/queries'
import { Form } from '@sonde/router'
import type { SsoKind } from '@sonde/stores'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { Field, Tick } from '../../../../ui/field.tsx'
import { LinesField } from '../../../../ui/lines-field.tsx'

export type Addresses = { readonly callback: string; readonly acs: string; readonly metadata: string }

/** An address to copy into the provider. */
export function CopyLine({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <>
      <p className="sso-copied">{label}</p>
      <div className="dsn">
        <code>{text}</code>
        <CopyButton text={text} what={label} />
      </div>
    </>
  )
}

export type ProviderFormProps = {
  readonly kind: SsoKind
  readonly addresses: Addresses
  /** Of the same kind; undefined: there is none yet. */
  readonly stored: SsoSettings | undefined
}

/** First what is entered there, then what is entered here. */
export function ProviderForm({ kind, addresses, stored }: ProviderFormProps) {
  const state = useFormState('provider')
  const settings = stored?.settings ?? {}
  const textOf = (name: string): string => {
    const value = settings[name]
    return Array.isArray(value) ? value.join(' ') : typeof value === 'string' ? value : ''
  }
  const shared = (name: string) => ({
    id: `sso-${name}`,
    name,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    defaultValue: state.valueOf(name, textOf(name)),
    error: state.errorOf(name),
  })
  return (
    <>
      {kind === 'oidc' ? (
        <>
          <p className="sso-empty">
            Create a web application (confidential client, authorization code) at your provider, with:
          </p>
          <CopyLine label="Redirect URI" text={addresses.callback} />
        </>
      ) : (
        <>
          <p className="sso-empty">Create a SAML 2.0 application at your provider, with:</p>
          <CopyLine label="Single sign-on URL (ACS), also the recipient" text={addresses.acs} />
          <CopyLine
            label="Audience (SP entity ID), also the address of our metadata"
            text={addresses.metadata}
          />
        </>
      )}
      <Form className="settings-form" key={stored?.updatedMs}>
        <input type="hidden" name="form" value="provider" />
        <input type="hidden" name="kind" value={kind} />
        <Field
          {...shared('name')}
          label="Name"
          hint="Stands on the button: “Sign in with …”."
          placeholder="Acme login"
          required
          maxLength={100}
          defaultValue={state.valueOf('name', stored?.name ?? '')}
        />
        {kind === 'oidc' ? (
          <>
            <Field
              {...shared('issuer')}
              label="Issuer"
              type="url"
              hint="The rest is found there, at /.well-known/openid-configuration."
              placeholder="https://login.example.com/realms/acme"
              required
            />
            <Field {...shared('clientId')} label="Client ID" required />
            <Field
              {...shared('clientSecret')}
              label="Client secret"
              type="password"
              autoComplete="new-password"
              required={!stored}
              defaultValue=""
              {...(stored && { placeholder: 'Set; write a new one to replace it' })}
            />
            <Field
              {...shared('scopes')}
              label="More scopes"
              hint="Beside openid, email and profile. Some providers tell groups only with one of their own."
              placeholder="groups"
            />
            <Field {...shared('groupsClaim')} label="Claim with the groups" placeholder="groups" />
            <Tick name="trustsEmail" isOn={state.isTicked('trustsEmail', settings['trustsEmail'] === true)}>
              The provider sends no email_verified: take its addresses as verified. Only if nobody can change
              their own address there.
            </Tick>
          </>
        ) : (
          <>
            {stored && (
              <p className="muted sso-known">
                Now: {textOf('entityId')}. Leave both fields empty to keep it.
              </p>
            )}
            <Field
              {...shared('metadataUrl')}
              label="Address of the provider’s metadata"
              type="url"
              placeholder="https://login.example.com/metadata.xml"
              defaultValue={state.valueOf('metadataUrl', '')}
            />
            <LinesField
              id="sso-metadata"
              name="metadata"
              label="Or the metadata itself"
              hint="XML. It is read once: after the provider changes its certificate, enter it again."
              placeholder="<EntityDescriptor …"
              rows={4}
              defaultValue={state.valueOf('metadata', '')}
              error={state.errorOf('metadata')}
            />
            <details className="key-fold">
              <summary>Names of attributes</summary>
              <div className="settings-fields">
                <Field {...shared('emailAttribute')} label="Attribute with the address" placeholder="email" />
                <Field
                  {...shared('nameAttribute')}
                  label="Attribute with the name"
                  placeholder="displayName"
                />
                <Field
                  {...shared('groupsAttribute')}
                  label="Attribute with the groups"
                  placeholder="groups"
                />
              </div>
            </details>
            <Tick
              name="allowsProviderStart"
              isOn={state.isTicked('allowsProviderStart', settings['allowsProviderStart'] === true)}
            >
              People may begin on the provider’s page (its tile): Sonde sends them back once to be asked.
            </Tick>
          </>
        )}
        <Tick name="makesAccounts" isOn={state.isTicked('makesAccounts', stored?.makesAccounts ?? true)}>
          Whoever signs in and is no member yet becomes one, if their address is of a verified domain.
        </Tick>
        <div className="field">
          <label htmlFor="sso-defaultRole">Role of new members</label>
          <select
            id="sso-defaultRole"
            name="defaultRole"
            className="input"
            defaultValue={state.valueOf('defaultRole', stored?.defaultRole ?? 'member')}
          >
            <option value="viewer">viewer</option>
            <option value="member">member</option>
            <option value="admin">admin</option>
          </select>
        </div>
        <Field
          {...shared('sessionHours')}
          label="Sign in again after (hours)"
          hint="Who was removed at the provider is out here by then at the latest."
          type="number"
          min={1}
          max={720}
          required
          defaultValue={state.valueOf('sessionHours', String(stored?.sessionHours ?? 24))}
        />
        <button type="submit" className={stored ? 'button' : 'button button-primary'}>
          Save provider
        </button>
      </Form>
    </>
  )
}

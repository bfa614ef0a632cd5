import type { SsoSettings } from '@sonde/queries'
import { Form } from '@sonde/router'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Field } from '../../../../ui/field.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { CopyLine } from './provider-form.tsx'

type Domain = {
  readonly domain: string
  readonly verifiedMs: number | undefined
  readonly proof: { readonly name: string; readonly value: string }
}

/** Whose addresses may become accounts. */
export function Domains({ domains }: { readonly domains: readonly Domain[] }) {
  const state = useFormState('new-domain')
  return (
    <>
      {domains.length === 0 ? (
        <p className="muted">
          No domain yet. Without one, only people who have connected their account can sign in.
        </p>
      ) : (
        <ul className="account-list" aria-label="Domains">
          {domains.map((row) => (
            <DomainItem key={row.domain} {...row} />
          ))}
        </ul>
      )}
      <Form className="settings-line">
        <input type="hidden" name="form" value="new-domain" />
        <Field
          id="sso-domain"
          name="domain"
          label="Domain"
          placeholder="example.com"
          required
          maxLength={253}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={state.valueOf('domain', '')}
          error={state.errorOf('domain')}
        />
        <button type="submit" className="button">
          Add domain
        </button>
      </Form>
    </>
  )
}

function DomainItem({ domain, verifiedMs, proof }: Domain) {
  const state = useFormState(`domain-${domain}`)
  const refused = state.errorOf('domain')
  return (
    <li>
      <div className="account-item">
        <p>
          {domain}{' '}
          {verifiedMs === undefined ? <Badge>not verified</Badge> : <Badge tone="good">verified</Badge>}
        </p>
        {verifiedMs === undefined && (
          <>
            <p className="muted">
              Publish this TXT record, then verify. An operator of this Sonde can also add the domain.
            </p>
            <CopyLine label="Name of the TXT record" text={proof.name} />
            <CopyLine label="Value of the TXT record" text={proof.value} />
            {refused !== undefined && (
              <p className="field-error" role="alert">
                {refused}
              </p>
            )}
          </>
        )}
      </div>
      <Form className="key-actions">
        <input type="hidden" name="form" value="domain" />
        <input type="hidden" name="domain" value={domain} />
        {verifiedMs === undefined && (
          <button type="submit" name="does" value="verify" className="button" aria-label={`Verify ${domain}`}>
            Verify
          </button>
        )}
        <button type="submit" name="does" value="remove" className="button" aria-label={`Remove ${domain}`}>
          Remove
        </button>
      </Form>
    </li>
  )
}

type GroupsProps = {
  readonly groups: SsoSettings['groups']
  readonly teams: readonly { readonly id: number; readonly slug: string; readonly name: string }[]
}

/** Where a group of the provider leads. */
export function Groups({ groups, teams }: GroupsProps) {
  const state = useFormState('new-group')
  return (
    <>
      {groups.length === 0 ? (
        <p className="muted">
          No group leads anywhere yet. The test above shows the groups that the provider tells.
        </p>
      ) : (
        <ul className="account-list" aria-label="Groups">
          {groups.map(({ id, group, role, team }) => (
            <li key={id}>
              <div className="account-item">
                <p>
                  <UserText text={group} />
                </p>
                <p className="muted">
                  {team && (
                    <>
                      team <UserText text={team.name} />
                    </>
                  )}
                  {team && role !== undefined && ' · '}
                  {role !== undefined && `role ${role}`}
                </p>
              </div>
              <Form>
                <input type="hidden" name="form" value="group" />
                <button
                  type="submit"
                  name="id"
                  value={id}
                  className="button"
                  aria-label={`Remove the mapping of ${group}`}
                >
                  Remove
                </button>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <Form className="settings-line">
        <input type="hidden" name="form" value="new-group" />
        <Field
          id="sso-group"
          name="group"
          label="Group"
          required
          maxLength={500}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={state.valueOf('group', '')}
          error={state.errorOf('group') ?? state.errorOf('teamId') ?? state.errorOf('role')}
        />
        <div className="field">
          <label htmlFor="sso-team">Team</label>
          <select id="sso-team" name="teamId" className="input" defaultValue={state.valueOf('teamId', '')}>
            <option value="">none</option>
            {teams.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="sso-role">Role</label>
          <select id="sso-role" name="role" className="input" defaultValue={state.valueOf('role', '')}>
            <option value="">none</option>
            <option value="viewer">viewer</option>
            <option value="member">member</option>
            <option value="admin">admin</option>
          </select>
        </div>
        <button type="submit" className="button">
          Add mapping
        </button>
      </Form>
    </>
  )
}

import { Form } from '@sonde/router'
import { TokenTimes } from '../../../parts/tokens/token-times.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { UserText } from '../../../ui/user-text.tsx'

export type OrgTokenItem = {
  readonly id: number
  readonly name: string
  readonly isPersonal: boolean
  readonly madeBy?: { readonly name?: string; readonly email?: string } | undefined
  readonly scopes: readonly string[]
  readonly createdMs: number
  readonly lastUsedMs?: number | undefined
  readonly lastUsedAddress?: string | undefined
  readonly expiresMs?: number | undefined
  readonly mayDelete: boolean
}

/** What programs come in with, newest first. */
export function OrgTokenList({ tokens }: { readonly tokens: readonly OrgTokenItem[] }) {
  if (tokens.length === 0)
    return <p className="muted">No tokens yet. Create one to upload source maps or to use the API.</p>
  return (
    <ul className="account-list" aria-label="Tokens">
      {tokens.map((token) => (
        <li key={token.id}>
          <div className="account-item">
            <p>
              <UserText text={token.name} /> {token.isPersonal && <Badge>personal</Badge>}
            </p>
            <p className="muted">
              {token.scopes.join(', ')} ·{' '}
              <TokenTimes {...token}>
                {' '}
                by <Maker madeBy={token.madeBy} />
              </TokenTimes>
            </p>
          </div>
          {token.mayDelete && (
            <details className="key-fold">
              <summary aria-label={`Delete ${token.name}`}>Delete</summary>
              <Form className="settings-form danger">
                <input type="hidden" name="form" value="token" />
                <input type="hidden" name="tokenId" value={token.id} />
                <p>Anything that uses this token will stop working. This cannot be undone.</p>
                <button
                  type="submit"
                  className="button button-danger"
                  aria-label={`Delete token ${token.name}`}
                >
                  Delete token
                </button>
              </Form>
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}

function Maker({ madeBy }: Pick<OrgTokenItem, 'madeBy'>) {
  if (madeBy === undefined) return <>the command line</>
  const name = madeBy.name ?? madeBy.email
  return name === undefined ? <>a former member</> : <UserText text={name} />
}

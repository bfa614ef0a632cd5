import { Form } from '@sonde/router'
import { TokenTimes } from '../../../parts/tokens/token-times.tsx'
import { UserText } from '../../../ui/user-text.tsx'

export type TokenRow = {
  readonly id: number
  readonly name: string
  readonly orgSlug: string
  readonly scopes: readonly string[]
  readonly createdMs: number
  readonly isRecent: boolean
  readonly lastUsedMs?: number | undefined
  readonly lastUsedAddress?: string | undefined
  readonly expiresMs?: number | undefined
}

export function TokenList({ tokens }: { readonly tokens: readonly TokenRow[] }) {
  if (tokens.length === 0) return <p className="muted">No personal tokens yet.</p>
  return (
    <ul className="account-list">
      {tokens.map((token) => (
        <li key={token.id}>
          <div className="account-item">
            <p>
              <UserText text={token.name} /> <span className="muted">for {token.orgSlug}</span>
            </p>
            <p className="muted">
              {token.scopes.join(', ')} · <TokenTimes {...token} />
            </p>
          </div>
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
        </li>
      ))}
    </ul>
  )
}

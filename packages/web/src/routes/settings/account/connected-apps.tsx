import { Form, Link } from '@sonde/router'
import { TokenTimes } from '../../../parts/tokens/token-times.tsx'
import { paths } from '../../../paths.ts'
import { UserText } from '../../../ui/user-text.tsx'

type AppRow = {
  readonly id: number
  readonly name: string
  readonly orgSlug: string
  readonly scopes: readonly string[]
  /** Where it was sent when it was connected, in words. */
  readonly target: string
  readonly isForMcp: boolean
  readonly createdMs: number
  readonly lastUsedMs?: number | undefined
  readonly lastUsedAddress?: string | undefined
  readonly expiresMs?: number | undefined
}

/** Programs that this person let in, and the button that puts each out. */
export function ConnectedApps({ apps }: { readonly apps: readonly AppRow[] }) {
  return (
    <>
      <AppList apps={apps} />
      <p className="muted">
        Coding agents connect to the{' '}
        <Link className="text-link" to={paths.mcp()}>
          MCP server
        </Link>
        .
      </p>
    </>
  )
}

function AppList({ apps }: { readonly apps: readonly AppRow[] }) {
  if (apps.length === 0)
    return <p className="muted">None yet. Programs that sign in with your browser are listed here.</p>
  return (
    <ul className="account-list" aria-label="Connected applications">
      {apps.map((app) => (
        <li key={app.id}>
          <div className="account-item">
            <p>
              <UserText text={app.name} />{' '}
              <span className="muted">
                for {app.orgSlug}, on {app.target}
              </span>
            </p>
            <p className="muted">
              {app.scopes.join(', ')}
              {app.isForMcp && ' · MCP server only'} · <TokenTimes {...app} />
            </p>
          </div>
          <details className="key-fold">
            <summary aria-label={`Disconnect ${app.name}`}>Disconnect</summary>
            <Form className="settings-form danger">
              <input type="hidden" name="form" value="app" />
              <input type="hidden" name="tokenId" value={app.id} />
              <p>Its tokens stop working at once. It can ask to be connected again.</p>
              <button
                type="submit"
                className="button button-danger"
                aria-label={`Disconnect application ${app.name}`}
              >
                Disconnect
              </button>
            </Form>
          </details>
        </li>
      ))}
    </ul>
  )
}

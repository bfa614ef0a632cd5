/** `GET /api/0/`: what the caller is; sentry-cli asks it to check a token. */
import type { Api, ApiOptions } from '../api-context.ts'

export function accountRoutes(api: Api, { access }: ApiOptions): void {
  api.get('/', async (c) => {
    const viewer = c.get('viewer')
    const visible = await access.openOrgs(viewer, 'org:read')
    return c.json({
      version: '0',
      auth: viewer.kind === 'token' ? { scopes: viewer.scopes } : null,
      user: viewer.kind === 'user' ? { id: viewer.userId, email: viewer.email, name: viewer.name } : null,
      organizations: visible.map((org) => org.orgSlug),
    })
  })
}

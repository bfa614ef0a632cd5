/** What the caller is, and where its organisations lie: sentry-cli asks to check a token and before listing. */
import type { Api, ApiOptions } from '../api-context.ts'

export function accountRoutes(api: Api, { publicUrl }: ApiOptions): void {
  api.get('/', async (c) => {
    const viewer = c.get('viewer')
    const visible = await c.get('grants').openOrgs('org:read')
    return c.json({
      version: '0',
      auth: viewer.kind === 'token' ? { scopes: viewer.scopes } : null,
      user: viewer.kind === 'user' ? { id: viewer.userId, email: viewer.email, name: viewer.name } : null,
      organizations: visible.map((org) => org.orgSlug),
    })
  })

  api.get('/users/me/regions', (c) => c.json({ regions: [{ name: 'sonde', url: publicUrl }] }))
}

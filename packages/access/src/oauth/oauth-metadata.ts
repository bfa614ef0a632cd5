/** How programs find what they need to connect: RFC 8414 of the sign-in, RFC 9728 of the MCP server. */
import { SCOPES, type Scope } from '../permission.ts'
import { mcpResource } from './authorize-request.ts'

type Metadata = Readonly<Record<string, string | boolean | readonly string[]>>

/** Where things are, below the public address. */
const OAUTH_PATHS = {
  authorize: '/settings/authorize',
  token: '/api/0/oauth/token/',
  register: '/api/0/oauth/register/',
  revoke: '/api/0/oauth/revoke/',
} as const

/** What the tools of the MCP server need. Clients ask for all of it, and people untick what they do not want to give. */
export const MCP_SCOPES: readonly Scope[] = ['org:read', 'project:read', 'event:read', 'event:write']

export const authorizationServer = (publicUrl: string): Metadata => ({
  issuer: publicUrl,
  authorization_endpoint: publicUrl + OAUTH_PATHS.authorize,
  token_endpoint: publicUrl + OAUTH_PATHS.token,
  registration_endpoint: publicUrl + OAUTH_PATHS.register,
  revocation_endpoint: publicUrl + OAUTH_PATHS.revoke,
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})

export const protectedResource = (publicUrl: string): Metadata => ({
  resource: mcpResource(publicUrl),
  authorization_servers: [publicUrl],
  scopes_supported: MCP_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Sonde',
})

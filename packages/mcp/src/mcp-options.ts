/** What the MCP server is built from; the composition root makes it. */
import type { Access, TokenViewer } from '@sonde/access'
import type { Logger } from '@sonde/base'
import type { CommandDeps } from '@sonde/commands'
import type { QueryDeps } from '@sonde/queries'

export type McpOptions = {
  readonly access: Access
  readonly queries: QueryDeps
  readonly commands: CommandDeps
  /** Under which programs and people reach this Sonde. */
  readonly publicUrl: string
  /** Other origins whose pages may ask. */
  readonly trustedOrigins?: readonly string[]
  readonly logger: Logger
  readonly version: string
}

/** `token`: of the viewer, for the SDK. */
export type ServeMcp = (
  request: Request,
  asked: { readonly viewer: TokenViewer; readonly token: string },
) => Promise<Response>

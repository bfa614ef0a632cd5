/** What the screens' loads and actions work with. */
import type { Access, UserViewer } from '@sonde/access'
import type { Clock } from '@sonde/base'
import type { CommandDeps } from '@sonde/commands'
import type { QueryDeps } from '@sonde/queries'

/** One per request: `context` of every load and action. */
export type AppContext = {
  /** Undefined: nobody is signed in. */
  readonly viewer: UserViewer | undefined
  readonly access: Access
  readonly queries: QueryDeps
  readonly commands: CommandDeps
  /** Under which browsers and SDKs reach this Sonde, without a trailing slash. */
  readonly publicUrl: string
  readonly clock: Clock
  /** Where the request came from, as the front saw it; sign-in is limited by it. */
  readonly clientAddress: string | undefined
}

export type AppContextDeps = {
  readonly access: Access
  readonly queries: QueryDeps
  readonly commands: CommandDeps
  readonly publicUrl: string
  readonly clock: Clock
  readonly clientAddress?: (headers: Headers) => string | undefined
}

/** For `createPageHandler({ createContext })`. A request without our cookie costs no read. */
export function createAppContext(deps: AppContextDeps): (request: Request) => Promise<AppContext> {
  const { access, queries, commands, publicUrl, clock } = deps
  return async ({ headers }) => ({
    viewer: await access.viewerFromCookies(headers),
    access,
    queries,
    commands,
    publicUrl,
    clock,
    clientAddress: deps.clientAddress?.(headers),
  })
}

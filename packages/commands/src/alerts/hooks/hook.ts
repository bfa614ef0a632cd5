/** What every kind of hook is: how it knows who sends, and what it does. */
import type { ChannelDeps } from '@sonde/alerts'
import type { Logger } from '@sonde/base'
import type { CommandDeps } from '../../command-deps.ts'

export type HookDeps = CommandDeps & { readonly channels: ChannelDeps; readonly logger: Logger }

export type HookRequest = {
  readonly headers: Pick<Headers, 'get'>
  /** As it came: signatures are of the bytes. */
  readonly body: Uint8Array
}

export type HookChannel = {
  readonly id: number
  readonly orgId: number
  readonly orgSlug: string
  readonly orgName: string
  /** Opened. */
  readonly secret: Readonly<Record<string, unknown>>
}

export type Hook = {
  /** In constant time. `secret`: the channel's. */
  verify(secret: Readonly<Record<string, unknown>>, request: HookRequest, nowMs: number): boolean
  /** Does it, once or several times to the same end. Throws `InvalidInput` for what cannot be read. */
  act(deps: HookDeps, channel: HookChannel, body: string): Promise<void>
}

/** What every kind of hook is: how it knows who sends, and what it does. */
import type { Grant } from '@sonde/access'
import type { ChannelDeps } from '@sonde/alerts'
import type { Logger } from '@sonde/base'
import type { CommandDeps } from '../../command-deps.ts'

export type HookDeps = CommandDeps & {
  readonly channels: ChannelDeps
  readonly logger: Logger
  /** To whom issues of a project can be assigned, in the order in which they are shown. */
  readonly assignees: (grant: Grant<'event:read' | 'event:write', 'project'>) => Promise<readonly Assignee[]>
}

/** `value`: as `assignIssues` takes it. */
export type Assignee = { readonly value: string; readonly name: string; readonly hint: string }

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
  /** Does it, once or several times to the same end. What it answers goes back as JSON. Throws `InvalidInput` for what cannot be read. */
  act(deps: HookDeps, channel: HookChannel, body: string): Promise<object | void>
}

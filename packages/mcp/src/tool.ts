/** What a tool is: its words for the model, the permission that it needs, and what it does with whoever asks. */
import { type Grants, type Permission, SCOPE_PERMISSIONS, type TokenViewer } from '@sonde/access'
import type { CommandDeps } from '@sonde/commands'
import type { QueryDeps } from '@sonde/queries'
import type { z } from 'zod'
import type { Answer } from './answer/answer.ts'
import type { Links } from './links.ts'

export type ToolContext = {
  readonly viewer: TokenViewer
  readonly grants: Grants
  readonly queries: QueryDeps
  readonly commands: CommandDeps
  readonly links: Links
  readonly nowMs: number
}

type Described = {
  /** Snake case. */
  readonly name: string
  readonly title: string
  /** What it answers and when to use it. */
  readonly description: string
  readonly permission: Permission
  /** Absent: it reads only. */
  readonly changes?: { readonly isRepeatable: boolean }
}

export type Tool = Described & {
  readonly input: z.ZodObject
  /** `args` were checked by `input`. What it throws becomes words for the model. */
  readonly run: (context: ToolContext, args: never) => Promise<Answer>
}

/** Keeps the type of the arguments between `input` and `run`. */
export const defineTool = <Input extends z.ZodObject>(
  tool: Described & {
    readonly input: Input
    readonly run: (context: ToolContext, args: z.output<Input>) => Promise<Answer>
  },
): Tool => tool

/** Whether a token may use it at all: its scopes include the permission. What its person may is asked when it is used. */
export const mayUse = ({ scopes }: TokenViewer, { permission }: Pick<Tool, 'permission'>): boolean =>
  scopes.some((scope) => SCOPE_PERMISSIONS[scope].includes(permission))

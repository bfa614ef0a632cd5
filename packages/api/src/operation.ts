/**
 * What a route says of itself. The same words are checked while requests are answered and are written into the
 * OpenAPI document: docs/decisions/0100-openapi-from-the-routes.md
 */
import type { Grant, Permission } from '@sonde/access'
import { z } from 'zod'
import type { ApiContext } from './api-context.ts'
import type { PathParameter } from './path-parameters.ts'
import type { PageInput } from './query-schemas.ts'

/** The groups of the document, in its order. */
export const TAGS = {
  Account: 'Who calls, and what there is for them.',
  Organizations: 'Organizations, what their members did, and what was deleted and can be restored.',
  Members: 'Who belongs to an organization.',
  Teams: 'Teams, who is in them and which projects they have.',
  Tokens: 'Tokens of an organization.',
  Projects: 'Projects and how they treat what is sent to them.',
  Keys: 'Client keys: the DSNs that SDKs send to.',
  Issues: 'Issues, alone and many at once.',
  Comments: 'What people wrote and did at an issue.',
  Events: 'Events with their attachments.',
  Explore: 'Rows, sums and lines over events, spans, logs and metrics.',
  Performance: 'Traces, web vitals and navigations.',
  Releases: 'Releases, their commits, deploys, files and verdicts.',
  Uploads: 'Source maps and debug files, sent in pieces.',
  Alerts: 'Rules that tell people, and where they tell it.',
  Monitors: 'Monitors of scheduled jobs and of addresses.',
  Replays: 'Recordings of browser sessions.',
  Feedback: 'What users wrote.',
  Ownership: 'Who owns which code.',
  Data: 'Retention, scrubbing, and the data of one person.',
  Live: 'What happens now, as a stream.',
  SCIM: 'Directories that provision members and groups: SCIM 2.0, RFC 7644.',
  Links: 'Addresses that carry their own proof: of messages, hooks and sign-in.',
} as const satisfies Readonly<Record<string, string>>
export type Tag = keyof typeof TAGS

/** What is not JSON: the handler reads or writes it itself. */
export type Media = { readonly type: string; readonly description: string; readonly schema?: z.ZodType }
export const media = (type: string, description: string, schema?: z.ZodType): Media => ({
  type,
  description,
  ...(schema && { schema }),
})
export const mediaOf = (described: z.ZodType | Media | undefined): Media | undefined =>
  described instanceof z.ZodType ? undefined : described
export const schemaOf = (described: z.ZodType | Media | undefined): z.ZodType | undefined =>
  described instanceof z.ZodType ? described : undefined

export type Operation = {
  /** Name of the method that generators make of it. Under a second path it gets `OfProject` or the like. */
  readonly id: string
  /** An imperative sentence without its full stop. */
  readonly summary: string
  readonly description?: string
  readonly tag: Tag
  /** Opened before anything is read: the handler gets the grant, of the project when the path names one. */
  readonly permission?: Permission
  /** The handler opens it, maybe beside `permission`: it depends on what is asked. Only documented. */
  readonly opens?: Permission
  /** Who calls proves it by what the address or body carries: no token, no cookie. */
  readonly isPublic?: true
  /** The SCIM token of the organization alone opens it; the handler looks at it. */
  readonly isScim?: true
  /** A field that is a list gets every value of its parameter, another one the first. */
  readonly query?: z.ZodObject
  /** `Link` with both relations, which the handler sets, and the parameters `cursor` and `per_page`. */
  readonly pages?: true
  /** A JSON object; fields that it does not name are ignored, and null where a field takes none is no value. */
  readonly body?: z.ZodType | Media
  /** `API_BODY_BYTES.json` unless given. */
  readonly maxBytes?: number
  /** Of a success. Absent: it has no body. */
  readonly answer?: z.ZodType | Media
  /** 200, or 204 without a body. */
  readonly status?: SuccessStatus
  /** Other successes, told apart by `withStatus`. 202 and 204 have no body, others the same. */
  readonly also?: Readonly<Partial<Record<SuccessStatus | 409, string>>>
  /** What it refuses beyond what all refuse. */
  readonly errors?: Readonly<Partial<Record<402 | 404 | 409 | 410 | 413 | 422 | 429 | 501 | 503, string>>>
}
export type SuccessStatus = 200 | 201 | 202 | 204 | 208 | 302 | 303

/** An operation where it is registered. */
export type Described = {
  readonly method: Method
  /** As the router has it: `/organizations/:org`. */
  readonly path: string
  readonly operation: Operation
}
export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof METHODS)[number]

/** An answer with another status than the usual one. */
export class WithStatus<T> {
  readonly status: SuccessStatus | 409
  readonly value: T

  constructor(status: SuccessStatus | 409, value: T) {
    this.status = status
    this.value = value
  }
}
export const withStatus = <T>(status: SuccessStatus | 409, value: T): WithStatus<T> =>
  new WithStatus(status, value)

// What a handler gets and gives, from the path and the description.

/** `'org' | 'project'` of `/projects/:org/:project`. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** A path with a parameter that is not described does not compile. */
export type KnownPath<Path extends string> = [NamesIn<Path>] extends [PathParameter] ? Path : never

type SubjectOf<Path extends string> = Path extends unknown
  ? 'project' extends NamesIn<Path>
    ? 'project'
    : 'org'
  : never

type Input<Path extends string, O extends Operation> = {
  readonly c: ApiContext
  readonly params: { readonly [Name in NamesIn<Path>]: string }
  readonly grant: O extends { readonly permission: infer P extends Permission }
    ? Grant<P, SubjectOf<Path>>
    : undefined
  readonly page: O extends { readonly pages: true } ? PageInput : undefined
  readonly query: O extends { readonly query: infer Q extends z.ZodType } ? z.output<Q> : undefined
  readonly body: O extends { readonly body: infer B extends z.ZodType } ? z.output<B> : undefined
}

export type DeepReadonly<T> = T extends readonly unknown[] | Record<string, unknown>
  ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
  : T

/** Undefined: 404, as for everything that is not there. Without an answer, what it returns is not looked at. */
type Answer<O extends Operation> = O extends { readonly answer: infer A }
  ? A extends z.ZodType
    ? DeepReadonly<z.output<A>> | WithStatus<DeepReadonly<z.output<A>> | undefined> | undefined
    : Response
  : unknown

export type Handler<Path extends string, O extends Operation> = (
  input: Input<Path, O>,
) => Promise<Answer<O>> | Answer<O>

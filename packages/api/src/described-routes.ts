/** Registers routes together with what they say of themselves: what is asked is checked by it before the handler runs. */
import { readInput } from '@sonde/commands'
import type { Hono } from 'hono'
import { z } from 'zod'
import { type ApiContext, type ApiEnv, grantOfPath } from './api-context.ts'
import { API_BODY_BYTES, jsonObject } from './json-body.ts'
import {
  type Described,
  type Handler,
  type KnownPath,
  type Method,
  METHODS,
  type Operation,
  schemaOf,
  WithStatus,
} from './operation.ts'
import { pageInput, PageQuery } from './query-schemas.ts'

type Register = <const Path extends string, const O extends Operation>(
  path: KnownPath<Path>,
  operation: O,
  handler: Handler<Path, O>,
) => void

/** Routes cannot be registered without a description, so the document is complete. */
export type Api = Readonly<Record<Method, Register>> & { readonly operations: readonly Described[] }

export function describedRoutes(hono: Hono<ApiEnv>): Api {
  const operations: Described[] = []
  const register =
    (method: Method): Register =>
    (path, operation, handler) => {
      operations.push({ method, path, operation })
      hono.on(method, path, async (c: ApiContext) => {
        const input = {
          c,
          params: c.req.param(),
          grant: operation.permission && (await grantOfPath(c, operation.permission)),
          page: operation.pages && pageInput(queryOf(c, PageQuery)),
          query: operation.query && queryOf(c, operation.query),
          body: await bodyOf(c, operation),
        }
        return respond(c, operation, await handler(input as never))
      })
    }
  const methods = Object.fromEntries(METHODS.map((method) => [method, register(method)]))
  return { ...(methods as Record<Method, Register>), operations }
}

/** Throws `InvalidInput`. */
function queryOf<Schema extends z.ZodObject>(c: ApiContext, schema: Schema): z.output<Schema> {
  const given = Object.entries(schema.shape).map(([name, field]) => [
    name,
    isList(field) ? c.req.queries(name) : c.req.query(name),
  ])
  return readInput('read the parameters', schema, Object.fromEntries(given))
}

/** Also below `optional`, `catch` and the like. */
function isList(field: z.core.$ZodType): boolean {
  const def: { type: string; innerType?: z.ZodType; in?: z.ZodType } = (field as z.ZodType).def
  const inner = def.innerType ?? def.in
  return def.type === 'array' || (inner !== undefined && isList(inner))
}

/** Throws `InvalidInput`. Clients send null for what they do not set: where a field takes no null, it is left out. */
async function bodyOf(c: ApiContext, { body, maxBytes }: Operation): Promise<unknown> {
  const schema = schemaOf(body)
  if (!schema) return undefined
  const given = Object.entries(await jsonObject(c, maxBytes ?? API_BODY_BYTES.json))
  const fields = schema instanceof z.ZodObject ? schema.shape : {}
  const isSet = ([name, value]: readonly [string, unknown]): boolean =>
    value !== null || !(fields[name] && !fields[name].safeParse(null).success)
  return readInput('read the body', schema, Object.fromEntries(given.filter(isSet)))
}

function respond(c: ApiContext, { answer, status }: Operation, given: unknown): Response | Promise<Response> {
  if (given instanceof Response) return given
  if (given instanceof WithStatus)
    return given.value === undefined
      ? c.body(null, given.status as 204)
      : c.json(given.value, given.status as 200)
  if (!answer) return c.body(null, (status ?? 204) as 204)
  return given === undefined ? c.notFound() : c.json(given, (status ?? 200) as 200)
}

/**
 * SCIM 2.0 (RFC 7643, RFC 7644) of an organization: `/api/0/organizations/{org}/scim/v2/`, where Sentry has it
 * (https://docs.sentry.io/api/scim/). The organization's SCIM token alone opens it.
 */
import type { ScimCaller } from '@sonde/access'
import {
  changeScimGroup,
  createPostLimit,
  createScimGroup,
  createScimUser,
  deleteScimGroup,
  deleteScimUser,
  replaceScimUser,
} from '@sonde/commands'
import { scimGroup, scimGroups, scimPeople, scimPerson } from '@sonde/queries'
import type { Hono } from 'hono'
import { z } from 'zod'
import { type ApiContext, type ApiEnv, type ApiOptions, pathParam } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { API_BODY_BYTES, boundedBody } from '../json-body.ts'
import { LIST_SCHEMA, MAX_RESULTS, resourceTypes, schemas, serviceProviderConfig } from './scim-discovery.ts'
import { answerScimError, ScimError, scimJson, scimRefusal } from './scim-errors.ts'
import {
  field,
  isFields,
  memberIds,
  optionalText,
  patchGroup,
  patchUser,
  type ScimBody,
} from './scim-patch.ts'
import { chosen, groupResource, inputOf, type Resource, userInput, userResource } from './scim-resources.ts'
import {
  CHOSEN,
  Described,
  DescribedList,
  Group,
  GroupBody,
  Groups,
  LIST,
  Nothing,
  Patch,
  User,
  UserBody,
  Users,
} from './scim-shapes.ts'

const BASE = '/organizations/:org/scim/v2'
/** Of one organization. Entra asks for 25 in a second while it provisions for the first time. */
const REQUESTS_A_MINUTE = 3_000
/** Of one address, before anybody is known. */
const REFUSED_A_MINUTE = 300
const DEFAULT_COUNT = 100
const BEARER = /^Bearer +(\S{1,200}) *$/i

/** The SCIM token of the organization alone opens it. */
const common = { tag: 'SCIM', isScim: true, errors: { 429: 'Too many requests.' } } as const

type Handler = (c: ApiContext, caller: ScimCaller) => Promise<Response> | Response

/** `hono`: for every other address below. */
export function scimRoutes(api: Api, options: ApiOptions, hono: Hono<ApiEnv>): void {
  const { access, commands, queries, publicUrl } = options
  const nowMs = () => commands.clock.nowMs()
  const waitForOrg = createPostLimit({ postsAMinute: REQUESTS_A_MINUTE, nowMs })
  const waitForStranger = createPostLimit({ postsAMinute: REFUSED_A_MINUTE, nowMs })

  const wait = (c: ApiContext, waitSec: number): Response => {
    c.header('retry-after', String(waitSec))
    return scimRefusal(c, 429, 'Too many requests.')
  }

  /** Who asks, whether they may, and every failure as SCIM says it. */
  const scim =
    (handle: Handler) =>
    async ({ c }: { readonly c: ApiContext }): Promise<Response> => {
      try {
        const { headers } = c.req.raw
        const token = BEARER.exec(headers.get('authorization') ?? '')?.[1]
        const kind = c.req.path.split('/scim/v2/')[1]?.split('/')[0]?.slice(0, 40) ?? ''
        const asked = { orgSlug: pathParam(c, 'org'), request: `${c.req.method} /${kind}`, headers }
        const caller = token === undefined ? undefined : await access.scimCaller(token, asked)
        if (!caller) {
          const waitSec = waitForStranger(options.clientAddress?.(headers) ?? '')
          if (waitSec > 0) return wait(c, waitSec)
          c.header('www-authenticate', 'Bearer')
          return scimRefusal(c, 401, 'The SCIM token of this organization is needed.')
        }
        const waitSec = waitForOrg(String(caller.orgId))
        return waitSec > 0 ? wait(c, waitSec) : await handle(c, caller)
      } catch (error) {
        return answerScimError(options, c, error)
      }
    }

  const baseOf = ({ orgSlug }: ScimCaller) =>
    `${publicUrl}/api/0/organizations/${encodeURIComponent(orgSlug)}/scim/v2`
  const shown = (c: ApiContext, resource: Resource, status: 200 | 201 = 200): Response => {
    const { location, version } = resource.meta
    if (status === 201) c.header('location', location)
    if (version !== undefined) c.header('etag', version)
    const asks = c.req.header('if-none-match')
    if (status === 200 && c.req.method === 'GET' && asks !== undefined && asks === version)
      return c.body(null, 304)
    return scimJson(c, chosen(resource, c.req.query('attributes'), c.req.query('excludedAttributes')), status)
  }
  const list = (
    c: ApiContext,
    { total, rows }: { readonly total: number; readonly rows: readonly Resource[] },
    startIndex: number,
  ) =>
    scimJson(c, {
      schemas: [LIST_SCHEMA],
      totalResults: total,
      startIndex,
      itemsPerPage: rows.length,
      Resources: rows.map((row) => chosen(row, c.req.query('attributes'), c.req.query('excludedAttributes'))),
    })

  const person = async (caller: ScimCaller, id: string) => {
    const found = await scimPerson(queries, caller, id)
    if (!found) throw new ScimError(404, `there is no person ${id.slice(0, 100)}`)
    return found
  }
  const user = async (caller: ScimCaller, id: string) =>
    userResource(baseOf(caller), await person(caller, id))
  const groupId = (c: ApiContext): number => {
    const id = pathParam(c, 'group')
    if (!/^\d{1,15}$/.test(id)) throw new ScimError(404, `there is no group ${id.slice(0, 100)}`)
    return Number(id)
  }
  const group = async (caller: ScimCaller, id: number) => {
    const found = await scimGroup(queries, caller, { id, withMembers: true })
    if (!found) throw new ScimError(404, `there is no group ${id}`)
    return groupResource(baseOf(caller), found)
  }

  api.get(
    `${BASE}/Users`,
    { ...common, id: 'listScimUsers', summary: 'List members', query: z.object(LIST), answer: Users },
    scim(async (c, caller) => {
      const page = pageOf(c)
      const { total, rows } = await scimPeople(queries, caller, page)
      return list(c, { total, rows: rows.map((row) => userResource(baseOf(caller), row)) }, page.offset + 1)
    }),
  )
  api.post(
    `${BASE}/Users`,
    { ...common, id: 'createScimUser', summary: 'Make a member', body: UserBody, answer: User, status: 201 },
    scim(async (c, caller) => {
      const { id } = await createScimUser(
        commands,
        caller,
        userInput(await bodyOf(c, API_BODY_BYTES.scimUser)),
      )
      return shown(c, await user(caller, id), 201)
    }),
  )
  api.get(
    `${BASE}/Users/:person`,
    { ...common, id: 'getScimUser', summary: 'Read a member', query: z.object(CHOSEN), answer: User },
    scim(async (c, caller) => shown(c, await user(caller, pathParam(c, 'person')))),
  )
  api.put(
    `${BASE}/Users/:person`,
    { ...common, id: 'replaceScimUser', summary: 'Write a member', body: UserBody, answer: User },
    scim(async (c, caller) => {
      const id = pathParam(c, 'person')
      mustMatch(c, await user(caller, id))
      await replaceScimUser(commands, caller, id, userInput(await bodyOf(c, API_BODY_BYTES.scimUser)))
      return shown(c, await user(caller, id))
    }),
  )
  api.patch(
    `${BASE}/Users/:person`,
    { ...common, id: 'patchScimUser', summary: 'Change a member', body: Patch, answer: User },
    scim(async (c, caller) => {
      const id = pathParam(c, 'person')
      const before = await person(caller, id)
      mustMatch(c, userResource(baseOf(caller), before))
      const input = patchUser(inputOf(before), await bodyOf(c, API_BODY_BYTES.scimUser))
      await replaceScimUser(commands, caller, id, input)
      return shown(c, await user(caller, id))
    }),
  )
  api.delete(
    `${BASE}/Users/:person`,
    { ...common, id: 'deleteScimUser', summary: 'Remove a member', answer: Nothing, status: 204 },
    scim(async (c, caller) => {
      const id = pathParam(c, 'person')
      mustMatch(c, await user(caller, id))
      await deleteScimUser(commands, caller, id)
      return c.body(null, 204)
    }),
  )

  api.get(
    `${BASE}/Groups`,
    { ...common, id: 'listScimGroups', summary: 'List teams', query: z.object(LIST), answer: Groups },
    scim(async (c, caller) => {
      const page = pageOf(c)
      const withMembers = asksMembers(c)
      const { total, rows } = await scimGroups(queries, caller, { ...page, withMembers })
      return list(c, { total, rows: rows.map((row) => groupResource(baseOf(caller), row)) }, page.offset + 1)
    }),
  )
  api.post(
    `${BASE}/Groups`,
    { ...common, id: 'createScimGroup', summary: 'Make a team', body: GroupBody, answer: Group, status: 201 },
    scim(async (c, caller) => {
      const body = await bodyOf(c, API_BODY_BYTES.scimGroup)
      const { id } = await createScimGroup(commands, caller, groupInput(body))
      return shown(c, await group(caller, id), 201)
    }),
  )
  api.get(
    `${BASE}/Groups/:group`,
    { ...common, id: 'getScimGroup', summary: 'Read a team', query: z.object(CHOSEN), answer: Group },
    scim(async (c, caller) => shown(c, await group(caller, groupId(c)))),
  )
  api.put(
    `${BASE}/Groups/:group`,
    { ...common, id: 'replaceScimGroup', summary: 'Write a team', body: GroupBody, answer: Group },
    scim(async (c, caller) => {
      const id = groupId(c)
      mustMatch(c, await group(caller, id))
      const { externalId = null, ...input } = groupInput(await bodyOf(c, API_BODY_BYTES.scimGroup))
      await changeScimGroup(commands, caller, id, { ...input, externalId })
      return shown(c, await group(caller, id))
    }),
  )
  api.patch(
    `${BASE}/Groups/:group`,
    { ...common, id: 'patchScimGroup', summary: 'Change a team', body: Patch, answer: Group },
    scim(async (c, caller) => {
      const id = groupId(c)
      if (c.req.header('if-match') !== undefined) mustMatch(c, await group(caller, id))
      const change = patchGroup(await bodyOf(c, API_BODY_BYTES.scimGroup))
      await changeScimGroup(commands, caller, id, change)
      return shown(c, await group(caller, id))
    }),
  )
  api.delete(
    `${BASE}/Groups/:group`,
    { ...common, id: 'deleteScimGroup', summary: 'Delete a team', answer: Nothing, status: 204 },
    scim(async (c, caller) => {
      const id = groupId(c)
      if (c.req.header('if-match') !== undefined) mustMatch(c, await group(caller, id))
      await deleteScimGroup(commands, caller, id)
      return c.body(null, 204)
    }),
  )

  api.get(
    `${BASE}/ServiceProviderConfig`,
    { ...common, id: 'getScimConfig', summary: 'Read what is supported', answer: Described },
    scim((c, caller) => {
      noFilter(c)
      return scimJson(c, serviceProviderConfig(baseOf(caller)))
    }),
  )
  for (const [name, all] of [
    ['ResourceTypes', resourceTypes],
    ['Schemas', schemas],
  ] as const) {
    api.get(
      `${BASE}/${name}`,
      { ...common, id: `listScim${name}`, summary: 'List descriptions', answer: DescribedList },
      scim((c, caller) => {
        noFilter(c)
        const rows = all(baseOf(caller))
        const counts = { totalResults: rows.length, startIndex: 1, itemsPerPage: rows.length }
        return scimJson(c, { schemas: [LIST_SCHEMA], ...counts, Resources: rows })
      }),
    )
    api.get(
      `${BASE}/${name}/:resource`,
      { ...common, id: `getScim${name}`, summary: 'Read a description', answer: Described },
      scim((c, caller) => {
        const found = all(baseOf(caller)).find(({ id }) => id === pathParam(c, 'resource'))
        return found ? scimJson(c, found) : scimRefusal(c, 404, 'there is no such description')
      }),
    )
  }
  const elsewhere = scim((c) => {
    const [, below = ''] = c.req.path.split('/scim/v2')
    if (/^\/(?:Bulk|Me|\.search)\/?$|\/\.search\/?$/.test(below))
      return scimRefusal(c, 501, 'This is not supported: see ServiceProviderConfig.')
    return /^\/(?:Users|Groups|ResourceTypes|Schemas|ServiceProviderConfig)(?:\/[^/]+)?\/?$/.test(below)
      ? scimRefusal(c, 405, `${c.req.method} is not possible here.`)
      : scimRefusal(c, 404, 'There is nothing here.')
  })
  hono.all(`${BASE}/*`, (c) => elsewhere({ c }))
}

const groupInput = (body: ScimBody) => {
  const displayName = optionalText('displayName', field(body, 'displayname'))
  if (displayName === undefined) throw new ScimError(400, '"displayName" is needed', 'invalidValue')
  const externalId = optionalText('externalId', field(body, 'externalid'))
  return { displayName, externalId, members: [...memberIds(field(body, 'members'))] }
}

/** Throws `ScimError`. */
async function bodyOf(c: ApiContext, maxBytes: number): Promise<ScimBody> {
  const pieces: Buffer[] = []
  const tooLong = () => new ScimError(413, `a body has at most ${maxBytes} bytes`)
  for await (const piece of boundedBody(c, maxBytes, tooLong)) pieces.push(piece)
  try {
    const body: unknown = JSON.parse(Buffer.concat(pieces).toString())
    if (isFields(body)) return body
  } catch {
    // answered below
  }
  throw new ScimError(400, 'a JSON object is needed', 'invalidSyntax')
}

/** Of a list: from 1, and less than 1 is 1; a count below 0 is 0 (RFC 7644, 3.4.2.4). */
function pageOf(c: ApiContext) {
  const number = (name: string, otherwise: number): number => {
    const text = c.req.query(name)
    if (text === undefined || text === '') return otherwise
    if (!/^-?\d{1,9}$/.test(text)) throw new ScimError(400, `${name} is a whole number`, 'invalidValue')
    return Number(text)
  }
  const count = Math.min(MAX_RESULTS, Math.max(0, number('count', DEFAULT_COUNT)))
  return {
    filter: c.req.query('filter') || undefined,
    offset: Math.max(1, number('startIndex', 1)) - 1,
    limit: count,
  }
}

/** Directories leave members out of lists, and so should they: a group may have thousands. */
function asksMembers(c: ApiContext): boolean {
  const names = (text: string | undefined) =>
    (text ?? '')
      .toLowerCase()
      .split(',')
      .map(
        (name) =>
          name
            .trim()
            .split(/[.:]/)
            .findLast((part) => part !== 'value') ?? '',
      )
  const only = c.req.query('attributes')
  if (only) return names(only).includes('members')
  return !names(c.req.query('excludedAttributes')).includes('members')
}

function noFilter(c: ApiContext): void {
  if (c.req.query('filter') !== undefined) throw new ScimError(403, 'what is described here is not filtered')
}

/** Throws `ScimError` (412) when somebody has changed it since it was read. */
function mustMatch(c: ApiContext, { meta }: Resource): void {
  const asked = c.req.header('if-match')
  if (asked === undefined || asked.trim() === '*') return
  if (!asked.split(',').some((version) => version.trim() === meta.version))
    throw new ScimError(412, 'it was changed meanwhile: read it again')
}

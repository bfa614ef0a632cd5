/** People and groups as resources of SCIM. */
import { createHash } from 'node:crypto'
import type { ScimUserInput } from '@sonde/commands'
import type { ScimGroup, ScimPerson } from '@sonde/queries'
import { GROUP_SCHEMA, USER_SCHEMA } from './scim-discovery.ts'
import { booleanOf, emailsOf, field, isFields, optionalText, type ScimBody } from './scim-patch.ts'

export type Resource = Readonly<Record<string, unknown>> & {
  readonly meta: { readonly location: string; readonly version?: string }
}

export function userResource(base: string, person: ScimPerson): Resource {
  const { id, userName, externalId, isActive, displayName, name, emails, groups } = person
  const body = {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId !== undefined && { externalId }),
    userName,
    ...(name !== undefined && Object.keys(name).length > 0 && { name }),
    ...(displayName !== undefined && { displayName }),
    active: isActive,
    ...(emails.length > 0 && { emails }),
    ...(groups.length > 0 && {
      groups: groups.map((group) => ({
        value: String(group.id),
        $ref: `${base}/Groups/${group.id}`,
        display: group.name,
      })),
    }),
  }
  return { ...body, meta: metaOf('User', `${base}/Users/${id}`, person, versionOf(body)) }
}

export function groupResource(base: string, group: ScimGroup): Resource {
  const { id, displayName, externalId, members } = group
  const body = {
    schemas: [GROUP_SCHEMA],
    id: String(id),
    ...(externalId !== undefined && { externalId }),
    displayName,
    ...(members !== undefined &&
      members.length > 0 && {
        members: members.map((member) => ({ value: member, $ref: `${base}/Users/${member}` })),
      }),
  }
  // Without its members a group is not known to be the same.
  const version = members === undefined ? undefined : versionOf(body)
  return { ...body, meta: metaOf('Group', `${base}/Groups/${id}`, group, version) }
}

const metaOf = (
  resourceType: string,
  location: string,
  { createdMs, updatedMs }: { readonly createdMs: number; readonly updatedMs: number },
  version: string | undefined,
) => ({
  resourceType,
  created: new Date(createdMs).toISOString(),
  lastModified: new Date(updatedMs).toISOString(),
  location,
  ...(version !== undefined && { version }),
})

const versionOf = (body: object): string =>
  `W/"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22)}"`

export const inputOf = (person: ScimPerson): ScimUserInput => ({
  userName: person.userName,
  externalId: person.externalId,
  active: person.isActive,
  displayName: person.displayName,
  name: person.name,
  emails: person.emails.map((email) => ({ ...email })),
})

/** Attributes that are not kept are left out, as RFC 7644 has it (3.3). Throws `ScimError`. */
export function userInput(body: ScimBody): ScimUserInput {
  const active = field(body, 'active')
  const name = field(body, 'name')
  const emails = field(body, 'emails')
  const part = (lower: string) =>
    isFields(name) ? optionalText(`name.${lower}`, field(name, lower)) : undefined
  return {
    userName: optionalText('userName', field(body, 'username')) ?? '',
    externalId: optionalText('externalId', field(body, 'externalid')),
    active: active === undefined || active === null ? true : booleanOf(active),
    displayName: optionalText('displayName', field(body, 'displayname')),
    ...(isFields(name) && {
      name: { formatted: part('formatted'), familyName: part('familyname'), givenName: part('givenname') },
    }),
    emails: (emails === undefined || emails === null ? [] : emailsOf(emails)) as ScimUserInput['emails'],
  }
}

const ALWAYS: ReadonlySet<string> = new Set(['schemas', 'id'])
const lastName = (name: string): string =>
  name
    .trim()
    .replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '')
    .toLowerCase()

/** `attributes` and `excludedAttributes` of a request, by whole attributes or one part below. */
export function chosen(resource: Resource, only: string | undefined, without: string | undefined): object {
  if (only !== undefined && only !== '') {
    const names = only.split(',').slice(0, 100).map(lastName)
    return keep(resource, (path) =>
      names.some((name) => path === name || path.startsWith(`${name}.`) || name.startsWith(`${path}.`)),
    )
  }
  const names = new Set((without ?? '').split(',').slice(0, 100).map(lastName))
  return keep(resource, (path) => !names.has(path))
}

function keep(resource: object, isKept: (path: string) => boolean): object {
  const parts = (value: unknown, above: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => parts(each, above))
    if (!isFields(value)) return value
    return Object.fromEntries(
      Object.entries(value).filter(([name]) => isKept(`${above}.${name.toLowerCase()}`)),
    )
  }
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) => {
      if (ALWAYS.has(name)) return [[name, value]]
      const path = name.toLowerCase()
      return isKept(path) ? [[name, parts(value, path)]] : []
    }),
  )
}

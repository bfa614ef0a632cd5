/** Resources of SCIM: of RFC 7643 those attributes that Sonde keeps. */
import { z } from 'zod'
import { media } from '../operation.ts'
import { text } from '../query-schemas.ts'

const SCIM = 'application/scim+json'
const of = (description: string, schema: z.ZodType) => media(SCIM, description, schema)
const optional = z.string().optional()
const date = z.string().meta({ format: 'date-time' })

const Meta = z
  .object({
    resourceType: z.string(),
    created: date,
    lastModified: date,
    location: z.url(),
    version: z.string().meta({ description: 'Weak ETag, of a whole resource.' }),
  })
  .partial()
  .meta({ id: 'ScimMeta' })
const Schemas = z.array(z.string()).meta({ description: 'URNs of what it is.' })

const USER = {
  externalId: optional.meta({ description: 'Of the directory.' }),
  userName: z.string().meta({ description: 'What the directory calls the person, mostly the address.' }),
  name: z.object({ formatted: optional, familyName: optional, givenName: optional }).optional(),
  displayName: optional,
  active: z.boolean().meta({ description: 'Whether the person is a member.' }),
  emails: z
    .array(z.object({ value: z.string(), type: z.string(), primary: z.boolean() }).partial())
    .optional()
    .meta({ description: 'The primary one, or that of work, is the one that counts.' }),
}
const GROUP = { externalId: optional, displayName: z.string() }
const ignored = 'Other attributes are ignored.'

/** Tools take a property that is called so for a reference of JSON Schema. */
const reference = (fields: Record<string, z.ZodString>) =>
  z.object(fields).partial().catchall(z.string()).meta({ description: '`$ref` is its address.' })

/** As `attributes` and `excludedAttributes` choose. */
const UserResource = z
  .object({
    ...USER,
    groups: z.array(reference({ value: z.string(), display: z.string() })),
    meta: Meta,
  })
  .partial()
  .extend({ schemas: Schemas, id: z.string() })
  .meta({ id: 'ScimUser' })
const GroupResource = z
  .object({
    ...GROUP,
    members: z
      .array(reference({ value: z.string() }))
      .meta({ description: 'Ids of members. Lists leave them out.' }),
    meta: Meta,
  })
  .partial()
  .extend({ schemas: Schemas, id: z.string() })
  .meta({ id: 'ScimGroup' })

export const User = of('A member: RFC 7643, 4.1.', UserResource)
export const UserBody = of(
  'A member: RFC 7643, 4.1.',
  z.looseObject({ ...USER, active: USER.active.optional() }).meta({ description: ignored }),
)
export const Group = of('A team: RFC 7643, 4.2.', GroupResource)
export const GroupBody = of(
  'A team: RFC 7643, 4.2.',
  z
    .looseObject({ ...GROUP, members: z.array(z.object({ value: z.string() })).optional() })
    .meta({ description: ignored }),
)

const listOf = (resource: z.ZodType) =>
  of(
    'A list: RFC 7644, 3.4.2.',
    z.object({
      schemas: Schemas,
      totalResults: z.int(),
      startIndex: z.int(),
      itemsPerPage: z.int(),
      Resources: z.array(resource),
    }),
  )
export const Users = listOf(UserResource)
export const Groups = listOf(GroupResource)

/** Settings, schemas and types of resources: they are as the RFC says. */
const Description = z.looseObject({ schemas: Schemas, meta: Meta }).meta({
  id: 'ScimDescription',
  description: 'What the endpoint can: RFC 7643, 5 to 7, says the other fields.',
})
export const Described = of('RFC 7643.', Description)
export const DescribedList = listOf(Description)

export const Patch = of(
  'Operations: RFC 7644, 3.5.2.',
  z.object({
    schemas: Schemas.optional(),
    Operations: z.array(
      z.object({
        op: z.string().meta({ description: '`add`, `replace` or `remove`, in any case.' }),
        path: z
          .string()
          .optional()
          .meta({ examples: ['members[value eq "2819c223"]'] }),
        value: z
          .unknown()
          .meta({ description: 'Of the attribute that `path` names, or attributes by name.' }),
      }),
    ),
  }),
)
export const Nothing = media(SCIM, 'Done.')
export const CHOSEN = { attributes: text('Only these.'), excludedAttributes: text('Without these.') }
export const LIST = {
  ...CHOSEN,
  filter: text('For example `userName eq "ada@acme.test"`.'),
  startIndex: text('From 1.'),
  count: text('At most.'),
}

/** How SCIM's resources are described: loosely, RFC 7643 says the rest. */
import { z } from 'zod'
import { media } from '../operation.ts'
import { text } from '../query-schemas.ts'

const SCIM = 'application/scim+json'
const of = (description: string, schema: z.ZodType) => media(SCIM, description, schema)
const Resource = z.looseObject({ schemas: z.array(z.string()), id: z.string(), meta: z.looseObject({}) })
export const User = of(
  'A member: RFC 7643, 4.1.',
  Resource.extend({ userName: z.string(), active: z.boolean() }).meta({ id: 'ScimUser' }),
)
export const Group = of(
  'A team: RFC 7643, 4.2.',
  Resource.extend({ displayName: z.string() }).meta({ id: 'ScimGroup' }),
)
export const List = of(
  'A list: RFC 7644, 3.4.2.',
  z.object({
    schemas: z.array(z.string()),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(z.looseObject({})),
  }),
)
export const Patch = of(
  'Operations: RFC 7644, 3.5.2.',
  z.looseObject({ Operations: z.array(z.looseObject({ op: z.string() })) }),
)
export const Other = of('RFC 7643.', z.looseObject({ schemas: z.array(z.string()) }))
export const Nothing = media(SCIM, 'Done.')
export const CHOSEN = { attributes: text('Only these.'), excludedAttributes: text('Without these.') }
export const LIST = {
  ...CHOSEN,
  filter: text('For example `userName eq "ada@acme.test"`.'),
  startIndex: text('From 1.'),
  count: text('At most.'),
}

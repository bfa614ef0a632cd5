/** What this endpoint can, and the attributes that it keeps: https://www.rfc-editor.org/rfc/rfc7643#section-5 to 7 */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
/** Of one page. */
export const MAX_RESULTS = 200

type Attribute = {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'complex' | 'reference'
  readonly description: string
  readonly required?: boolean
  readonly multiValued?: boolean
  readonly mutability?: 'readOnly' | 'readWrite' | 'immutable'
  readonly uniqueness?: 'none' | 'server'
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly Attribute[]
}

const attribute = ({ subAttributes, ...given }: Attribute): object => ({
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...given,
  ...(subAttributes && { subAttributes: subAttributes.map(attribute) }),
})

const USER: readonly Attribute[] = [
  {
    name: 'userName',
    type: 'string',
    required: true,
    uniqueness: 'server',
    description: 'What the directory calls the person, mostly the address.',
  },
  {
    name: 'name',
    type: 'complex',
    description: 'The name, as the directory tells it.',
    subAttributes: [
      { name: 'formatted', type: 'string', description: 'The whole name.' },
      { name: 'familyName', type: 'string', description: 'The family name.' },
      { name: 'givenName', type: 'string', description: 'The given name.' },
    ],
  },
  { name: 'displayName', type: 'string', description: 'The name that lists show.' },
  {
    name: 'active',
    type: 'boolean',
    required: true,
    description: 'Whether the person is a member. Left out, a new person is.',
  },
  {
    name: 'emails',
    type: 'complex',
    multiValued: true,
    description: 'Addresses. The primary one, or that of work, is the one that counts.',
    subAttributes: [
      { name: 'value', type: 'string', required: true, description: 'The address.' },
      { name: 'type', type: 'string', description: 'work, home or other.' },
      { name: 'primary', type: 'boolean', description: 'Whether it is the one that counts.' },
    ],
  },
  {
    name: 'groups',
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    description: 'Groups, changed at the group.',
    subAttributes: [
      { name: 'value', type: 'string', mutability: 'readOnly', description: 'The id of the group.' },
      {
        name: '$ref',
        type: 'reference',
        referenceTypes: ['Group'],
        mutability: 'readOnly',
        description: 'Its address.',
      },
      { name: 'display', type: 'string', mutability: 'readOnly', description: 'Its name.' },
    ],
  },
]

const GROUP: readonly Attribute[] = [
  {
    name: 'displayName',
    type: 'string',
    required: true,
    uniqueness: 'server',
    description: 'The name of the group, and of the team that it is.',
  },
  {
    name: 'members',
    type: 'complex',
    multiValued: true,
    description: 'The people in it.',
    subAttributes: [
      { name: 'value', type: 'string', mutability: 'immutable', description: 'The id of the person.' },
      {
        name: '$ref',
        type: 'reference',
        referenceTypes: ['User'],
        mutability: 'immutable',
        description: 'Their address.',
      },
    ],
  },
]

const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

export const resourceTypes = (base: string): readonly ({ readonly id: string } & object)[] =>
  (['User', 'Group'] as const).map((id) => ({
    schemas: [RESOURCE_TYPE],
    id,
    name: id,
    description: id === 'User' ? 'A person' : 'A team',
    endpoint: `/${id}s`,
    schema: id === 'User' ? USER_SCHEMA : GROUP_SCHEMA,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` },
  }))

export const schemas = (base: string): readonly ({ readonly id: string } & object)[] =>
  (
    [
      [USER_SCHEMA, 'User', 'A person', USER],
      [GROUP_SCHEMA, 'Group', 'A team', GROUP],
    ] as const
  ).map(([id, name, description, attributes]) => ({
    schemas: [SCHEMA],
    id,
    name,
    description,
    attributes: attributes.map(attribute),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }))

export const serviceProviderConfig = (base: string): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The SCIM token of the organization, in the header Authorization.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

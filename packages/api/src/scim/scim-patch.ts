/**
 * PATCH of SCIM (https://www.rfc-editor.org/rfc/rfc7644#section-3.5.2), with the spellings of Entra: "Add", active as the text
 * "False", paths with a dot as names of a value, members to remove as a value.
 */
import type { ScimGroupChange, ScimUserInput } from '@sonde/commands'
import { parseScimPath, type ScimFilter, type ScimPath } from '@sonde/queries'
import { ScimError } from './scim-errors.ts'

const OPS = ['add', 'replace', 'remove'] as const
type Op = (typeof OPS)[number]
type Operation = { readonly op: Op; readonly path: ScimPath | undefined; readonly value: unknown }
export type ScimBody = Readonly<Record<string, unknown>>
type Fields = ScimBody

const MAX_OPERATIONS = 1_000

/** Throws `ScimError`. */
function operationsOf(body: Fields): readonly Operation[] {
  const list = field(body, 'operations')
  if (!Array.isArray(list) || list.length === 0)
    throw new ScimError(400, 'Operations is a list with at least one operation', 'invalidSyntax')
  if (list.length > MAX_OPERATIONS)
    throw new ScimError(400, `at most ${MAX_OPERATIONS} operations at once`, 'tooMany')
  return list.map((each: unknown) => {
    if (!isFields(each)) throw new ScimError(400, 'an operation is an object', 'invalidSyntax')
    const [word, path] = [field(each, 'op'), field(each, 'path')]
    const op = OPS.find((known) => typeof word === 'string' && known === word.toLowerCase())
    if (!op) throw new ScimError(400, `op is one of ${OPS.join(', ')}`, 'invalidSyntax')
    if (path !== undefined && path !== null && typeof path !== 'string')
      throw new ScimError(400, 'path is a text', 'invalidPath')
    const isWhole = path === undefined || path === null || path === ''
    if (op === 'remove' && isWhole) throw new ScimError(400, 'remove needs a path', 'noTarget')
    return { op, path: isWhole ? undefined : pathOf(path), value: field(each, 'value') }
  })
}

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:'

/** Attributes of other schemas have dots and colons of their own, and are not kept. */
const pathOf = (text: string): ScimPath =>
  text.toLowerCase().startsWith(ENTERPRISE)
    ? { attribute: ENTERPRISE, filter: undefined, sub: undefined }
    : parseScimPath(text)

type Target = Omit<Operation, 'path'> & { readonly path: ScimPath; readonly isNamed: boolean }

/** One by one, what a value without a path names. */
function* targets(operations: readonly Operation[]): Generator<Target> {
  for (const { op, path, value } of operations) {
    if (path) {
      yield { op, path, value, isNamed: true }
      continue
    }
    if (!isFields(value)) throw new ScimError(400, 'without a path the value is an object', 'invalidSyntax')
    for (const [name, each] of Object.entries(value))
      yield { op, path: pathOf(name), value: each, isNamed: false }
  }
}

/** Of RFC 7643 and not kept here. Directories send them unless they are told not to. */
const NOT_KEPT: ReadonlySet<string> = new Set([
  ENTERPRISE,
  'schemas',
  'nickname',
  'profileurl',
  'title',
  'usertype',
  'preferredlanguage',
  'locale',
  'timezone',
  'password',
  'phonenumbers',
  'ims',
  'photos',
  'addresses',
  'entitlements',
  'roles',
  'x509certificates',
])
const READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta', 'groups'])

type Email = {
  value?: string | undefined
  type?: string | undefined
  primary?: boolean | undefined
}
type UserDraft = {
  userName: string
  externalId?: string | undefined
  active?: boolean | undefined
  displayName?: string | undefined
  name?: ScimUserInput['name']
  emails: Email[]
}
const TEXTS = { username: 'userName', externalid: 'externalId', displayname: 'displayName' } as const
const NAME_PARTS = { formatted: 'formatted', familyname: 'familyName', givenname: 'givenName' } as const

/** What somebody is to be after the operations. Throws `ScimError`, `SondeError` (`invalid`). */
export function patchUser(before: ScimUserInput, body: Fields): ScimUserInput {
  const draft: UserDraft = { ...before, emails: [...(before.emails ?? [])] }
  for (const { op, path, value, isNamed } of targets(operationsOf(body))) {
    const { attribute } = path
    if (NOT_KEPT.has(attribute)) continue
    if (READ_ONLY.has(attribute)) {
      if (isNamed) throw new ScimError(400, `"${attribute}" cannot be changed`, 'mutability')
      continue
    }
    if (attribute === 'emails') patchEmails(draft, op, path, value)
    else if (attribute === 'name' && !path.filter) patchName(draft, op, path.sub, value)
    else if (path.filter || path.sub !== undefined) throw unknownPath(attribute)
    else if (attribute === 'active') {
      if (op === 'remove') throw new ScimError(400, '"active" cannot be removed', 'mutability')
      draft.active = booleanOf(value)
    } else if (Object.hasOwn(TEXTS, attribute)) {
      const name = TEXTS[attribute as keyof typeof TEXTS]
      const next = op === 'remove' ? undefined : textOf(name, value)
      if (name !== 'userName') draft[name] = next
      else if (next === undefined) throw new ScimError(400, '"userName" cannot be removed', 'mutability')
      else draft.userName = next
    } else throw unknownPath(attribute)
  }
  return draft as ScimUserInput
}

function patchName(draft: UserDraft, op: Op, sub: string | undefined, value: unknown): void {
  if (sub === undefined && op === 'remove') draft.name = undefined
  else if (sub === undefined) {
    if (!isFields(value)) throw new ScimError(400, '"name" is an object', 'invalidValue')
    for (const [name, each] of Object.entries(value)) patchName(draft, op, name.toLowerCase(), each)
  } else {
    // Titles and middle names are not kept.
    const part = Object.hasOwn(NAME_PARTS, sub) ? NAME_PARTS[sub as keyof typeof NAME_PARTS] : undefined
    if (part)
      draft.name = { ...draft.name, [part]: op === 'remove' ? undefined : textOf(`name.${sub}`, value) }
  }
}

function patchEmails(draft: UserDraft, op: Op, { filter, sub }: ScimPath, value: unknown): void {
  if (sub !== undefined && sub !== 'value' && sub !== 'type' && sub !== 'primary' && sub !== 'display')
    throw unknownPath(`emails.${sub}`)
  const isMeant = (email: Email) => !filter || matches(filter, { ...email })
  if (op === 'remove') {
    draft.emails =
      sub === undefined || sub === 'value'
        ? draft.emails.filter((email) => !isMeant(email))
        : draft.emails.map((email) => (isMeant(email) ? { ...email, [sub]: undefined } : email))
    return
  }
  if (!filter && sub === undefined) {
    const told = emailsOf(value)
    const kept =
      op === 'replace' ? [] : draft.emails.filter((email) => told.every((one) => one.value !== email.value))
    draft.emails = [...onePrimary(kept, told), ...told]
    return
  }
  if (sub === 'display') return
  const part = sub === undefined ? emailsOf(value)[0] : partOf(sub, value)
  if (draft.emails.some(isMeant)) {
    draft.emails = draft.emails.map((email) => (isMeant(email) ? { ...email, ...part } : email))
    return
  }
  // Entra adds the first address of a kind by a path that names the kind.
  const made =
    filter?.kind === 'compare' && filter.operator === 'eq' ? { [filter.attribute]: filter.value } : undefined
  if (filter && !made) throw new ScimError(400, 'no address is as the path says', 'noTarget')
  draft.emails = [...draft.emails, { ...made, ...part }]
}

const onePrimary = (kept: readonly Email[], told: readonly Email[]): readonly Email[] =>
  told.some(({ primary }) => primary === true) ? kept.map((email) => ({ ...email, primary: false })) : kept

const partOf = (sub: 'value' | 'type' | 'primary', value: unknown): Email =>
  sub === 'primary' ? { primary: booleanOf(value) } : { [sub]: textOf(`emails.${sub}`, value) }

export function emailsOf(value: unknown): Email[] {
  return [value].flat().map((each: unknown) => {
    if (typeof each === 'string') return { value: each }
    if (!isFields(each)) throw new ScimError(400, '"emails" is a list of objects', 'invalidValue')
    const type = optionalText('emails.type', field(each, 'type'))
    const primary = field(each, 'primary')
    return {
      value: textOf('emails.value', field(each, 'value')),
      ...(type !== undefined && { type }),
      ...(primary !== undefined && primary !== null && { primary: booleanOf(primary) }),
    }
  })
}

function matches(filter: ScimFilter, item: Readonly<Record<string, string | boolean | undefined>>): boolean {
  if ('parts' in filter)
    return filter.kind === 'and'
      ? filter.parts.every((part) => matches(part, item))
      : filter.parts.some((part) => matches(part, item))
  if (filter.kind === 'not') return !matches(filter.part, item)
  const has = item[filter.attribute]
  if (filter.kind === 'present') return has !== undefined && has !== ''
  const [own, asked] = [String(has ?? '').toLowerCase(), String(filter.value ?? '').toLowerCase()]
  if (filter.operator === 'eq') return own === asked
  if (filter.operator === 'ne') return own !== asked
  if (filter.operator === 'co') return own.includes(asked)
  if (filter.operator === 'sw') return own.startsWith(asked)
  if (filter.operator === 'ew') return own.endsWith(asked)
  throw new ScimError(400, 'addresses are not compared by size', 'invalidPath')
}

/** What becomes of a group. Throws `ScimError`, `SondeError` (`invalid`). */
export function patchGroup(body: Fields): ScimGroupChange {
  const change: { displayName?: string; externalId?: string | null } = {}
  let all: Set<string> | undefined
  let [add, remove] = [new Set<string>(), new Set<string>()]
  for (const { op, path, value, isNamed } of targets(operationsOf(body))) {
    const { attribute, filter, sub } = path
    if (NOT_KEPT.has(attribute)) continue
    if (READ_ONLY.has(attribute)) {
      if (isNamed) throw new ScimError(400, `"${attribute}" cannot be changed`, 'mutability')
    } else if (attribute === 'displayname') {
      if (op === 'remove') throw new ScimError(400, '"displayName" cannot be removed', 'mutability')
      change.displayName = textOf('displayName', value)
    } else if (attribute === 'externalid')
      change.externalId = op === 'remove' ? null : textOf('externalId', value)
    else if (attribute !== 'members' || (sub !== undefined && sub !== 'value')) throw unknownPath(attribute)
    else if (op === 'remove') {
      const named = filter ? idsOfFilter(filter) : value === undefined ? undefined : memberIds(value)
      if (!named) [all, add, remove] = [new Set(), new Set(), new Set()]
      for (const id of named ?? []) {
        all?.delete(id)
        add.delete(id)
        remove.add(id)
      }
    } else {
      const named = filter ? idsOfFilter(filter) : memberIds(value)
      if (op === 'replace' && !filter) [all, add, remove] = [new Set(), new Set(), new Set()]
      for (const id of named) {
        remove.delete(id)
        ;(all ?? add).add(id)
      }
    }
  }
  return all ? { ...change, members: [...all] } : { ...change, add: [...add], remove: [...remove] }
}

/** `members[value eq "ID"]`, or several of these by "or". */
function idsOfFilter(filter: ScimFilter): readonly string[] {
  if (filter.kind === 'or') return filter.parts.flatMap(idsOfFilter)
  if (filter.kind === 'compare' && filter.attribute === 'value' && filter.operator === 'eq')
    return [String(filter.value)]
  throw new ScimError(400, 'members are named by value eq "ID"', 'invalidPath')
}

export function memberIds(value: unknown): readonly string[] {
  if (value === undefined || value === null) return []
  return [value].flat().map((each: unknown) => {
    if (typeof each === 'string') return each
    const type = isFields(each) ? field(each, 'type') : undefined
    if (type === 'Group')
      throw new ScimError(400, 'a group has people as members, not groups', 'invalidValue')
    return textOf('members.value', isFields(each) ? field(each, 'value') : undefined)
  })
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names of attributes have no case. */
export function field(fields: Fields, lowerName: string): unknown {
  const name = Object.keys(fields).find((own) => own.toLowerCase() === lowerName)
  return name === undefined ? undefined : fields[name]
}

function textOf(name: string, value: unknown): string {
  // Some directories wrap a value into a list of one, or an object.
  const plain = isFields(value) ? field(value, 'value') : value
  if (typeof plain === 'string') return plain
  throw new ScimError(400, `"${name}" is a text`, 'invalidValue')
}

export const optionalText = (name: string, value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : textOf(name, value)

export function booleanOf(value: unknown): boolean {
  const plain = [value].flat()[0]
  if (typeof plain === 'boolean') return plain
  const word = typeof plain === 'string' ? plain.toLowerCase() : ''
  if (word === 'true' || word === 'false') return word === 'true'
  throw new ScimError(400, 'true or false is needed', 'invalidValue')
}

const unknownPath = (attribute: string): ScimError =>
  new ScimError(400, `there is no attribute "${attribute}"`, 'invalidPath')

/** What directories write into filters and paths: it is read in one pass, or refused in the words of SCIM. */
import assert from 'node:assert/strict'
import { SondeError } from '@sonde/base'
import { ScimError } from '../../../packages/api/src/scim/scim-errors.ts'
import { patchGroup, patchUser } from '../../../packages/api/src/scim/scim-patch.ts'
import {
  parseScimFilter,
  parseScimPath,
  type ScimFilter,
} from '../../../packages/queries/src/scim/scim-filter.ts'
import type { Target } from '../engine/target.ts'

const OPERATIONS = [
  { op: 'Add', path: 'emails[type eq "work"].value', value: 'a@b.test' },
  { op: 'replace', value: { active: 'False', 'name.givenName': 'A' } },
  { op: 'remove', path: 'members[value eq "1" or value eq "2"]' },
  { op: 'add', path: 'members', value: [{ value: '1' }] },
]

export const scim: Target = {
  name: 'scim',
  seeds: () => [
    Buffer.from('userName eq "a@b.test" and not (active eq "False" or emails[type eq "work"].value co "b")'),
    Buffer.from('urn:ietf:params:scim:schemas:core:2.0:User:name.givenName pr'),
    Buffer.from('emails[type eq "work" and primary eq true].value'),
    Buffer.from(JSON.stringify({ Operations: OPERATIONS })),
  ],
  words: [
    ' eq ',
    ' pr',
    ' and ',
    ' or ',
    'not ',
    '(',
    ')',
    '[',
    ']',
    '"',
    '\\',
    'emails.',
    'urn:',
    'null',
    '-1.5',
  ],
  maxBytes: 8 * 1024,
  open: () => ({ run }),
}

function run(input: Buffer): void {
  const text = input.toString('utf8')
  const filter = unlessRefused(() => parseScimFilter(text))
  if (filter) assert.ok(comparisons(filter) <= 50)
  const path = unlessRefused(() => parseScimPath(text))
  if (path) assert.equal(path.attribute, path.attribute.toLowerCase())
  const bodies: unknown[] = [{ Operations: [{ op: 'replace', path: text, value: text }] }]
  try {
    bodies.push(JSON.parse(text))
  } catch {
    // most inputs are none
  }
  for (const body of bodies) {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) continue
    const fields = body as Record<string, unknown>
    unlessRefused(() => patchUser({ userName: 'a', emails: [{ value: 'a', type: 'work' }] }, fields))
    unlessRefused(() => patchGroup(fields))
  }
  assert.equal(Object.hasOwn(Object.prototype, 'value'), false)
}

const comparisons = (filter: ScimFilter): number => {
  if ('parts' in filter) return filter.parts.reduce((sum, part) => sum + comparisons(part), 0)
  return filter.kind === 'not' ? comparisons(filter.part) : 1
}

/** A refusal in our own words is no find. */
function unlessRefused<T>(job: () => T): T | undefined {
  try {
    return job()
  } catch (error) {
    if (error instanceof ScimError || (error instanceof SondeError && error.kind === 'invalid'))
      return undefined
    throw error
  }
}

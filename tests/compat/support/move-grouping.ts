/** Moves the project to another version of grouping, as its settings do. */
import assert from 'node:assert/strict'
import { sondeJson } from '../../harness/start-sonde.ts'
import type { Harness } from './harness.ts'

export async function moveGrouping({ sonde }: Harness, groupingConfig: string): Promise<void> {
  const { token } = sondeJson<{ token: string }>(sonde.dataDir, [
    'token',
    'create',
    '--name',
    'grouping',
    '--scopes',
    'project:write',
  ])
  const { status } = await fetch(`${sonde.url}/api/0/projects/acme/shop/`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ groupingConfig }),
  })
  assert.equal(status, 200)
}

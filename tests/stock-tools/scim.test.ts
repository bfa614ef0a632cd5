/** The compliance check of scim2-tester, which reads what we say of ourselves and holds us to it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { makeScimToken } from '@sonde/commands'
import { openSsoHarness } from '../../packages/api/test/sso/sso-harness.ts'
import { ensurePython } from '../../scripts/test/compat-tools.mjs'
import { serveFetch } from '../harness/fetch-server.ts'

/** The password of the harness. */
const AGAIN = { currentPassword: 'correct horse' }
const run = promisify(execFile)
const HERE = join(import.meta.dirname, 'scim')
const MODULES = join(import.meta.dirname, '..', '..', '.cache', 'scim2-tester-0.5.2')

async function modules(python: string): Promise<void> {
  if (existsSync(MODULES)) return
  const draft = `${MODULES}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  // The list is whole. Some versions of pip take an extra (`pydantic[email]`) for a package that it does not name.
  const requirements = ['--no-deps', '--require-hashes', '-r', join(HERE, 'requirements.txt')]
  await run(python, ['-m', 'pip', 'install', '--quiet', '--target', draft, ...requirements])
  renameSync(draft, MODULES)
}

test('scim2-tester finds nothing that is not as the RFCs have it', { timeout: 300_000 }, async (t) => {
  const python = ensurePython()
  await modules(python)
  const harness = await openSsoHarness()
  t.after(() => harness.close())
  const { token } = await makeScimToken(harness.commands, await harness.owner(), AGAIN)
  const server = await serveFetch((request) => harness.api.fetch(request))
  t.after(() => server.close())
  const { stdout } = await run(
    python,
    [join(HERE, 'check.py'), `${server.url}/api/0/organizations/acme/scim/v2`, token],
    { env: { ...process.env, PYTHONPATH: MODULES }, maxBuffer: 16 * 1024 * 1024 },
  )
  const results = JSON.parse(stdout) as { status: string; title: string; reason: string }[]
  const said = results.map(({ status, title, reason }) => `${status} ${title}: ${reason}`)
  assert.deepEqual(
    said.filter((line) => /^(?:ERROR|CRITICAL|DEVIATION)/.test(line)),
    [],
  )
  assert.ok(said.filter((line) => line.startsWith('SUCCESS')).length > 60, `only ${said.length} checks`)
})

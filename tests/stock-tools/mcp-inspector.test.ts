/** The MCP Inspector on the command line, unmodified: lists the tools, checks their schemas, and calls one. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, suite, test } from 'node:test'
import { ensureInspector } from '../../scripts/test/stock-tools.mjs'
import { type Harness, openHarness, uploadToken } from './support/harness.ts'

suite('the MCP Inspector', () => {
  let harness: Harness
  let program = ''
  let token = ''
  before(async () => {
    program = join(ensureInspector(), 'node_modules', '.bin', 'mcp-inspector')
    harness = await openHarness()
    token = uploadToken(harness.sonde, 'acme', 'org:read,event:read')
  })
  after(() => harness.close())

  const inspect = async (...args: readonly string[]) => {
    const address = `${harness.sonde.url}/mcp`
    const header = `Authorization: Bearer ${token}`
    const child = spawn(program, ['--cli', address, '--transport', 'http', '--header', header, ...args], {
      env: { ...process.env, ...harness.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, err, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once('close', resolve)),
    ])
    return { out, err, code }
  }

  test('finds the tools of the token, and no fault in their schemas', async () => {
    const { out, err, code } = await inspect('--method', 'tools/list', '--strict')
    assert.equal(code, 0, err)
    const { tools } = JSON.parse(out) as { readonly tools: readonly { readonly name: string }[] }
    const names = tools.map(({ name }) => name)
    assert.ok(names.includes('get_event') && !names.includes('update_issue'), names.join(' '))
  })

  test('calls one', async () => {
    const { out, err, code } = await inspect('--method', 'tools/call', '--tool-name', 'list_projects')
    assert.equal(code, 0, err)
    assert.match(out, /Organization acme: 1 projects/)
  })
})

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { rolldown } from 'rolldown'
import { build } from 'vite'
import { buildPages, SERVER_ENTRY, sondeRouter, sondeServerRoutes } from '../../src/vite/index.ts'

const NODE_MODULES = path.resolve(import.meta.dirname, '../../../../node_modules')
let root: string

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true })
  await writeFile(path.join(root, file), text)
}

const buildClient = (): Promise<unknown> =>
  build({ root, configFile: false, logLevel: 'silent', plugins: [sondeRouter({ routesDir: 'routes' })] })

describe('server only', () => {
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'router-build-'))
    await symlink(NODE_MODULES, path.join(root, 'node_modules'))
  })

  afterEach(() => rm(root, { recursive: true, force: true }))

  test('a page that imports server code as a value stops the browser build by name', async () => {
    await write('routes/page.server.ts', `export const password = 'hunter2'; export function load() {}`)
    await write(
      'routes/page.tsx',
      `import { password } from './page.server.ts'; export default () => <p>{password}</p>`,
    )
    await assert.rejects(buildClient(), /page\.server\.ts runs on the server only; .*routes\/page\.tsx/)
  })

  test('a package of the server stops the browser build unless the list allows it', async () => {
    const page = (from: string): Promise<void> =>
      write('routes/page.tsx', `import * as all from '${from}'; export default () => String(all)`)
    const allowed = ['@sonde/router', '@sonde/protocol/*']
    const plugin = sondeRouter({ routesDir: 'routes', browserImports: { scope: '@sonde/', allowed } })
    const buildWalled = (): Promise<unknown> =>
      build({ root, configFile: false, logLevel: 'silent', plugins: [plugin], build: { write: false } })
    for (const from of ['@sonde/queries', '@sonde/router/server', '@sonde/protocol']) {
      await page(from)
      await assert.rejects(buildWalled(), new RegExp(`${from} runs on the server only; .*routes/page\\.tsx`))
    }
    for (const from of ['@sonde/router', '@sonde/protocol/dsn']) {
      await page(from)
      await buildWalled()
    }
  })

  test('a type import of server code leaves nothing of it in the browser build', async () => {
    await write('routes/page.server.ts', `export function load() { return { password: 'hunter2' } }`)
    await write(
      'routes/page.tsx',
      `import type { load } from './page.server.ts'; export default () => <p>{({} as ReturnType<typeof load>).password}</p>`,
    )
    await write(
      'vite.config.ts',
      `import { sondeRouter } from '@sonde/router/vite'; export default { plugins: [sondeRouter({ routesDir: 'routes' })] }`,
    )
    const outDir = path.join(root, 'out')
    const buildId = await buildPages({ root, outDir, logLevel: 'silent' })
    assert.deepEqual(JSON.parse(await readFile(path.join(outDir, 'build.json'), 'utf8')), { buildId })
    const manifest = JSON.parse(
      await readFile(path.join(outDir, 'client/.vite/manifest.json'), 'utf8'),
    ) as Record<string, { file: string }>
    for (const { file } of Object.values(manifest)) {
      assert.ok(!(await readFile(path.join(outDir, 'client', file), 'utf8')).includes('hunter2'), file)
    }
    const server = await rolldown({
      input: SERVER_ENTRY,
      cwd: root,
      platform: 'node',
      plugins: sondeServerRoutes({ root, routesDir: 'routes' }),
      logLevel: 'silent',
    })
    const { output } = await server.generate()
    assert.ok(output[0].code.includes('hunter2'))
    assert.ok(!output[0].code.includes('react-dom-server.node.development'))
  })

  test('a tree that breaks a rule stops the build with the file', async () => {
    await write('routes/[...all]/page.tsx', `export default () => null`)
    await assert.rejects(buildClient(), /\[\.\.\.all\]\/page\.tsx: catch-all/)
  })
})

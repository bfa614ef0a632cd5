/** Both generations of sentry-cli: what a pipeline calls around a deploy, and what a person calls by hand. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GitCheckout, gitCheckout } from './support/git-checkout.ts'
import { openHarness, type Harness, uploadToken } from './support/harness.ts'
import { issueEvent } from './support/issue-event.ts'
import { mustRun, runTool } from './support/run-tool.ts'

let harness: Harness
let checkout: GitCheckout

before(async () => {
  harness = await openHarness()
  checkout = gitCheckout()
})
after(async () => {
  checkout?.remove()
  await harness?.close()
})

for (const cli of ['sentry-cli 2', 'sentry-cli 3'] as const) {
  describe(cli, () => {
    const version = `shop@${cli.at(-1)}.0.0`
    const path = `/api/0/organizations/acme/releases/${encodeURIComponent(version)}/`
    const run = (...words: string[]): Promise<string> =>
      mustRun(cli, words, { cwd: checkout.folder, env: harness.env })

    let head: string

    before(() => {
      head = checkout.commit(`Coupons as ${cli} knows them`)
    })

    test('info says where it is signed in and what it may', async () => {
      const said = await run('info')
      assert.match(said, new RegExp(`Sentry Server: ${harness.sonde.url}`))
      assert.match(said, /Default Organization: acme/)
      assert.match(said, /org:ci/)
    })

    test('a release is proposed, made, given its commits, finalized and deployed', async () => {
      assert.equal((await run('releases', 'propose-version')).trim(), head)
      assert.match(await run('releases', 'new', version), /Created release/)
      assert.match(await run('releases', 'set-commits', version, '--auto'), /Success! Set commits/)
      assert.match(await run('releases', 'finalize', version), /Finalized release/)
      assert.match(await run('releases', 'deploys', version, 'new', '-e', 'production'), /Created new deploy/)
      assert.match(await run('releases', 'deploys', version, 'list'), /production/)
      const { body } = await harness.api.get<{
        version: string
        dateReleased: string | null
        lastCommit: { id: string; message: string } | null
        projects: { slug: string }[]
      }>(path)
      assert.equal(body.version, version)
      assert.ok(body.dateReleased, 'it is finalized')
      assert.equal(body.lastCommit?.id, head)
      assert.deepEqual(
        body.projects.map(({ slug }) => slug),
        ['shop'],
      )
      // The commits since the release before, with the files that they changed.
      const commits = await harness.api.get<{ id: string; message: string }[]>(`${path}commits/`)
      assert.equal(commits.body[0]?.message.trim(), `Coupons as ${cli} knows them`)
      assert.equal(commits.body.length, cli === 'sentry-cli 2' ? 2 : 1)
      const deploys = await harness.api.get<{ environment: string }[]>(`${path}deploys/`)
      assert.deepEqual(
        deploys.body.map(({ environment }) => environment),
        ['production'],
      )
    })

    test('releases are listed and shown with their projects and commits', async () => {
      assert.match(await run('releases', 'list'), new RegExp(version))
      const shown = await run('releases', 'info', version, '--show-projects', '--show-commits')
      assert.match(shown, new RegExp(version))
      assert.match(shown, /shop/)
      assert.match(shown, new RegExp(head.slice(0, 7)))
    })

    test('a release is archived, opened again and deleted', async () => {
      const passing = `passing@${cli.at(-1)}`
      await run('releases', 'new', passing)
      assert.match(await run('releases', 'archive', passing), /Archived release/)
      assert.match(await run('releases', 'restore', passing), /Restored release/)
      assert.match(await run('releases', 'delete', passing), /Deleted release/)
      const gone = await harness.api.get(`/api/0/organizations/acme/releases/${passing}/`)
      assert.equal(gone.status, 404)
    })

    test('send-event becomes an issue', async () => {
      const title = `Sent by hand with ${cli}`
      assert.match(await run('send-event', '-m', title, '-r', version), /Event dispatched/)
      const event = await issueEvent(harness, title)
      assert.equal(event.release?.version, version)
    })

    test('a commit that says what it fixes resolves it in the release', async () => {
      type Fixed = { shortId: string; title: string; status: string; statusDetails: object }
      const issues = '/api/0/projects/acme/shop/issues/?query='
      const { body: before } = await harness.api.get<Fixed[]>(issues)
      const issue = before.find(({ title }) => title === `Sent by hand with ${cli}`)
      assert.equal(issue?.status, 'unresolved')
      const fixed = `shop@${cli.at(-1)}.1.0`
      checkout.commit(`Coupons may be empty\n\nFixes ${issue.shortId}, SHOP-999`)
      await run('releases', 'new', fixed)
      assert.match(await run('releases', 'set-commits', fixed, '--auto'), /Success! Set commits/)
      const { body: after } = await harness.api.get<Fixed[]>(issues)
      const now = after.find(({ shortId }) => shortId === issue.shortId)
      assert.deepEqual([now?.status, now?.statusDetails], ['resolved', { inRelease: fixed }])
      assert.deepEqual(
        after.filter(({ status, shortId }) => status === 'resolved' && shortId !== issue.shortId).length,
        before.filter(({ status }) => status === 'resolved').length,
      )
    })

    test('organizations, projects, repositories and issues are listed', async () => {
      assert.match(await run('organizations', 'list'), /acme/)
      assert.match(await run('projects', 'list'), /shop/)
      assert.match(await run('repos', 'list'), /No repos found/)
      assert.match(await run('issues', 'list'), /Sent by hand/)
      assert.match(await run('events', 'list'), /Sent by hand/)
    })

    test('monitors are listed for a token that reads alerts, after a run that the tool reports', async () => {
      const refused = await runTool(cli, ['monitors', 'list'], { cwd: checkout.folder, env: harness.env })
      assert.equal(refused.code, 1)
      assert.match(refused.output, /needs the permission alert:read/)
      const slug = `nightly-${cli.at(-1)}`
      await run('monitors', 'run', slug, '--schedule', '0 3 * * *', '--', 'true')
      const env = { ...harness.env, SENTRY_AUTH_TOKEN: uploadToken(harness.sonde, 'acme', 'alerts:read') }
      let listed = ''
      for (let tries = 0; tries < 50 && !listed.includes(slug); tries++) {
        await sleep(200)
        listed = await mustRun(cli, ['monitors', 'list'], { cwd: checkout.folder, env })
      }
      assert.match(listed, new RegExp(slug))
    })
  })
}

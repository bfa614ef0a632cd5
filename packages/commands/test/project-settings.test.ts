import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import {
  ensureProject,
  InvalidInput,
  linesOf,
  setAllowedDomains,
  setProjectRateLimit,
  setSpikeProtection,
  updateProject,
  updateProjectFilters,
  updateProjectNoise,
  updateProjectScrubbing,
} from '@sonde/commands'
import { projectSettings, projectSpikes } from '@sonde/queries'
import { DEFAULT_PROJECT_SETTINGS } from '@sonde/stores'
import { type Harness, openHarness } from './harness.ts'

const SHOP = { org: 'acme', project: 'shop' }
const { filters: FILTERS, scrub: SCRUB } = DEFAULT_PROJECT_SETTINGS
const KIB = 'x'.repeat(1024)

describe('settings of a project', () => {
  let harness: Harness
  let owner: UserViewer
  before(async () => {
    harness = await openHarness()
    for (const slug of ['shop', 'other'])
      await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug })
    owner = await harness.viewer('acme', 'owner')
  })
  after(() => harness.close())

  const read = async (project = 'shop') => {
    const scope = await harness.access.openProject(owner, 'acme', project, 'project:read')
    const found = await projectSettings({ records: harness.db }, scope)
    assert.ok(found)
    return found
  }
  const epoch = async (): Promise<number> =>
    (await harness.db.selectFrom('settings_epoch').select('value').executeTakeFirstOrThrow()).value

  it('are the defaults until somebody changes them', async () => {
    const found = await read()
    const names = Object.keys(DEFAULT_PROJECT_SETTINGS) as (keyof typeof DEFAULT_PROJECT_SETTINGS)[]
    assert.deepEqual(
      Object.fromEntries([...names, 'rateLimit' as const].map((name) => [name, found[name]])),
      { ...DEFAULT_PROJECT_SETTINGS, rateLimit: undefined },
    )
  })

  it('what is saved is read again; each section leaves the others alone', async () => {
    const filters = {
      ...FILTERS,
      crawlers: true,
      messages: ['  ResizeObserver loop*  ', '', 'ResizeObserver loop*'],
    }
    const saved = await updateProjectFilters(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, ...filters },
    )
    assert.deepEqual(saved.messages, ['ResizeObserver loop*'], 'trimmed, no empty ones, each once')
    const scrub = { ...SCRUB, sensitiveFields: ['iban'], scrubIp: true }
    await updateProjectScrubbing(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, ...scrub },
    )
    await setProjectRateLimit(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, rateLimit: { count: 100, windowSec: 60 } },
    )
    const now = await read()
    assert.deepEqual(now.filters, saved)
    assert.deepEqual(now.scrub, scrub)
    assert.deepEqual(now.rateLimit, { count: 100, windowSec: 60 })
    assert.deepEqual((await read('other')).filters, FILTERS)
    await setProjectRateLimit(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, rateLimit: null },
    )
    assert.equal((await read()).rateLimit, undefined)
    assert.deepEqual((await read()).scrub, scrub)
  })

  it('allowed domains are kept as typed, each once; none means all', async () => {
    const typed = [' *.shop.example ', '', 'localhost:5173', '*.shop.example']
    const set = (allowedDomains: string[]) =>
      harness.deps.access
        .openProject(owner, SHOP.org, SHOP.project, 'project:write')
        .then((grant) => setAllowedDomains(harness.deps, grant, { ...SHOP, allowedDomains }))
    await setProjectRateLimit(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, rateLimit: { count: 9, windowSec: 60 } },
    )
    assert.deepEqual(await set(typed), ['*.shop.example', 'localhost:5173'])
    const { allowedDomains, rateLimit } = await read()
    assert.deepEqual(allowedDomains, ['*.shop.example', 'localhost:5173'])
    assert.deepEqual(rateLimit, { count: 9, windowSec: 60 })
    await set([])
    assert.deepEqual((await read()).allowedDomains, [])
    await setProjectRateLimit(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, rateLimit: null },
    )
  })

  it('what is done with noise is kept by class; what is kept anyway is not written', async () => {
    const grant = await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write')
    await updateProjectNoise(harness.deps, grant, {
      actions: { bot: 'drop', extension: 'thin', offline: 'keep' },
      fullPerDay: 500,
    })
    assert.deepEqual((await read()).noise, { actions: { bot: 'drop', extension: 'thin' }, fullPerDay: 500 })
    assert.deepEqual((await read('other')).noise, DEFAULT_PROJECT_SETTINGS.noise)
    for (const fullPerDay of [1, 99.5, 10_000_001])
      await assert.rejects(
        updateProjectNoise(harness.deps, grant, { actions: {}, fullPerDay }),
        (error: InvalidInput) => Object.hasOwn(error.fields, 'fullPerDay'),
      )
    await updateProjectNoise(harness.deps, grant, DEFAULT_PROJECT_SETTINGS.noise)
  })

  it('spike protection is on until somebody switches it off, which ends the spike that lasts', async () => {
    const grant = await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write')
    const stateOf = async () => {
      const { state, spikes } = await projectSpikes({ records: harness.db }, grant)
      return [state, spikes[0]?.endedMs]
    }
    await harness.db
      .insertInto('spike')
      .values({
        project_id: grant.projectId,
        category: 'event',
        started_ms: 1_000,
        last_ms: 2_000,
        usual_per_hour: 60,
        minute_limit: 600,
        peak_per_minute: 900,
        kept: 10,
        sampled: 90,
      })
      .execute()
    assert.deepEqual(await stateOf(), ['learning', undefined])
    await setSpikeProtection(harness.deps, grant, { isOn: false })
    assert.deepEqual(await stateOf(), ['off', 2_000])
    assert.deepEqual((await read()).rateLimit, undefined)
    await setSpikeProtection(harness.deps, grant, { isOn: true })
    assert.deepEqual(await stateOf(), ['learning', 2_000])
    const audit = await harness.db
      .selectFrom('audit_entry')
      .select('detail')
      .where('action', '=', 'project.spike-protection')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      audit.map(({ detail }) => JSON.parse(detail) as unknown),
      [{ isOn: false }, { isOn: true }],
    )
  })

  it('two people who save different sections at once both keep theirs', async () => {
    await Promise.all([
      harness.deps.access
        .openProject(owner, SHOP.org, SHOP.project, 'project:write')
        .then((grant) => updateProjectFilters(harness.deps, grant, { ...SHOP, ...FILTERS, localhost: true })),
      harness.deps.access
        .openProject(owner, SHOP.org, SHOP.project, 'project:write')
        .then((grant) =>
          updateProjectScrubbing(harness.deps, grant, { ...SHOP, ...SCRUB, safeFields: ['token_type'] }),
        ),
    ])
    const { filters, scrub } = await read()
    assert.deepEqual([filters.localhost, scrub.safeFields], [true, ['token_type']])
  })

  it('the number that the pipeline polls moves with a change, and only then', async () => {
    const first = await epoch()
    await updateProjectFilters(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, ...FILTERS, releases: ['1.*'] },
    )
    assert.equal(await epoch(), first + 1)
    await updateProjectFilters(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, ...FILTERS, releases: ['1.*'] },
    )
    await setProjectRateLimit(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, rateLimit: { count: 1, windowSec: 1 } },
    )
    assert.equal(await epoch(), first + 1)
  })

  const REFUSED: readonly [string, object, 'filters' | 'scrub' | 'limit' | 'domains' | 'project'][] = [
    ['messages', { messages: ['*'] }, 'filters'],
    ['messages', { messages: ['ok', '? *'] }, 'filters'],
    ['releases', { releases: [KIB] }, 'filters'],
    ['releases', { releases: Array.from({ length: 101 }, (_, at) => `r${at}`) }, 'filters'],
    ['localhost', { localhost: 'yes' }, 'filters'],
    ['sensitiveFields', { sensitiveFields: ['a'] }, 'scrub'],
    ['sensitiveFields', { sensitiveFields: ['--_--'] }, 'scrub'],
    ['safeFields', { safeFields: [KIB] }, 'scrub'],
    ['rateLimit', { rateLimit: { count: -1, windowSec: 60 } }, 'limit'],
    ['rateLimit', { rateLimit: { count: 1, windowSec: 0 } }, 'limit'],
    ['rateLimit', { rateLimit: { count: 1.5, windowSec: 60 } }, 'limit'],
    ['rateLimit', { rateLimit: { count: Number.NaN, windowSec: 60 } }, 'limit'],
    ['allowedDomains', { allowedDomains: ['shop.example', 'https://shop.example/cart'] }, 'domains'],
    ['allowedDomains', { allowedDomains: ['shop.*'] }, 'domains'],
    ['allowedDomains', { allowedDomains: [KIB] }, 'domains'],
    ['slug', { slug: 'settings' }, 'project'],
    ['slug', { slug: 'other' }, 'project'],
    ['name', { name: ' ' }, 'project'],
    ['platform', { platform: 'a b' }, 'project'],
  ]
  for (const [field, given, section] of REFUSED) {
    it(`refuses ${JSON.stringify(given).slice(0, 50)} beside the field ${field}`, async () => {
      const attempt = {
        filters: () =>
          harness.deps.access
            .openProject(owner, SHOP.org, SHOP.project, 'project:write')
            .then((grant) => updateProjectFilters(harness.deps, grant, { ...SHOP, ...FILTERS, ...given })),
        scrub: () =>
          harness.deps.access
            .openProject(owner, SHOP.org, SHOP.project, 'project:write')
            .then((grant) => updateProjectScrubbing(harness.deps, grant, { ...SHOP, ...SCRUB, ...given })),
        limit: () =>
          harness.deps.access
            .openProject(owner, SHOP.org, SHOP.project, 'project:write')
            .then((grant) =>
              setProjectRateLimit(harness.deps, grant, { ...SHOP, rateLimit: null, ...given }),
            ),
        domains: () =>
          harness.deps.access
            .openProject(owner, SHOP.org, SHOP.project, 'project:write')
            .then((grant) =>
              setAllowedDomains(harness.deps, grant, { ...SHOP, allowedDomains: [], ...given }),
            ),
        project: () =>
          harness.deps.access
            .openProject(owner, SHOP.org, SHOP.project, 'project:write')
            .then((grant) => updateProject(harness.deps, grant, given)),
      }[section]
      await assert.rejects(attempt(), (error) => {
        assert.ok(error instanceof InvalidInput)
        assert.deepEqual(Object.keys(error.fields), [field])
        return true
      })
    })
  }

  it('a project takes a new name and address; its keys stay', async () => {
    const { id } = await read()
    const keys = () =>
      harness.db.selectFrom('project_key').select('public_key').where('project_id', '=', id).execute()
    const before = await keys()
    const changed = await updateProject(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      {
        ...SHOP,
        slug: 'store',
        name: 'The store',
        platform: 'php',
      },
    )
    assert.deepEqual(changed, { id, slug: 'store', name: 'The store', platform: 'php' })
    assert.deepEqual(await keys(), before)
    assert.equal((await read('store')).name, 'The store')
    await updateProject(
      harness.deps,
      await harness.deps.access.openProject(owner, 'acme', 'store', 'project:write'),
      { slug: 'shop' },
    )
  })

  it('each change is in the audit with what was before; saving the same again is none', async () => {
    const entries = async () => harness.db.selectFrom('audit_entry').selectAll().orderBy('id').execute()
    await updateProjectScrubbing(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, ...SCRUB },
    )
    const last = (await entries()).at(-1)
    assert.equal(last?.action, 'project.scrubbing')
    assert.deepEqual(JSON.parse(last.detail).before.scrub.safeFields, ['token_type'])
    const { length } = await entries()
    await updateProjectScrubbing(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, ...SCRUB },
    )
    await updateProject(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, slug: 'shop' },
    )
    assert.equal((await entries()).length, length)
  })

  it('the lines of a text field become a list', () => {
    assert.deepEqual(linesOf(' a \r\n\n b*\n'), ['a', 'b*'])
  })
})

/** Who gets the grant that each command about a project takes: every role, a stranger and two tokens: a table that is written out. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type Viewer } from '@sonde/access'
import { type SondeError } from '@sonde/base'
import {
  type CommandDeps,
  createKey,
  ensureProject,
  createToken,
  deleteKey,
  deleteProject,
  InvalidInput,
  rotateKey,
  setAllowedDomains,
  setProjectRateLimit,
  setSpikeProtection,
  setSpanCaps,
  updateKey,
  updateProject,
  updateProjectFilters,
  updateProjectSampling,
  updateProjectScrubbing,
} from '@sonde/commands'
import { DEFAULT_PROJECT_SETTINGS, ROLES } from '@sonde/stores'
import { type Harness, openHarness } from './harness.ts'

const { filters, scrub } = DEFAULT_PROJECT_SETTINGS
/** No such key: who gets that far was allowed. */
const KEY = { keyId: 999 }

const open = <P extends 'project:write' | 'project:delete'>(
  deps: CommandDeps,
  viewer: Viewer,
  permission: P,
) => deps.access.openProject(viewer, 'acme', 'shop', permission)

const COMMANDS: Readonly<Record<string, (deps: CommandDeps, viewer: Viewer) => Promise<unknown>>> = {
  updateProject: (deps, viewer) =>
    open(deps, viewer, 'project:write').then((grant) => updateProject(deps, grant, {})),
  updateProjectFilters: (deps, viewer) =>
    open(deps, viewer, 'project:write').then((grant) => updateProjectFilters(deps, grant, filters)),
  updateProjectScrubbing: (deps, viewer) =>
    open(deps, viewer, 'project:write').then((grant) => updateProjectScrubbing(deps, grant, scrub)),
  setAllowedDomains: (deps, viewer) =>
    open(deps, viewer, 'project:write').then((grant) =>
      setAllowedDomains(deps, grant, { allowedDomains: [] }),
    ),
  updateProjectSampling: (deps, viewer) =>
    open(deps, viewer, 'project:write').then((grant) =>
      updateProjectSampling(deps, grant, { rules: [], sampleMeasured: false }),
    ),
  setSpanCaps: (deps, viewer) =>
    open(deps, viewer, 'project:write').then((grant) =>
      setSpanCaps(deps, grant, { cap: null, perMinute: null }),
    ),
  setProjectRateLimit: (deps, viewer) =>
    open(deps, viewer, 'project:write').then((grant) =>
      setProjectRateLimit(deps, grant, { rateLimit: null }),
    ),
  setSpikeProtection: (deps, viewer) =>
    open(deps, viewer, 'project:write').then((grant) => setSpikeProtection(deps, grant, { isOn: true })),
  createKey: (deps, viewer) =>
    open(deps, viewer, 'project:write').then((grant) => createKey(deps, grant, {})),
  updateKey: (deps, viewer) =>
    open(deps, viewer, 'project:write').then((grant) => updateKey(deps, grant, KEY)),
  rotateKey: (deps, viewer) =>
    open(deps, viewer, 'project:write').then((grant) => rotateKey(deps, grant, KEY)),
  deleteKey: (deps, viewer) =>
    open(deps, viewer, 'project:write').then((grant) => deleteKey(deps, grant, KEY)),
  deleteProject: (deps, viewer) =>
    open(deps, viewer, 'project:delete').then((grant) => deleteProject(deps, grant, { confirmSlug: '' })),
}

const TABLE = `
                          viewer member admin owner project:write project:admin event:admin
  updateProject             -      -      x     x         x             x           -
  updateProjectFilters      -      -      x     x         x             x           -
  updateProjectScrubbing    -      -      x     x         x             x           -
  setAllowedDomains         -      -      x     x         x             x           -
  updateProjectSampling     -      -      x     x         x             x           -
  setSpanCaps               -      -      x     x         x             x           -
  setProjectRateLimit       -      -      x     x         x             x           -
  setSpikeProtection        -      -      x     x         x             x           -
  createKey                 -      -      x     x         x             x           -
  updateKey                 -      -      x     x         x             x           -
  rotateKey                 -      -      x     x         x             x           -
  deleteKey                 -      -      x     x         x             x           -
  deleteProject             -      -      -     x         -             x           -`

describe('who may change a project', () => {
  let harness: Harness
  const viewers = new Map<string, Viewer>()
  before(async () => {
    harness = await openHarness()
    for (const org of ['acme', 'rival'])
      await ensureProject(harness.deps, operatorViewer, { org, slug: 'shop' })
    for (const role of ROLES) viewers.set(role, await harness.viewer('acme', role))
    for (const scope of ['project:write', 'project:admin', 'event:admin']) {
      const { token } = await createToken(
        harness.deps,
        await harness.deps.access.openOrg(operatorViewer, 'acme', 'token:write'),
        { name: scope, scopes: [scope] },
      )
      const viewer = await harness.access.viewerFromToken(token)
      if (viewer) viewers.set(scope, viewer)
    }
    viewers.set('stranger', await harness.viewer('rival', 'owner'))
  })
  after(() => harness.close())

  const ends = async (name: string, who: string): Promise<string> => {
    const viewer = viewers.get(who)
    assert.ok(viewer, who)
    try {
      await COMMANDS[name]?.(harness.deps, viewer)
      return 'x'
    } catch (error) {
      const { kind, subject } = error as SondeError
      // Past the permission: the input or the key is what was wrong.
      if (error instanceof InvalidInput || (kind === 'not-found' && subject === '999')) return 'x'
      return kind === 'forbidden' ? '-' : kind
    }
  }

  const [head = '', ...lines] = TABLE.trim().split('\n')
  const columns = head.trim().split(/\s+/)
  assert.deepEqual(
    lines.map((line) => line.trim().split(/\s+/)[0]),
    Object.keys(COMMANDS),
  )
  for (const line of lines) {
    const [name = '', ...marks] = line.trim().split(/\s+/)
    it(`${name}: ${columns.filter((_, at) => marks[at] === 'x').join(', ')}`, async () => {
      for (const [at, who] of columns.entries()) assert.equal(await ends(name, who), marks[at], who)
      assert.equal(await ends(name, 'stranger'), 'not-found')
    })
  }
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { silentLogger } from '@sonde/base'
import { BACK_MODULES } from '../src/back/back-modules.ts'
import { readConfig } from '../src/config/config.ts'
import { FRONT_MODULES } from '../src/front/front-modules.ts'
import { ALL_ROLES, moduleOf, modulesOf, type Role, startModules } from '../src/modules.ts'

type Parts = { store: string; reader: string; writer: string; screen: string }
const happened: string[] = []
const module = moduleOf<Parts, { readonly name: string }>()
const part =
  <Name extends string>(name: Name) =>
  (_parts: unknown, { onStop }: { onStop(stop: () => void): void }): string => {
    happened.push(`start ${name}`)
    onStop(() => void happened.push(`stop ${name}`))
    return name
  }
const LIST = [
  module({ name: 'store', needs: [], roles: [], start: part('store') }),
  module({ name: 'writer', needs: ['store'], roles: ['ingest'], start: part('writer') }),
  module({ name: 'reader', needs: ['store'], roles: ['pipeline'], start: part('reader') }),
  module({
    name: 'screen',
    needs: ['store'],
    uses: ['reader'],
    roles: ['web'],
    start({ store, reader = 'nobody' }, { name }) {
      happened.push(`screen of ${store}, ${reader}, ${name}`)
      return 'screen'
    },
  }),
]
const start = (...roles: Role[]) =>
  startModules(LIST, { logger: silentLogger, roles: new Set(roles), name: 'test' })
const namesOf = (list: Parameters<typeof modulesOf>[0], ...roles: Role[]): string[] =>
  modulesOf(list, new Set(roles)).map(({ name }) => name)

describe('modules', () => {
  it('start in order and stop in reverse; what they only use may be missing', async () => {
    happened.length = 0
    const { parts, stop } = await start('web', 'ingest')
    assert.deepEqual(parts, { store: 'store', writer: 'writer', screen: 'screen' })
    await stop()
    assert.deepEqual(happened, [
      'start store',
      'start writer',
      'screen of store, nobody, test',
      'stop writer',
      'stop store',
    ])
    happened.length = 0
    await (await start('web', 'pipeline')).stop()
    assert.ok(happened.includes('screen of store, reader, test'))
  })

  it('that fail to start stop what had started', async () => {
    happened.length = 0
    const failing = module({
      name: 'screen',
      needs: ['store'],
      roles: ['web'],
      start: () => Promise.reject(new Error('no')),
    })
    const tools = { logger: silentLogger, roles: new Set<Role>(['web']), name: 'test' }
    await assert.rejects(startModules([LIST[0]!, failing], tools), /no/)
    assert.deepEqual(happened, ['start store', 'stop store'])
  })

  it('must come after what they need', () => {
    assert.throws(() => modulesOf([LIST[1]!, LIST[0]!], new Set()), /writer needs store/)
    assert.throws(() => modulesOf([LIST[0]!, LIST[0]!], new Set()), /twice/)
  })
})

describe('the lists of the two processes', () => {
  it('are in order, and all roles run every module', () => {
    for (const list of [FRONT_MODULES, BACK_MODULES])
      assert.equal(namesOf(list as never, ...ALL_ROLES).length, list.length)
  })

  it('run for each role what it needs and no more', () => {
    const front = (...roles: Role[]) => namesOf(FRONT_MODULES as never, ...roles)
    const back = (...roles: Role[]) => namesOf(BACK_MODULES as never, ...roles)
    assert.deepEqual(back('ingest'), [])
    assert.ok(!front('ingest').includes('back'))
    for (const part of ['ingest', 'keys', 'disk', 'log']) assert.ok(!front('web').includes(part), part)
    for (const part of ['pipeline', 'deletions', 'log']) assert.ok(!back('web').includes(part), part)
    for (const part of ['screens', 'api', 'deletions']) assert.ok(!back('pipeline').includes(part), part)
    for (const part of ['screens', 'pipeline']) assert.ok(!back('maintain').includes(part), part)
  })
})

describe('SONDE_ROLES', () => {
  const roles = (text?: string) => readConfig(text === undefined ? {} : { SONDE_ROLES: text }).roles
  it('is all of them unless some are named', () => {
    assert.deepEqual(roles(), ALL_ROLES)
    assert.deepEqual(roles('web, ingest,web'), ['ingest', 'web'])
    assert.deepEqual(roles('all'), ALL_ROLES)
  })

  it('understands the names that roles had before, and says the new ones', () => {
    const { roles: understood, formerRoles } = readConfig({ SONDE_ROLES: 'ingest, process,jobs' })
    assert.deepEqual(understood, ['ingest', 'pipeline', 'maintain'])
    assert.deepEqual(formerRoles, ['process → pipeline', 'jobs → maintain'])
    assert.deepEqual(readConfig({}).formerRoles, [])
  })

  it('says which ones there are when one is unknown', () => {
    assert.throws(
      () => roles('web,wbe'),
      /SONDE_ROLES: "web,wbe" is not allowed; allowed is .*ingest.*pipeline.*web.*maintain/,
    )
  })
})

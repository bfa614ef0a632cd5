import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkRoles, keepsDataOnDisk } from '../src/config/role-rules.ts'
import { ALL_ROLES, type Role } from '../src/modules.ts'

type Engine = 'log' | 'telemetry' | 'records' | 'blobs'
const EVERY: readonly Engine[] = ['log', 'telemetry', 'records', 'blobs']
const without = (...embedded: Engine[]): Engine[] => EVERY.filter((engine) => !embedded.includes(engine))

/** Roles, engines that are servers, and what the start says; undefined: it starts. */
const ROWS: readonly (readonly [readonly Role[], readonly Engine[], RegExp | undefined])[] = [
  [ALL_ROLES, [], undefined],
  [ALL_ROLES, ['records'], undefined],
  [ALL_ROLES, EVERY, undefined],
  [['ingest'], [], /ingest cannot run without pipeline here: the log is segment files.*SONDE_NATS_URL/],
  [['ingest', 'web'], without('log'), /ingest cannot run without pipeline.*SONDE_NATS_URL/],
  [['pipeline'], without('log'), /pipeline cannot run without ingest here: the log.*SONDE_NATS_URL/],
  [['pipeline', 'web', 'maintain'], without('log'), /cannot run without ingest.*SONDE_NATS_URL/],
  [['web'], without('telemetry'), /web cannot run without pipeline, alerts, maintain.*SONDE_CLICKHOUSE_URL/],
  [
    ['pipeline'],
    without('telemetry'),
    /pipeline cannot run without web, alerts, maintain.*SONDE_CLICKHOUSE_URL/,
  ],
  [
    ['maintain'],
    without('telemetry'),
    /maintain cannot run without pipeline, web, alerts.*SONDE_CLICKHOUSE_URL/,
  ],
  [
    ['ingest', 'pipeline', 'web'],
    [],
    /pipeline, web cannot run without alerts, maintain.*SONDE_CLICKHOUSE_URL/,
  ],
  [
    ['ingest'],
    without('records'),
    /ingest cannot run without pipeline, web, alerts, maintain.*SONDE_DATABASE_URL/,
  ],
  [
    ['web'],
    without('records'),
    /web cannot run without ingest, pipeline, alerts, maintain.*SONDE_DATABASE_URL/,
  ],
  [['pipeline', 'web'], without('blobs'), /pipeline, web cannot run without maintain.*SONDE_BLOBS_URL/],
  // It works with neither of them.
  [['ingest'], without('telemetry', 'blobs'), undefined],
  [['pipeline', 'web', 'alerts', 'maintain'], without('telemetry', 'blobs'), undefined],
  ...ALL_ROLES.map((role) => [[role], EVERY, undefined] as const),
]

const engines = (servers: readonly Engine[]) => {
  const place = <Local>(engine: Engine, local: Local) =>
    servers.includes(engine) ? { url: `x://${engine}.internal` } : local
  return {
    log: place('log', { dir: '/data/log' }),
    telemetry: place('telemetry', { dir: '/data/telemetry' }),
    records: place('records', { file: '/data/records.sqlite' }),
    blobs: place('blobs', { dir: '/data/blobs' }),
  }
}

const refusalOf = (choice: Parameters<typeof checkRoles>[0]): string | undefined => {
  try {
    checkRoles(choice)
    return undefined
  } catch (error) {
    const { message, hint } = error as { message: string; hint: string }
    return `${message} ${hint}`
  }
}

describe('roles apart from others', () => {
  for (const [roles, servers, refusal] of ROWS) {
    const where = servers.length === 0 ? 'no server' : `${servers.join(', ')} on servers`
    it(`${roles.join(', ')} with ${where} ${refusal ? 'is refused' : 'starts'}`, () => {
      const said = refusalOf({ roles, engines: engines(servers), isSecretNamed: true })
      if (refusal) assert.match(said ?? 'it starts', refusal)
      else assert.equal(said, undefined)
    })
  }

  it('need a secret key that other starts can have, where they use it', () => {
    const choice = { engines: engines(EVERY), isSecretNamed: false }
    assert.match(refusalOf({ ...choice, roles: ['web'] }) ?? '', /SONDE_SECRET_FILE.*is not set/)
    assert.equal(refusalOf({ ...choice, roles: ['ingest'] }), undefined)
    assert.equal(refusalOf({ ...choice, roles: ALL_ROLES }), undefined)
  })
})

describe('the disk of the data folder', () => {
  const isFilled = (roles: readonly Role[], servers: readonly Engine[]): boolean =>
    keepsDataOnDisk({ roles, engines: engines(servers) })

  it('bounds what is accepted only where a start keeps data on it', () => {
    assert.ok(isFilled(ALL_ROLES, []))
    // What the log on a server holds still becomes rows here.
    assert.ok(isFilled(ALL_ROLES, ['log']))
    assert.ok(isFilled(ALL_ROLES, without('blobs')))
    assert.ok(!isFilled(ALL_ROLES, EVERY))
    assert.ok(!isFilled(['ingest'], ['log', 'records']))
  })
})

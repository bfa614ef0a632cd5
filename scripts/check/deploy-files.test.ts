import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { checkCompose, checkDeploy, checkDeployFiles, checkDockerfile, checkUnit } from './deploy-files.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const DOCKERFILE = `FROM node:24 AS build
RUN node scripts/pack.mjs
FROM node:24
USER 1000
HEALTHCHECK CMD ["true"]
ENTRYPOINT ["node", "sonde.mjs"]
`
const COMPOSE = `services:
  sonde: { image: sonde, read_only: true, cap_drop: [ALL] }
`

describe('the files of deploy/', () => {
  it('are as they should be', () => assert.deepEqual(checkDeploy(ROOT), []))

  it('of which a Dockerfile that does not parse, runs as root or takes no signals is told', () => {
    assert.deepEqual(checkDockerfile(DOCKERFILE), [])
    assert.match(
      checkDockerfile(DOCKERFILE.replace('RUN', 'RUNN')).join(),
      /line 2: Unknown instruction: RUNN/,
    )
    for (const user of ['root', '0', 'node', '0:0'])
      assert.match(checkDockerfile(DOCKERFILE.replace('1000', user)).join(), /user by number/, user)
    assert.match(
      checkDockerfile(DOCKERFILE.replace('["node", "sonde.mjs"]', 'node sonde.mjs')).join(),
      /shell/,
    )
    assert.match(checkDockerfile(DOCKERFILE.replace(/^HEALTH.*$/m, '')).join(), /HEALTHCHECK/)
    assert.match(checkDockerfile(DOCKERFILE.replace(/^FROM.*AS build$/m, '')).join(), /one stage/)
  })

  it('of which a compose file with a word that Compose does not know, or with rights to spare, is told', () => {
    assert.deepEqual(checkCompose(COMPOSE), [])
    assert.match(checkCompose(COMPOSE.replace('read_only', 'readonly')).join(), /services\/sonde must NOT/)
    assert.match(checkCompose(COMPOSE.replace('read_only: true, ', '')).join(), /can write to its image/)
    assert.match(checkCompose(COMPOSE.replace('ALL', 'NET_RAW')).join(), /keeps capabilities/)
    const proxy = `${COMPOSE}# upstream web { server web:8600 max_fails=0; }\n`
    assert.deepEqual(checkCompose(proxy), [])
    assert.deepEqual(checkCompose(proxy.replace('=0', '=1')), ['nginx leaves nodes out'])
  })

  it('of which a unit that is not closed off is told', () => {
    const unit = readFileSync(join(ROOT, 'deploy', 'systemd', 'sonde.service'), 'utf8')
    assert.deepEqual(checkUnit(unit), [])
    assert.match(
      checkUnit(unit.replace('ProtectSystem=strict', 'ProtectSystem=no')).join(),
      /ProtectSystem=strict/,
    )
    assert.match(checkUnit(`${unit}nonsense\n`).join(), /"nonsense" is no line/)
  })

  it('of which settings that Sonde does not have and values that the chart does not have are told', () => {
    const problems = checkDeployFiles(
      new Map([
        ['compose.yaml', `${COMPOSE}# SONDE_RETENTION_DAYS, SONDE_RETENTION_YEARS\n`],
        ['helm/sonde/values.yaml', 'image: { tag: x }\n'],
        ['helm/sonde/templates/a.yaml', '{{ .Values.image.tag }} {{- if .Values.image.name }}\n'],
      ]),
    )
    assert.deepEqual(problems, [
      'deploy/compose.yaml: SONDE_RETENTION_YEARS is no setting of Sonde',
      'deploy/helm/sonde/templates/a.yaml: 1 blocks and 0 ends',
      'deploy/helm/sonde/templates/a.yaml: .Values.image.name is not in values.yaml',
    ])
  })
})

describe('the systemd unit', () => {
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  const missing = analyze('--version').error ? 'this machine has no systemd-analyze' : false
  /** With programs that are on this machine, since systemd looks for them. */
  const withUnit = (use: (path: string) => void): void => {
    const dir = mkdtempSync(join(tmpdir(), 'sonde-unit-'))
    const unit = readFileSync(join(ROOT, 'deploy', 'systemd', 'sonde.service'), 'utf8')
    try {
      writeFileSync(join(dir, 'sonde.service'), unit.replace('/usr/bin/node', process.execPath))
      use(join(dir, 'sonde.service'))
    } finally {
      rmSync(dir, { recursive: true })
    }
  }

  it('is understood by systemd, line by line', { skip: missing }, () =>
    withUnit((path) => {
      const { status, stderr } = analyze('verify', '--man=no', '--recursive-errors=no', path)
      assert.equal(status, 0, stderr)
      assert.equal(stderr, '')
    }),
  )

  it('exposes little of the machine, as systemd counts it', { skip: missing }, () =>
    withUnit((path) => {
      // In tenths; a service without any protection has 96.
      const { status, stdout } = analyze('security', '--offline=true', '--threshold=20', '--no-pager', path)
      assert.equal(status, 0, stdout)
    }),
  )
})

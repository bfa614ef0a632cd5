/**
 * `npm run release [--without-registry]`: the working tree is clean, every package is what its registry signed, none has a
 * known hole or a licence that we may not ship; then a build from nothing, its bill of materials and checksums, in `dist/`.
 * `--without-registry` goes on where the registry refuses to be asked, and says so in `dist/release.json`.
 */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Bill, shippedBill } from './bill.ts'
import { checksums } from './checksums.ts'
import { checkLicences, readLock } from './licences.ts'
import { isRegistryRefusal } from './registry-refusal.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const DIST = join(ROOT, 'dist')
const { values } = parseArgs({ options: { 'without-registry': { type: 'boolean', default: false } } })

function ask(command: string, args: readonly string[]): { ok: boolean; stdout: string; said: string } {
  const done = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
  const said = `${done.stdout}${done.stderr}${done.error?.message ?? ''}`.trim()
  return { ok: done.status === 0, stdout: done.stdout, said }
}

function fail(what: string, detail: string): never {
  console.error(`FAIL ${what}\n${detail}`)
  process.exit(1)
}

const need = (what: string, problems: string): void => {
  if (problems !== '') fail(what, problems)
  console.log(`ok   ${what}`)
}

/** A refusal of the registry is no verdict: it fails too, unless somebody says to go on without one. */
const unasked: string[] = []
function needRegistry(what: string, args: readonly string[]): void {
  const { ok, said } = ask('npm', args)
  if (ok) return console.log(`ok   ${what}`)
  if (!isRegistryRefusal(said)) fail(what, said)
  if (!values['without-registry'])
    fail(
      what,
      `${said}\n\nThe registry refused to be asked. Ask one that answers, or go on with --without-registry.`,
    )
  unasked.push(what)
  console.log(`NOT ASKED ${what}: the registry refused`)
}

need('nothing is uncommitted', ask('git', ['status', '--porcelain']).said)
needRegistry('packages are what the registry signed', ['audit', 'signatures'])
needRegistry('no known hole of high severity', ['audit', '--audit-level=high'])
need('licences of what is shipped', checkLicences(ROOT).join('\n'))

rmSync(DIST, { recursive: true, force: true })
const built = ask(process.execPath, ['scripts/build.ts'])
need('built from nothing', built.ok ? '' : built.said)

const sbom = ask('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'])
need('bill of materials', sbom.ok ? '' : sbom.said)
const bill = shippedBill(JSON.parse(sbom.stdout) as Bill, readLock(ROOT))
writeFileSync(join(DIST, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)
const commit = ask('git', ['rev-parse', 'HEAD']).stdout.trim()
writeFileSync(join(DIST, 'release.json'), `${JSON.stringify({ commit, unasked }, null, 2)}\n`)
writeFileSync(join(DIST, 'SHA256SUMS'), checksums(DIST))
console.log('dist/ has the build, sbom.cdx.json, release.json and SHA256SUMS')

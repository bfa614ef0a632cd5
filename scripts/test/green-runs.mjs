/**
 * Remembers with which inputs the tests of a job were green, so that they need not run again while nothing that they
 * read has changed. Nothing is remembered of a job that failed or skipped something, nor where git does not say what
 * belongs to the project.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../setup.mjs'

const FOLDER = join('.cache', 'green-runs')
/** Read by every test: what it is built from and run with. */
const ALWAYS =
  /^(package(-lock)?\.json|tsconfig\.json|fixtures\/|scripts\/(setup\.mjs|test\/)|tests\/harness\/)/

export function createGreenRuns(root = ROOT) {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const isFile = (path) =>
    path !== '' && (statSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false)
  const paths = listed.status === 0 ? listed.stdout.split('\0').filter(isFile).sort() : []
  const hashes = new Map()
  const hashOf = (path) => {
    const known = hashes.get(path)
    if (known !== undefined) return known
    const hash = sha256(readFileSync(join(root, path)))
    hashes.set(path, hash)
    return hash
  }
  const browsers = [process.env.SONDE_CHROMIUM, process.env.SONDE_FIREFOX].map(stampOf)
  const machine = [process.platform, process.arch, ...browsers].join(' ')

  /** Undefined when it cannot be said. */
  const keyOf = ({ suite, files }) => {
    if (paths.length === 0 || files.length === 0) return undefined
    const reads =
      suite.name === 'unit'
        ? readByUnit(files, paths, root)
        : (path) => isProduct(path) || files.includes(path) || suite.runs?.test(path)
    const lines = paths.filter(reads).map((path) => `${path} ${hashOf(path)}`)
    return sha256([machine, ...lines].join('\n'))
  }
  /** As it was asked for: a file may change while the tests run. */
  const keys = new Map()
  return {
    /** `{ key, counts }` of the last green run when the job would run with the same inputs again. */
    find(job) {
      const key = keyOf(job)
      const path = join(root, pathOf(job))
      keys.set(job, key)
      if (key === undefined || !existsSync(path)) return undefined
      const green = JSON.parse(readFileSync(path, 'utf8'))
      return green.key === key ? green : undefined
    },
    /** How long its tests took when they were last green, whatever changed since. */
    lastMs(job) {
      const path = join(root, pathOf(job))
      if (!existsSync(path)) return undefined
      const { counts } = JSON.parse(readFileSync(path, 'utf8'))
      return Object.values(counts).reduce((sum, { ms }) => sum + ms, 0)
    },
    remember(job, counts) {
      const all = Object.values(counts)
      if (all.some(({ failed, skipped, passed }) => failed > 0 || skipped > 0 || passed === 0)) return
      const key = keys.get(job)
      if (key === undefined) return
      mkdirSync(join(root, FOLDER), { recursive: true })
      writeFileSync(join(root, pathOf(job)), JSON.stringify({ key, counts }))
    },
  }
}

/** Everything but words and other tests. */
const isProduct = (path) => !/^docs\/|\.md$|\.test\.ts$/.test(path)

/** A package's own files and the sources of those that it reaches by imports; all there is for the scripts' tests. */
function readByUnit(files, paths, root) {
  const own = new Set(files.map((file) => /^packages\/([^/]+)\//.exec(file)?.[1]))
  if (own.has(undefined)) return () => true
  const reached = new Set()
  const texts = []
  const reach = (name) => {
    if (reached.has(name)) return
    reached.add(name)
    for (const path of paths) {
      const isRead = path.startsWith(`packages/${name}/`) && /\.(ts|tsx|mjs)$/.test(path)
      if (!isRead || (!own.has(name) && path.startsWith(`packages/${name}/test/`))) continue
      const text = readFileSync(join(root, path), 'utf8')
      if (own.has(name)) texts.push(text)
      for (const [, other] of text.matchAll(/@sonde\/([a-z]+)/g)) reach(other)
    }
  }
  for (const name of own) reach(name)
  const readsDocs = texts.some((text) => text.includes('/docs/'))
  return (path) => {
    if (ALWAYS.test(path) || (readsDocs && path.startsWith('docs/'))) return true
    const [, name, folder] = /^packages\/([^/]+)\/([^/]+)/.exec(path) ?? []
    return reached.has(name) && (own.has(name) || folder !== 'test')
  }
}

const pathOf = ({ suite, name }) => join(FOLDER, `${suite.name}-${name.replaceAll('/', '-')}.json`)
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** Which build of a browser: a new one may fail what the old one passed. */
function stampOf(path) {
  const stat = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
  return stat ? `${path} ${stat.size} ${stat.mtimeMs}` : ''
}

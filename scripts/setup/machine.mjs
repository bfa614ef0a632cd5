/**
 * What Sonde needs of a machine, asked before anything is installed on it. Plain JavaScript that an old Node can read too:
 * it has to say that it is too old.
 */
import fs from 'node:fs'

const LEAST_NODE = 20
/** That of Node 24: https://github.com/nodejs/node/blob/v24.x/BUILDING.md#platform-list */
const LEAST_GLIBC = [2, 28]
/** What `node_modules` and the build take, and some room for npm's cache and the first data. */
const NEEDED_MB = { run: 1_200, all: 1_800 }

/** What keeps Sonde from being installed here, in words with a way out; undefined: nothing. */
export function machineProblem(root, set) {
  return (
    nodeProblem(process.versions.node) ||
    (process.platform === 'linux' ? libcProblem(glibcVersion()) : undefined) ||
    spaceProblem(freeMb(root), root, set)
  )
}

function nodeProblem(nodeVersion) {
  if (Number(nodeVersion.split('.')[0]) >= LEAST_NODE) return undefined
  return (
    `Sonde needs Node ${LEAST_NODE} or newer to install; this is Node ${nodeVersion}.\n` +
    'Install a newer one from https://nodejs.org/en/download, then run the command again.'
  )
}

/** `glibc`: a version such as "2.36"; undefined where the C library is another one. */
export function libcProblem(glibc) {
  if (!glibc)
    return (
      'Sonde needs glibc, and this Linux has another C library (Alpine and others have musl).\n' +
      'The telemetry engine (chDB) has no build for it. Run Sonde on Debian, Ubuntu, Fedora or another Linux with glibc,\n' +
      'or in a container made from one, such as node:24-trixie-slim.'
    )
  const [major, minor] = glibc.split('.').map(Number)
  if (major > LEAST_GLIBC[0] || (major === LEAST_GLIBC[0] && minor >= LEAST_GLIBC[1])) return undefined
  return (
    `Sonde needs glibc ${LEAST_GLIBC.join('.')} or newer; this Linux has glibc ${glibc}.\n` +
    'Use a newer release of the system: Debian 10, Ubuntu 20.04, Fedora 29, RHEL 8 and later have it.'
  )
}

function spaceProblem(free, root, set) {
  if (free >= NEEDED_MB[set]) return undefined
  return (
    `Sonde needs ${NEEDED_MB[set]} MB of free disk space to install; the disk of ${root} has ${Math.floor(free)} MB.\n` +
    'Free some space (`npm cache clean --force` empties the cache of npm), then run the command again.'
  )
}

function glibcVersion() {
  // Otherwise the report asks for the name of every open connection.
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime
}

function freeMb(root) {
  // Missing before Node 18.15: no named import, which such a Node could not even load.
  const { bavail, bsize } = fs.statfsSync(root)
  return (bavail * bsize) / 1_000_000
}

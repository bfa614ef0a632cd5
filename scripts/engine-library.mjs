/**
 * chDB's library is an optional package per platform, hundreds of megabytes of native code. A lock file that was made where
 * the registry had not all of them leaves some out, and `npm ci` then installs none for this machine, without a word. What
 * the lock file does not hold is installed only when its bytes are those that somebody vouched for. Plain JavaScript.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `npm view NAME@VERSION dist.integrity`, taken down where the registry has the package. */
export const KNOWN_INTEGRITY = {
  '@chdb/lib-linux-x64-gnu@26.7.3-stable.1':
    'sha512-XP97mMqnc5tZpKQywR8N7cLTsHNiTmHr30pC5mzo3jWmukjKn2IBa60c2B/gWUNcuFjOMjWoorQICCqBVj5wpw==',
}

/** Of the machine that runs this; undefined: the engine has no build for it. */
export function engineLibrary(root, { platform, arch } = process) {
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'node_modules', 'chdb', 'package.json'), 'utf8'),
  )
  const mine = Object.entries(optionalDependencies).find(([name]) => name.includes(`lib-${platform}-${arch}`))
  return mine && { name: mine[0], version: mine[1] }
}

/** A subresource integrity of SHA-512 alone; anything else is no proof. */
export function hasIntegrity(bytes, integrity) {
  const wanted = /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(integrity ?? '')?.[1]
  if (wanted === undefined) return false
  return timingSafeEqual(createHash('sha512').update(bytes).digest(), Buffer.from(wanted, 'base64'))
}

/** What is said where nobody vouched for it. */
export const notVouched = ({ name, version }) =>
  `package-lock.json does not hold ${name}@${version}, the telemetry engine for this machine, and no checksum of it is known here.\n` +
  `Where you trust the registry, look at what it says (npm view ${name}@${version} dist.integrity), and start again with\n` +
  `SONDE_ENGINE_INTEGRITY=sha512-…. To keep it: npm install --package-lock-only adds it to the lock file.\n`

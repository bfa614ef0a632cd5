/**
 * chDB's library is an optional package per platform, hundreds of megabytes of native code. A lock file that was made where
 * the registry had not all of them leaves some out, and `npm ci` then installs none for this machine, without a word. What
 * the lock file does not hold is installed only when its bytes match a checksum: `SONDE_ENGINE_INTEGRITY`, the one that
 * is recorded here, or for want of both the registry's. Plain JavaScript.
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

/**
 * What is said where no checksum is known here: the registry's own, over TLS, is all there is then. Refusing would leave
 * Sonde without an engine on a platform whose package the lock file could not get.
 */
export const trustsRegistry = ({ name, version }, integrity) =>
  `package-lock.json does not hold ${name}@${version}, the telemetry engine for this machine, and no checksum of it is\n` +
  `recorded here: taking it from the registry with the checksum that the registry gives,\n${integrity}\n` +
  `To insist on one, set SONDE_ENGINE_INTEGRITY=sha512-…\n`

/**
 * Where the unix sockets of a data folder lie: in it, unless its path is too long for one. Then in a folder of a short
 * path that nobody can foresee or open, made at the first start; a link in the data folder leads there, so that the
 * front, the back and the command line find the same.
 */
import { lstatSync, mkdtempSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '@sonde/base'

// A unix socket's path may hold about 104 bytes (macOS) or 108 (Linux).
const MAX_PATH_BYTES = 100
const LONGEST_NAME = 'internal.sock'

const fits = (dir: string): boolean => Buffer.byteLength(join(dir, LONGEST_NAME)) <= MAX_PATH_BYTES
const linkOf = (dataDir: string): string => join(dataDir, 'sockets')

/** For the front, before anything listens or connects. Throws `ConfigError` when no folder is short enough. */
export function openSocketDir(dataDir: string): void {
  if (fits(dataDir)) return
  const known = readLink(dataDir)
  if (known !== undefined && isOurs(known)) return
  const base = [process.env['XDG_RUNTIME_DIR'], tmpdir()].find(
    (dir) => dir && isFolder(dir) && fits(join(dir, 'sonde-XXXXXX')),
  )
  if (base === undefined)
    throw new ConfigError(
      'SONDE_DATA_DIR',
      'is too long for unix sockets, and so are XDG_RUNTIME_DIR and TMPDIR',
    )
  rmSync(linkOf(dataDir), { force: true })
  // 0700, under a name that nobody knew before.
  symlinkSync(mkdtempSync(join(base, 'sonde-')), linkOf(dataDir))
}

/** Throws `ConfigError` when another user could have put something there. */
export function socketDir(dataDir: string): string {
  if (fits(dataDir)) return dataDir
  const known = readLink(dataDir)
  // Nothing was ever started there, or what was made for it is gone: nobody listens.
  if (known === undefined || lstatSync(known, { throwIfNoEntry: false }) === undefined) return dataDir
  if (!isOurs(known))
    throw new ConfigError(
      'SONDE_DATA_DIR',
      `its sockets should lie in ${known}, which other users may write to; restart Sonde`,
    )
  return known
}

function isOurs(dir: string): boolean {
  const found = lstatSync(dir, { throwIfNoEntry: false })
  return (
    found !== undefined &&
    found.isDirectory() &&
    found.uid === process.getuid?.() &&
    (found.mode & 0o077) === 0
  )
}

const isFolder = (dir: string): boolean => statSync(dir, { throwIfNoEntry: false })?.isDirectory() ?? false

function readLink(dataDir: string): string | undefined {
  try {
    return readlinkSync(linkOf(dataDir))
  } catch {
    return undefined
  }
}

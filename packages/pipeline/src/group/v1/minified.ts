/**
 * Which files of a stack trace are bundles without their source map. In those, names, lines, columns and file
 * names are another thing in every release, so nearly nothing of such a frame may take part in a hash.
 */
import type { Frame } from '@sonde/protocol/event'
import { hasAssetHash, isScript } from './stable-path.ts'

/** People do not write lines this long; minifiers put a whole file on one. */
const HAND_WRITTEN_COLUMNS = 300

/** The addresses of files that are minified, seen over all frames so that every frame of a file is judged alike. */
export function minifiedFiles(frames: readonly Frame[]): ReadonlySet<string> {
  const files = new Set<string>()
  for (const frame of frames) if (isMinified(frame)) files.add(fileOf(frame))
  return files
}

export function fileOf(frame: Frame): string {
  return frame.abs_path ?? frame.filename ?? ''
}

function isMinified(frame: Frame): boolean {
  const line = frame.context_line
  if (line !== undefined) return line.length > HAND_WRITTEN_COLUMNS || /^\s*\{snip\}|\{snip\}\s*$/.test(line)
  if (isMapped(frame)) return false
  if ((frame.colno ?? 0) > HAND_WRITTEN_COLUMNS) return true
  const path = fileOf(frame)
  const end = path.search(/[?#]/)
  const name = (end < 0 ? path : path.slice(0, end)).split(/[/\\]/).at(-1) ?? ''
  return /[.-]min\.[cm]?js$/i.test(name) || (isScript(name) && hasAssetHash(name))
}

export function isMapped(frame: Frame): boolean {
  return frame.data?.['sourcemap'] !== undefined && frame.context_line !== undefined
}

/**
 * Names of methods and of exported things survive a minifier; of other names three characters are left at most
 * (three give 200,000 names, more than a bundle has).
 */
export function survivesMinifier(functionName: string): boolean {
  return /^[\w$#]{4,}$/.test(functionName) && !/^[_$]?[A-Za-z]{0,2}[\d$_]+$/.test(functionName)
}

/** `t is not a function`, `e.total is undefined`, `(evaluating 'n.items')`: the variable's name is the minifier's. */
export function withoutMinifiedNames(message: string): string {
  return message.replace(
    /(?<![\w$.#'"<-])[A-Za-z_$][\w$]?(?=(?:\.[\w$]{1,100}){1,8}|\[| is (?:not |undefined|null))|(?<=evaluating ['"])[A-Za-z_$][\w$]?(?=[.([ '"])|(?<=(?:variable|access property "[\w$]{1,100}",) )[A-Za-z_$][\w$]?(?![\w$])/g,
    '<name>',
  )
}

/** The scripts of a build that have maps, with debug ids: what is uploaded, and what `inject` changes. */
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { SondeError } from '@sonde/base/errors'
import { injectDebugId } from './inject.ts'
import { findMap, scriptsBelow } from './read-folder.ts'
import { codeFacts } from './script-facts.ts'

export type BuiltScript = {
  /** Below the folder, with `/`. */
  readonly name: string
  readonly file: string
  readonly mapFile: string
  /** As the script has it. Undefined: none, so it is found by release and address alone. */
  readonly debugId: string | undefined
}

/** Those with a map in a file of its own. Nothing is changed. @throws SondeError `config` for a folder that cannot be read. */
export function builtScripts(folder: string): readonly BuiltScript[] {
  return scriptsBelow(folder).flatMap((name) => {
    const file = join(folder, name)
    const code = readFileSync(file, 'utf8')
    const map = findMap(file, code)
    if (map.kind !== 'found' || map.path === undefined) return []
    return [{ name, file, mapFile: map.path, debugId: codeFacts(code).debugId }]
  })
}

export type InjectAnswer = {
  readonly scripts: readonly BuiltScript[]
  /** Below the folder: those that were changed. */
  readonly injected: readonly string[]
}

/** Changes the files. Doing it again changes nothing. @throws SondeError */
export function injectFolder(folder: string): InjectAnswer {
  const injected: string[] = []
  const scripts = builtScripts(folder).map((script) => {
    const made = injectDebugId(readFileSync(script.file, 'utf8'), readFileSync(script.mapFile, 'utf8'))
    if (made === undefined)
      throw new SondeError('config', `${script.mapFile} is no source map`, {
        operation: 'inject debug ids',
        subject: script.mapFile,
        hint: 'build again; if it stays, the tool that writes this map last breaks it',
      })
    // The map first: a script that has an id counts as done.
    if (made.map !== undefined) writeFileSync(script.mapFile, made.map)
    if (made.code !== undefined) writeFileSync(script.file, made.code)
    if (made.map !== undefined || made.code !== undefined) injected.push(script.name)
    return { ...script, debugId: made.debugId }
  })
  return { scripts, injected }
}

/** So that they are not deployed. Returns how many. */
export function deleteMaps(scripts: readonly BuiltScript[]): number {
  const files = new Set(scripts.map(({ mapFile }) => mapFile))
  for (const file of files) unlinkSync(file)
  return files.size
}

/** Of the map relative to its script, with `/`: what leads from one to the other. */
export const mapRefOf = ({ file, mapFile }: BuiltScript): string =>
  relative(dirname(file), mapFile).split(sep).join('/')

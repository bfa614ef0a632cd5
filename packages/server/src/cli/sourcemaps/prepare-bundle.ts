/** What becomes of one script and its map: the files as they are to be deployed, and what is uploaded of them. */
import { MapError, readSourceMap } from '@sonde/sourcemaps'
import type { FoundBundle } from './found-bundle.ts'
import { codeFacts } from './generated-code.ts'
import { injectDebugId, type JsonMap } from './inject-debug-id.ts'

export type PreparedBundle = {
  /** Path below the folder. */
  readonly name: string
  readonly debugId: string
  /** As they are uploaded: the map with the text of its sources, as far as they lie beside it. */
  readonly code: string
  readonly map: string
  /** What has to be written into the folder; undefined: it is as it should be. */
  readonly changed: { readonly code?: string; readonly map?: string } | undefined
}

export type NotPrepared = {
  readonly name: string
  /** For people. */
  readonly why: string
  /** A script without a map is no mistake: a polyfill, a copied file. */
  readonly isError: boolean
}

export function prepareBundle(bundle: FoundBundle): PreparedBundle | NotPrepared {
  const { name, code, map: found, sourceText } = bundle
  if (found.kind === 'missing')
    return { name, why: `its map ${found.place} is missing: ${found.detail}`, isError: true }
  if (found.kind !== 'found') return { name, why: 'it has no source map', isError: false }
  const map = parseMap(found.bytes)
  if (typeof map === 'string') return { name, why: `its map cannot be read: ${map}`, isError: true }
  if (!bundle.isUtf8) return { name, why: 'it is no UTF-8, so nothing can be put into it', isError: true }
  const injected = injectDebugId(code, map)
  if ('refused' in injected) return { name, why: injected.refused, isError: true }
  const { debugId, isCodeChanged, isMapChanged } = injected
  const uploaded = JSON.stringify(withSources(injected.map, sourceText))
  const written = JSON.stringify(injected.map)
  if (found.place === 'inline') {
    const place = codeFacts(injected.code).mapRef ?? ''
    const refers = (to: string): string => injected.code.replace(place, () => to)
    const inline = refers(
      `data:application/json;charset=utf-8;base64,${Buffer.from(written).toString('base64')}`,
    )
    const changed = isCodeChanged || isMapChanged ? { code: inline } : undefined
    return { name, debugId, code: refers(`${baseName(name)}.map`), map: uploaded, changed }
  }
  const changed =
    isCodeChanged || isMapChanged
      ? { ...(isCodeChanged ? { code: injected.code } : {}), ...(isMapChanged ? { map: written } : {}) }
      : undefined
  return { name, debugId, code: injected.code, map: uploaded, changed }
}

/** A text: why it is none. */
function parseMap(bytes: Uint8Array): JsonMap | string {
  try {
    readSourceMap(bytes)
  } catch (error) {
    if (error instanceof MapError) return error.message
    throw error
  }
  const text = new TextDecoder().decode(bytes).replace(/^\)\]\}'[^\n]*\n/, '')
  return JSON.parse(text) as JsonMap
}

/** Fills what `sourcesContent` leaves out; of maps with sections nothing is filled. */
function withSources(map: JsonMap, sourceText: FoundBundle['sourceText']): JsonMap {
  const { sources, sourcesContent, sourceRoot } = map
  if (!Array.isArray(sources) || sourceText === undefined) return map
  const given: unknown[] = Array.isArray(sourcesContent) ? sourcesContent : []
  const root = typeof sourceRoot === 'string' && sourceRoot !== '' ? `${sourceRoot.replace(/\/$/, '')}/` : ''
  const texts = sources.map((source: unknown, at) => {
    const text = given[at]
    if (typeof text === 'string' || typeof source !== 'string') return text ?? null
    return sourceText(root + source) ?? null
  })
  return texts.some((text) => text !== null) ? { ...map, sourcesContent: texts } : map
}

const baseName = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

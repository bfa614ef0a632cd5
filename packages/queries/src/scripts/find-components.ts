/** Components → where they are declared, through the maps of the scripts that page loads of their release fetched or ran. */
import type { CodePosition } from '@sonde/protocol/code-position'
import type { QueryDeps } from '../query-deps.ts'
import { resolveScripts } from './resolve-scripts.ts'
import { codePosition, placeOf, type SourcePlace } from './script-position.ts'

export type ComponentRef = {
  readonly release: string
  readonly component: string
  /** Name of its file, without folders; empty: not known. */
  readonly file: string
}

/** Of one release: an application has more chunks than this, a page loads fewer. */
const MAX_SCRIPTS = 20
/** Each is looked for in every script. */
const MAX_COMPONENTS = 8

type Script = {
  readonly release: string
  readonly url: string
  readonly debugId: string
  readonly dist: string
}
/** Long frames name the script that ran, with its debug id where the reporter knew it. */
const FRAME_URL = `if(strings['code.filepath'] != '', strings['code.filepath'], strings['code.file.path'])`

type Where = { readonly projectId: number; readonly fromMs: number; readonly toMs: number }

/** In the order asked; undefined: no map says, or several. One pass over the script requests of these releases. */
export async function findComponents(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  { projectId, fromMs, toMs }: Where,
  asked: readonly ComponentRef[],
): Promise<readonly (SourcePlace | undefined)[]> {
  const wanted = asked.slice(0, MAX_COMPONENTS).filter(({ release }) => release !== '')
  if (deps.resolvePositions === undefined || wanted.length === 0) return asked.map(() => undefined)
  const scripts = await deps.telemetry.query<Script>(
    `SELECT release, if(op = 'resource.script', name, ${FRAME_URL}) AS url,
       strings['browser.script.debug_id'] AS debugId, strings['sentry.dist'] AS dist
     FROM spans
     WHERE project_id = {project:UInt32} AND is_segment = 0 AND op IN ('resource.script', 'ui.long-animation-frame')
       AND url != '' AND release IN {releases:Array(String)}
       AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)}
     GROUP BY release, url, debugId, dist ORDER BY debugId != '' DESC, count() DESC, url, dist LIMIT {scripts:UInt32} BY release`,
    {
      project: projectId,
      releases: [...new Set(wanted.map(({ release }) => release))],
      from: fromMs,
      to: toMs,
      scripts: MAX_SCRIPTS,
    },
  )
  const positions = wanted.map(({ release, component, file }) =>
    scripts
      .filter((script) => script.release === release)
      .map(({ url, debugId, dist }): CodePosition =>
        codePosition({ projectId, release, url, debugId, dist }, { component, file }),
      ),
  )
  const answers = await resolveScripts(deps, positions.flat())
  const placeFor = new Map<ComponentRef, SourcePlace | undefined>()
  let from = 0
  for (const [at, ref] of wanted.entries()) {
    const own = answers.slice(from, (from += positions[at]?.length ?? 0)).flatMap((one) => placeOf(one) ?? [])
    const [first] = own
    // Two sources of that name in different scripts: nothing tells which.
    if (first && own.every(({ source }) => source === first.source)) placeFor.set(ref, first)
  }
  return asked.map((ref) => placeFor.get(ref))
}

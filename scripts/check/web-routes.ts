/**
 * Holds the web package to docs/decisions/0025: a route imports nothing from another route, except from one it lies
 * below; what is no route imports nothing from routes. Types and styles count too.
 */
import { dirname, join } from 'node:path'

const ROUTES = 'packages/web/src/routes'
/** Screens that every other one lies below: what they use is their own. */
const OWN = new Set([ROUTES, `${ROUTES}/[org]`, `${ROUTES}/[org]/[project]`])
const ROUTE_FILE = /\/(page|layout)(\.tsx|\.server\.ts)$/

/** Path from the root → text. */
export function checkWebRoutes(files: ReadonlyMap<string, string>): string[] {
  const routes = new Set([...files.keys()].filter((path) => ROUTE_FILE.test(path)).map(dirname))
  const problems: string[] = []
  for (const [path, text] of files) {
    if (!path.startsWith('packages/web/src/')) continue
    for (const match of text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"\n]+)['"]/g)) {
      const target = join(dirname(path), match[1] ?? '')
      if (!target.startsWith(`${ROUTES}/`)) continue
      if (!path.startsWith(`${ROUTES}/`)) problems.push(`${path}: only routes may import ${target}`)
      else if (!isOwnOrAbove(routeOf(path, routes), routeOf(target, routes)))
        problems.push(`${path}: imports another route (${target}); what two routes use goes to src/parts`)
    }
  }
  return problems
}

function isOwnOrAbove(from: string, to: string): boolean {
  return from === to || (from.startsWith(`${to}/`) && !OWN.has(to))
}

/** The nearest folder upwards that is a route. */
function routeOf(path: string, routes: ReadonlySet<string>): string {
  let folder = dirname(path)
  while (!routes.has(folder) && folder !== ROUTES) folder = dirname(folder)
  return folder
}

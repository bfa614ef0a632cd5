import { readdirSync } from 'node:fs'
import path from 'node:path'
import { buildRouteTable, type RouteTable } from '../shared/route-table.ts'

/** The route table of a folder on disk. @throws RouteTableError, or when the folder is missing */
export function scanRoutes(dir: string): RouteTable {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
  return buildRouteTable(files)
}

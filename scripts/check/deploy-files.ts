/**
 * Holds `deploy/` to its formats, as far as a machine without containers can: the Dockerfile to its grammar, compose files to
 * the Compose schema, the chart's templates to its values, and all of them to settings that Sonde has. `npm run check:deploy`
 * renders the chart with Helm itself.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { SETTINGS } from '@sonde/server/settings'
import { Ajv } from 'ajv'
import { validate } from 'dockerfile-utils'
import { parse } from 'yaml'

const FOLDER = 'deploy'
const CHART = 'helm/sonde/'
const knownSettings: ReadonlySet<string> = new Set(Object.values(SETTINGS).map(({ name }) => name))

export function checkDeploy(root: string): string[] {
  const paths = readdirSync(join(root, FOLDER), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, FOLDER).length + 1))
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, FOLDER, path), 'utf8')] as const))
  return checkDeployFiles(files)
}

/** `files`: path below `deploy` → text. */
export function checkDeployFiles(files: ReadonlyMap<string, string>): string[] {
  const problems: string[] = []
  for (const [path, text] of files) {
    const say = (problem: string): void => void problems.push(`${FOLDER}/${path}: ${problem}`)
    if (path.endsWith('Dockerfile')) checkDockerfile(text).forEach(say)
    if (/compose[\w.]*\.yaml$/.test(path)) checkCompose(text).forEach(say)
    if (path.endsWith('.service')) checkUnit(text).forEach(say)
    for (const [name] of text.matchAll(/\bSONDE_[A-Z_]+\b/g))
      if (!knownSettings.has(name)) say(`${name} is no setting of Sonde`)
  }
  const values = files.get(`${CHART}values.yaml`)
  const templates = [...files].filter(([path]) => path.startsWith(`${CHART}templates/`))
  if (values !== undefined) problems.push(...checkTemplates(templates, parse(values) as Tree))
  return problems
}

export function checkDockerfile(text: string): string[] {
  const problems = validate(text).map(
    ({ range, message }) =>
      `line ${range.start.line + 1}: ${typeof message === 'string' ? message : message.value}`,
  )
  const lines = text.split('\n')
  const last = (instruction: string): string | undefined =>
    lines.findLast((line) => line.startsWith(`${instruction} `))?.slice(instruction.length + 1)
  if (lines.filter((line) => line.startsWith('FROM ')).length < 2)
    problems.push('builds and runs in one stage')
  if (!/^[1-9]\d*(?::|$)/.test(last('USER') ?? '')) problems.push('does not end as a user by number')
  if (last('HEALTHCHECK') === undefined) problems.push('has no HEALTHCHECK')
  if (!last('ENTRYPOINT')?.startsWith('[')) problems.push('starts through a shell, which takes the signals')
  return problems
}

type Service = {
  readonly image?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly privileged?: boolean
}

export function checkCompose(text: string): string[] {
  const compose = parse(text, { merge: true }) as { readonly services?: Record<string, Service> }
  const isCompose = composeSchema()
  if (!isCompose(compose))
    return (isCompose.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  const ours = Object.entries(compose.services ?? {}).filter(([, { image }]) => image === 'sonde')
  // nginx leaves out for a while who answered 503, and answers 502 by itself when it left out all.
  const leavesOut = /upstream .*\bserver (?!.*max_fails=0)/.test(text) ? ['nginx leaves nodes out'] : []
  return leavesOut.concat(
    ours.flatMap(([name, { read_only: isReadOnly, cap_drop: dropped = [], privileged }]) => [
      ...(isReadOnly ? [] : [`${name} can write to its image`]),
      ...(dropped.includes('ALL') && !privileged ? [] : [`${name} keeps capabilities`]),
    ]),
  )
}

/** The schema of the Compose specification, as dclint brings it. */
function composeSchema() {
  const folder = dirname(createRequire(import.meta.url).resolve('dclint/package.json'))
  const schema = JSON.parse(readFileSync(join(folder, 'schemas', 'compose.schema.json'), 'utf8')) as object
  // Its formats are about durations and ports, which Compose itself reads more freely.
  return new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile({
    ...schema,
    $schema: 'http://json-schema.org/draft-07/schema#',
  })
}

const HARDENED = [
  'User=sonde',
  'NoNewPrivileges=yes',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'CapabilityBoundingSet=',
  'KillMode=mixed',
]

export function checkUnit(text: string): string[] {
  const lines = text.split('\n')
  const strange = lines.filter((line) => !/^(?:#.*|\[(?:Unit|Service|Install)\]|[A-Z]\w+=.*|)$/.test(line))
  return [
    ...strange.map((line) => `"${line}" is no line of a unit`),
    ...HARDENED.filter((line) => !lines.includes(line)).map((line) => `${line} is missing`),
  ]
}

type Tree = { readonly [name: string]: Tree | string | number | boolean | null }

/** What opens a block that ends with `end`. */
const OPENS = /^(?:if|range|with|define|block)\b/

function checkTemplates(templates: readonly (readonly [string, string])[], values: Tree): string[] {
  return templates.flatMap(([path, text]) => {
    const say = (problem: string): string => `${FOLDER}/${path}: ${problem}`
    const actions = [...text.matchAll(/\{\{-?\s*([^}]*?)\s*-?\}\}/g)].map(([, action = '']) => action)
    const open = actions.filter((action) => OPENS.test(action)).length
    const ends = actions.filter((action) => action === 'end').length
    return [
      ...(open === ends ? [] : [say(`${open} blocks and ${ends} ends`)]),
      ...actions
        .flatMap((action) => [...action.matchAll(/\.Values\.([\w.]+)/g)].map(([, name = '']) => name))
        .filter((name) => !has(values, name.split('.')))
        .map((name) => say(`.Values.${name} is not in values.yaml`)),
    ]
  })
}

function has(tree: Tree[string] | undefined, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return tree !== undefined
  return typeof tree === 'object' && tree !== null && name in tree && has(tree[name], rest)
}

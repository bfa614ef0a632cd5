/**
 * What runs where. Sonde is two lists of modules, one for each process: `front/front-modules.ts` and `back/back-modules.ts`. A
 * module names what it needs, and the roles that ask for it. A start runs the modules of its roles and whatever those need, in
 * the order of the list, and stops them in reverse.
 */
import { createStopStack, type Logger, type Stop } from '@sonde/base'

/** `SONDE_ROLES` chooses among them. Without it a start has all of them. */
export const ROLES = [
  { name: 'ingest', about: 'accepts what SDKs send and writes it to the log' },
  { name: 'pipeline', about: 'reads the log, stores events and spans, and reprocesses them after an upload' },
  { name: 'web', about: 'serves the screens and `/api/0`' },
  { name: 'alerts', about: 'evaluates alert rules and delivers notifications' },
  { name: 'maintain', about: 'assembles uploads, and deletes what is too old or was deleted' },
] as const
export type Role = (typeof ROLES)[number]['name']
export const ALL_ROLES: readonly Role[] = ROLES.map(({ name }) => name)

/** Names that roles had before: still understood. */
export const FORMER_ROLES: ReadonlyMap<string, Role> = new Map([
  ['process', 'pipeline'],
  ['jobs', 'maintain'],
])

/** What every module of a start gets besides what it needs. */
export type ModuleTools = {
  readonly logger: Logger
  readonly roles: ReadonlySet<Role>
  /** Called when Sonde stops, before the stops of the modules that started earlier. */
  onStop(stop: Stop): void
}

/** `Parts`: what each module is for the others, by name. */
export type Module<Parts, Tools> = {
  readonly name: keyof Parts & string
  /** They run before it, whatever the roles. */
  readonly needs: readonly (keyof Parts & string)[]
  /** What it works with when it runs: their own roles decide. */
  readonly uses: readonly (keyof Parts & string)[]
  /** Those that ask for it. None: it runs when another module needs it. */
  readonly roles: readonly Role[]
  readonly start: (parts: Partial<Parts>, tools: Tools & ModuleTools) => unknown
}

/** Makes modules whose `start` sees what it names in `needs` and `uses`, and nothing else. */
export function moduleOf<Parts, Tools>() {
  return function module<
    Name extends keyof Parts & string,
    Needs extends keyof Parts & string = never,
    Uses extends keyof Parts & string = never,
  >(given: {
    readonly name: Name
    readonly needs: readonly Needs[]
    readonly uses?: readonly Uses[]
    readonly roles: readonly Role[]
    readonly start: (
      parts: Pick<Parts, Needs> & Partial<Pick<Parts, Uses>>,
      tools: Tools & ModuleTools,
    ) => Parts[Name] | Promise<Parts[Name]>
  }): Module<Parts, Tools> {
    // The runner starts nothing before what it needs.
    return { ...given, uses: given.uses ?? [], start: given.start as Module<Parts, Tools>['start'] }
  }
}

export type Started<Parts> = {
  readonly parts: Partial<Parts>
  /** Idempotent. */
  readonly stop: () => Promise<void>
}

/** When a module fails to start, the ones before it are stopped, and its error is thrown. */
export async function startModules<Parts, Tools>(
  modules: readonly Module<Parts, Tools>[],
  tools: Tools & Omit<ModuleTools, 'onStop'>,
): Promise<Started<Parts>> {
  const { logger, roles } = tools
  const chosen = modulesOf(modules, roles)
  const stops = createStopStack(logger)
  const parts: Partial<Parts> = {}
  try {
    for (const { name, start } of chosen) {
      const onStop = (stop: Stop): void => stops.push(name, stop)
      parts[name] = (await start(parts, { ...tools, onStop })) as Parts[typeof name]
    }
  } catch (error) {
    await stops.stopAll()
    throw error
  }
  return { parts, stop: stops.stopAll }
}

/** Throws for a list that is wrong whatever the roles: a name that comes twice, a need that is not before its module. */
export function modulesOf<Parts, Tools>(
  modules: readonly Module<Parts, Tools>[],
  roles: ReadonlySet<Role>,
): readonly Module<Parts, Tools>[] {
  const before = new Set<string>()
  for (const { name, needs, uses } of modules) {
    if (before.has(name)) throw new Error(`the module ${name} is in the list twice`)
    const missing = [...needs, ...uses].find((need) => !before.has(need))
    if (missing !== undefined) throw new Error(`the module ${name} needs ${missing}, which is not before it`)
    before.add(name)
  }
  const wanted = new Set<string>()
  for (const { name, needs, roles: own } of modules.toReversed()) {
    if (!wanted.has(name) && !own.some((role) => roles.has(role))) continue
    for (const need of [name, ...needs]) wanted.add(need)
  }
  return modules.filter(({ name }) => wanted.has(name))
}

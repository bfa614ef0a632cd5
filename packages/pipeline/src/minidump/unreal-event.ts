/**
 * A crash of Unreal Engine: what its context and its log add to the event of its minidump. Without a minidump the stack is
 * the one that the engine walked itself.
 */
import type { EnvelopeItem } from '@sonde/protocol/envelope'
import { jsonObject, objectOf, type RawObject } from '../normalize/read-fields.ts'
import { readUnrealContext, type UnrealContext } from './unreal-context.ts'

const CONTEXT = 'unreal.context'
const LOGS = 'unreal.logs'

const isOf = ({ header }: EnvelopeItem, type: string): boolean =>
  header.type === 'attachment' && header['attachment_type'] === type

/** Undefined: the envelope has no context of the engine. */
export function unrealOf(
  items: readonly EnvelopeItem[],
): { readonly context: EnvelopeItem; readonly log: EnvelopeItem | undefined } | undefined {
  const context = items.find((item) => isOf(item, CONTEXT))
  return context && { context, log: items.find((item) => isOf(item, LOGS)) }
}

/** `payload`: of an event, with what its minidump tells. What the engine calls the crash replaces what the dump does. */
export function withUnreal(
  payload: Uint8Array,
  contextFile: Uint8Array,
  log: Uint8Array | undefined,
): Uint8Array {
  const event = jsonObject(new TextDecoder().decode(payload))
  // The stages say what is wrong with it.
  if (!event) return payload
  const context = readUnrealContext(contextFile)
  const breadcrumbs = log && breadcrumbsOf(log)
  return Buffer.from(
    JSON.stringify({
      ...event,
      ...(context
        ? fieldsOf(event, context)
        : { contexts: { ...objectOf(event['contexts']), unreal: UNREADABLE } }),
      ...(breadcrumbs && breadcrumbs.length > 0 && event['breadcrumbs'] === undefined && { breadcrumbs }),
    }),
  )
}

/** The file itself stays beside the event. */
const UNREADABLE = { problem: 'CrashContext.runtime-xml cannot be read' }

function fieldsOf(event: RawObject, { properties, game }: UnrealContext): RawObject {
  const set = jsonObject(game.get('__sentry') ?? '') ?? {}
  const said = (name: string): string | undefined => properties.get(name)
  const isTrue = (name: string): boolean => said(name)?.toLowerCase() === 'true'
  const type = said('CrashType') ?? (isTrue('IsEnsure') ? 'Ensure' : isTrue('IsAssert') ? 'Assert' : 'Crash')
  const isEnsure = type === 'Ensure'
  const login = said('LoginId') ?? said('EpicAccountId')
  const [contexts, tags] = [objectOf(event['contexts']), objectOf(event['tags'])]
  const ownContexts = objectOf(set['contexts'])
  return {
    ...set,
    // A failed ensure is reported, and the game goes on.
    level: set['level'] ?? (isEnsure ? 'error' : 'fatal'),
    exception: exceptionOf(event, type, properties),
    ...(login !== undefined &&
      set['user'] === undefined &&
      event['user'] === undefined && { user: { id: login } }),
    tags: {
      ...tags,
      'unreal.crash_type': type,
      ...optional('unreal.engine_version', said('EngineVersion')),
      ...optional('unreal.build_configuration', said('BuildConfiguration')),
      ...objectOf(set['tags']),
    },
    contexts: {
      ...contexts,
      unreal: unrealContext(properties, game),
      ...(said('Misc.PrimaryGPUBrand') !== undefined && {
        gpu: { name: said('Misc.PrimaryGPUBrand'), ...objectOf(contexts['gpu']) },
      }),
      device: {
        ...objectOf(contexts['device']),
        ...optional('cpu_description', said('Misc.CPUBrand')),
        ...numeric('memory_size', said('MemoryStats.TotalPhysical')),
        ...numeric('processor_count', said('Misc.NumberOfCoresIncludingHyperthreads')),
      },
      os: {
        ...objectOf(contexts['os']),
        ...optional('raw_description', said('PlatformFullName') ?? said('Misc.OSVersionMajor')),
      },
      ...ownContexts,
    },
    sdk: event['sdk'] ?? { name: 'unreal.crashreporter', version: said('CrashReportClientVersion') ?? '0' },
  }
}

const optional = (name: string, value: string | undefined): RawObject =>
  value === undefined ? {} : { [name]: value }
const numeric = (name: string, value: string | undefined): RawObject =>
  value !== undefined && /^\d{1,15}$/.test(value) ? { [name]: Number(value) } : {}

/** Long ones are told elsewhere: stacks by frames, modules by images. */
const TOLD_ELSEWHERE: ReadonlySet<string> = new Set([
  'CallStack',
  'PCallStack',
  'PCallStackHash',
  'Modules',
  'Threads',
  'ErrorMessage',
  'CrashReporterMessage',
])
const MAX_PROPERTIES = 100
const MAX_VALUE = 500

/** `Misc.PrimaryGPUBrand` → `misc_primary_gpu_brand`. */
function unrealContext(
  properties: ReadonlyMap<string, string>,
  game: ReadonlyMap<string, string>,
): RawObject {
  const found: Record<string, string> = {}
  for (const [name, value] of properties)
    if (!TOLD_ELSEWHERE.has(name) && Object.keys(found).length < MAX_PROPERTIES)
      found[snakeCase(name)] = value.slice(0, MAX_VALUE)
  for (const [name, value] of game)
    if (name !== '__sentry' && Object.keys(found).length < MAX_PROPERTIES)
      found[`game_data.${name.slice(0, 100)}`] = value.slice(0, MAX_VALUE)
  return found
}

const snakeCase = (name: string): string =>
  name
    .slice(0, 100)
    .replaceAll('.', '_')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()

/** The dump’s exception with the engine’s words; without a dump the engine’s own stack. */
function exceptionOf(event: RawObject, type: string, properties: ReadonlyMap<string, string>): RawObject {
  const values = objectOf(event['exception'])['values']
  const dumped = objectOf(Array.isArray(values) ? (values as readonly unknown[]).at(-1) : undefined)
  const message = properties.get('ErrorMessage') ?? properties.get('CrashReporterMessage')
  const isPlain = type === 'Crash' && dumped['type'] !== undefined
  const stack = betterStack(objectOf(dumped['stacktrace']), stackOf(properties, modulesOf(event)))
  return {
    values: [
      {
        mechanism: { type: 'unreal', handled: type === 'Ensure', synthetic: true },
        ...dumped,
        type: isPlain ? dumped['type'] : type,
        ...(message !== undefined && { value: message }),
        ...(stack !== undefined && { stacktrace: stack }),
      },
    ],
  }
}

/** The engine unwound its stack with the tables of the program; what was found by scanning the dump is partly chance. */
function betterStack(dumped: RawObject, engine: RawObject | undefined): RawObject | undefined {
  const frames = Array.isArray(dumped['frames']) ? (dumped['frames'] as readonly unknown[]) : []
  const isScanned = frames.some((frame) => objectOf(objectOf(frame)['data'])['trust'] === 'scan')
  if (frames.length > 0 && (!engine || !isScanned)) return dumped
  return engine && { ...dumped, ...engine }
}

type Module = { readonly start: number; readonly file: string }

/** Where each module lies, by its name without folder and ending: of a base the engine tells the lower half alone. */
function modulesOf(event: RawObject): ReadonlyMap<string, Module> {
  const images = objectOf(event['debug_meta'])['images']
  const found = new Map<string, Module>()
  for (const image of Array.isArray(images) ? (images as readonly unknown[]) : []) {
    const { code_file: file, image_addr: address } = objectOf(image)
    if (typeof file !== 'string') continue
    const name = moduleName(file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1))
    if (!found.has(name)) found.set(name, { start: Number(address), file })
  }
  return found
}

const moduleName = (name: string): string => name.toLowerCase().replace(/\.[a-z]{1,5}$/, '')

const MAX_FRAMES = 250

/** `PCallStack` has module, base and offset of each frame, `CallStack` the names that the machine of the player knew. */
function stackOf(
  properties: ReadonlyMap<string, string>,
  modules: ReadonlyMap<string, Module>,
): RawObject | undefined {
  const names = (properties.get('CallStack') ?? '')
    .split('\n', MAX_FRAMES)
    .map((line) => namedFrame(line.trim()))
  const places = portableFrames(properties.get('PCallStack') ?? '', modules)
  const frames = Array.from({ length: Math.max(names.length, places.length) }, (_, at) => ({
    ...names[at],
    ...places[at],
  })).filter((frame) => Object.keys(frame).length > 0)
  // The engine tells the crash first, a stack of an event ends with it.
  return frames.length === 0 ? undefined : { frames: frames.toReversed() }
}

/** `Game!AActor::Destroy() [D:\\game\\actor.cpp:12]`, or the module alone. */
function namedFrame(line: string): RawObject {
  const mark = line.indexOf('!')
  if (mark === -1) return optional('package', line || undefined)
  const open = line.endsWith(']') ? line.lastIndexOf(' [') : -1
  const place = open === -1 ? '' : line.slice(open + 2, -1)
  const colon = place.lastIndexOf(':')
  const lineno = Number(place.slice(colon + 1))
  const name = line.slice(mark + 1, open === -1 ? undefined : open).replace(/\(\)$/, '')
  return {
    ...optional('package', line.slice(0, mark) || undefined),
    ...optional('function', name || undefined),
    ...(colon > 0 &&
      Number.isSafeInteger(lineno) &&
      lineno > 0 && { filename: place.slice(0, colon), lineno }),
  }
}

/** `Game 0x00001000 + 10`, one behind the other. */
function portableFrames(text: string, modules: ReadonlyMap<string, Module>): readonly RawObject[] {
  const words = text.split(/\s/, 8 * MAX_FRAMES).filter((word) => word !== '')
  const frames: RawObject[] = []
  for (let at = 0; at + 3 < words.length && frames.length < MAX_FRAMES; at += 4) {
    const [module = '', base = '', plus, offset = ''] = words.slice(at, at + 4)
    const known = modules.get(moduleName(module))
    const start = known?.start ?? Number.parseInt(base, 16)
    const address = start + Number.parseInt(offset, 16)
    if (plus !== '+' || !Number.isSafeInteger(address)) break
    frames.push({
      package: known?.file ?? module,
      instruction_addr: `0x${address.toString(16)}`,
      data: { trust: 'prewalked' },
    })
  }
  return frames
}

/** As many as SDKs keep. */
const MAX_BREADCRUMBS = 100
/** Of the end of a log: longer lines than these are of nobody. */
const MAX_LOG_BYTES = 64 * 1024
const TIME = /^\[(\d{4})\.(\d\d)\.(\d\d)-(\d\d)\.(\d\d)\.(\d\d):(\d{3})\]\[[ \d]{1,9}\]/
const CATEGORY = /^(\w+): (?:(Fatal|Error|Warning|Display|Log|Verbose|VeryVerbose): )?/
const LEVELS: Readonly<Record<string, string>> = {
  Fatal: 'fatal',
  Error: 'error',
  Warning: 'warning',
  Verbose: 'debug',
  VeryVerbose: 'debug',
}

/** The last lines of the log; times are in UTC where a line has one. */
function breadcrumbsOf(log: Uint8Array): readonly RawObject[] {
  const text = Buffer.from(log.buffer, log.byteOffset, log.length)
    .toString('utf8', Math.max(0, log.length - MAX_LOG_BYTES))
    .replace(/^\ufeff/, '')
  const lines = text.split(/\r?\n/)
  // The first is cut where the log is longer.
  if (log.length > MAX_LOG_BYTES) lines.shift()
  return lines
    .filter((line) => line.trim() !== '')
    .slice(-MAX_BREADCRUMBS)
    .map(breadcrumbOf)
}

function breadcrumbOf(line: string): RawObject {
  const [stamp = '', year, month, day, hour, minute, second, millisecond] = TIME.exec(line) ?? []
  const text = line.slice(stamp.length)
  const [head = '', category = 'log', level = ''] = CATEGORY.exec(text) ?? []
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`)
  return {
    type: 'default',
    category,
    level: LEVELS[level] ?? 'info',
    message: text.slice(head.length),
    ...(Number.isFinite(at) && { timestamp: at / 1000 }),
  }
}

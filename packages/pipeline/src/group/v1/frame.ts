/** What one frame gives to the hash: its function, its place in the code, the line of source. Never line numbers. */
import type { Frame } from '@sonde/protocol/event'
import { fileOf, isMapped, minifiedFiles, survivesMinifier } from './minified.ts'
import { remembered } from './remember.ts'
import { isScript, stableFile, stablePath } from './stable-path.ts'

/** Longer lines are data or generated code. */
const MAX_CONTEXT_CHARACTERS = 120
/** Platforms whose SDK reads the source itself, so that every event of the platform has the line. */
const CONTEXT_PLATFORMS = new Set(['javascript', 'node', 'python', 'php', 'ruby', 'go', 'elixir', 'perl'])

export type FrameValue = {
  /** Empty: the frame contributes nothing. */
  readonly text: string
  readonly minified: boolean
  readonly note?: string
}

export function frameValues(frames: readonly Frame[], eventPlatform: string): FrameValue[] {
  const minified = minifiedFiles(
    frames.filter((frame) => familyOf(frame.platform ?? eventPlatform) === 'javascript'),
  )
  const values: FrameValue[] = []
  for (const frame of frames) {
    const platform = frame.platform ?? eventPlatform
    const family = familyOf(platform)
    if (family !== 'javascript') values.push(plainFrame(frame, family, platform))
    else if (!isRuntimeFrame(frame)) {
      values.push(minified.has(fileOf(frame)) ? minifiedFrame(frame) : plainFrame(frame, family, platform))
    }
  }
  return values
}

function plainFrame(frame: Frame, family: Family, platform: string): FrameValue {
  const line = CONTEXT_PLATFORMS.has(platform) ? contextLine(frame.context_line ?? '') : ''
  // A source map gives the right line but often the caller's name.
  const name = line !== '' && isMapped(frame) ? '' : stableFunction(frame.function ?? '', family)
  const place = placeOf(frame, family, name)
  return {
    text: [name, place, line].some((part) => part !== '') ? `${name} | ${place} | ${line}` : '',
    minified: false,
  }
}

function minifiedFrame(frame: Frame): FrameValue {
  const name = stableFunction(frame.function ?? '', 'javascript')
  const text = survivesMinifier(name) ? name : ''
  return {
    text,
    minified: true,
    note: 'minified, no source map: only a name that survives the minifier counts',
  }
}

function placeOf(frame: Frame, family: Family, name: string): string {
  if (family === 'native') return name === '' ? stableFile(frame.package ?? frame.filename ?? '') : ''
  const module = frame.module ?? ''
  const path = frame.filename ?? frame.abs_path ?? ''
  if (family === 'javascript') {
    if (path === '') return stableModule(module)
    const hasUrl = /^(?:https?|blob|applewebdata):/.test(frame.abs_path ?? path)
    return hasUrl && !isScript(path) ? '' : stablePath(path)
  }
  return module !== '' && module !== '__main__' ? stableModule(module) : stablePath(path)
}

const contextLine = remembered((line) => {
  const collapsed = line.replace(/\s+/g, ' ').trim()
  return collapsed.length > MAX_CONTEXT_CHARACTERS ? '' : collapsed
})

// Frames that belong to a JavaScript engine, a bundler or an SDK: they say nothing about the error.

/** How promises, timers and compiled async functions call: they come and go with engine and compile target. */
const PLUMBING = new Set([
  'processTicksAndRejections',
  'process.processTicksAndRejections',
  'runMicrotasks',
  'queueMicrotask',
  'runNextTicks',
  'process.runNextTicks',
  'nextTick',
  'listOnTimeout',
  'processTimers',
  'asyncGeneratorStep',
  '_asyncToGenerator',
  '__awaiter',
  '__generator',
  'sentryWrapped',
  '__webpack_require__',
  'webpackJsonpCallback',
  '__webpack_modules__',
  'reportError',
])
const ENGINE_FILE =
  /^(?:node:|internal\/|\[native code\]|native code$|native$|eval code|<anonymous>$|index \d+$|wasm:)|^webpack\/(?:bootstrap|runtime)|webpack:\/\/\/?(?:[^/]*\/)?(?:\.\/)?webpack\/(?:bootstrap|runtime)/
const PACKAGE =
  /(?:^|[/\\])node_modules[/\\](?:\.pnpm[/\\][^/\\]+[/\\]node_modules[/\\])?(?:@sentry(?:-internal)?|@babel|core-js|regenerator-runtime|tslib|zone\.js)[/\\]/

function isRuntimeFrame(frame: Frame): boolean {
  const name = frame.function ?? ''
  if (PLUMBING.has(name) || name === 'eval' || name.endsWith('.sentryWrapped')) return true
  if (name.startsWith('async Promise.') || name.startsWith('Promise.')) return true
  const path = frame.abs_path ?? ''
  const file = frame.filename ?? ''
  return ENGINE_FILE.test(file) || ENGINE_FILE.test(path) || PACKAGE.test(file) || PACKAGE.test(path)
}

/** Module and class names without the parts that compilers and runtimes number anew. */
const RULES: readonly (readonly [RegExp, string])[] = [
  // Proxies that Spring, Hibernate, Javassist and Guice make at run time.
  [
    /\$\$(?:EnhancerBy|FastClassBy)\w*\$\$[\w$]*|\$\$[A-Za-z]*CGLIB\$\$[\w$]*|\$\$SpringCGLIB\$\$\d+/g,
    '$$$$<auto>',
  ],
  [/_\$\$_(?:javassist|jvst)\w*/g, '_$$$$_<auto>'],
  [/\$HibernateProxy\$\w+/g, '$$HibernateProxy$$<auto>'],
  [/((?:sun|jdk\.internal)\.reflect\.Generated(?:Serialization)?(?:Method|Constructor)Accessor)\d+/g, '$1'],
  [/\$\$Lambda(?:\$\d+)?(?:\/0x[0-9a-f]+|\/\d+)?/gi, '$$$$Lambda'],
  [/\$fn__\d+/g, '$$fn'],
  [/jdk\.proxy\d+\.|com\.sun\.proxy\./g, 'proxy.'],
  [/\$Proxy\d+/g, '$$Proxy'],
  // Anonymous classes are numbered in the order of the source file.
  [/\$\d+/g, '$$'],
  [/@v\d[\w.+-]*/g, ''],
  [/\/v\d+(?=\/|\.|$)/g, ''],
  [/-\d+(?:\.\d+)+/g, ''],
  [/(^|[./])[0-9a-f]{16,}(?=[./]|$)/g, '$1<hash>'],
]

const stableModule = remembered((module) => {
  if (!/[\d$]/.test(module)) return module.trim()
  let name = module.trim()
  for (const [pattern, replacement] of RULES) name = name.replace(pattern, replacement)
  return name
})

/** A function's name as a person would say it: the same in every build. Empty when the name says nothing. */
type Family = 'javascript' | 'native' | 'other'

function familyOf(platform: string): Family {
  if (platform === 'javascript' || platform === 'node') return 'javascript'
  return NATIVE.has(platform) ? 'native' : 'other'
}
const NATIVE = new Set(['native', 'c', 'cocoa', 'objc', 'swift', 'rust'])

const NAMELESS =
  /^(?:\?+|<?unknown>?|<redacted>|<?anonymous(?: function)?>?|\{anonymous\}|<Anonymous function>|Anonymous function|0x[0-9a-f]+|sub_[0-9a-f]+|___lldb_unnamed_symbol\w*)$/i

type Rule = readonly [RegExp, string]
const JAVASCRIPT: readonly Rule[] = [
  [/^(?:async |new |get |set |static )+/, ''],
  [/ \[as [^\]]*\]$/, ''],
  // Firefox: `outer/inner`, `outer/<` for a nameless function inside `outer`.
  [/^.*\/(?=[^/]*$)/, ''],
  [/[(<\s].*$/s, ''],
  // The receiver (`Object.`, `t.prototype.`) is what the engine guessed, or what a minifier named.
  [/^.*\./s, ''],
  // A bundler's own numbering of equal names: `render$1`.
  [/\$\d+$/, ''],
]
const NATIVE_RULES: readonly Rule[] = [
  // What MSVC calls lambdas and unnamed namespaces: hashes of the source file.
  [/<lambda_[0-9a-f]+>/g, 'lambda'],
  [/\?A0x[0-9a-f]+(?=::)/g, 'anonymous'],
  [/::h[0-9a-f]{16}$/, ''],
  [/(?:\.(?:llvm|isra|part|constprop|cold|lto_priv)(?:\.\d+)*)+$/, ''],
  [/\s*\[clone [^\]]*\]/g, ''],
]
const OTHER: readonly Rule[] = [
  // Ruby: `block (2 levels) in save`, `rescue in save`; compiled templates end in two numbers.
  [/^(?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )+/, ''],
  [/__+\d+_\d+$/, ''],
  // PHP: anonymous classes carry their file, closures (8.4) their line.
  [/class@anonymous(?:(?!::).)*/s, 'class@anonymous'],
  [/\{closure:[^}]*\}/g, '{closure}'],
  // C#: what the compiler made of async methods and lambdas; argument lists.
  [/<(\w+)>[bdg]__[\w|]*(?:\.MoveNext)?/g, '$1'],
  [/DisplayClass\d+_\d+/g, 'DisplayClass'],
  [/`\d+/g, ''],
  [/ \(.*$/s, ''],
  // Java, Kotlin, Go: lambdas and closures are numbered in the order of the source file.
  [/^lambda\$(.*?)\$\d+$/, 'lambda$$$1'],
  [/^(?:lambda|access)\$\d+$/, 'lambda'],
  [/(?:\.func\d+(?:\.\d+)*)+(?=\.|$)/g, '.func'],
  [/\[\.\.\.\]/g, ''],
]

const STABLE: Readonly<Record<Family, (name: string) => string>> = {
  javascript: remembered((name) => cleanFunction(name, 'javascript')),
  native: remembered((name) => cleanFunction(name, 'native')),
  other: remembered((name) => cleanFunction(name, 'other')),
}

export function stableFunction(name: string, family: Family): string {
  return STABLE[family](name)
}

function cleanFunction(name: string, family: Family): string {
  const trimmed = name.trim()
  if (trimmed === '' || NAMELESS.test(trimmed)) return ''
  if (family === 'native') return withoutArguments(applyRules(trimmed, NATIVE_RULES))
  const stable = applyRules(trimmed, family === 'javascript' ? JAVASCRIPT : OTHER)
  if (NAMELESS.test(stable)) return ''
  // One or two letters are what a minifier leaves: another function in every build.
  if (family === 'javascript' && (stable.length < 3 || stable === 'eval')) return ''
  return stable
}

function applyRules(name: string, rules: readonly Rule[]): string {
  let result = name
  for (const [pattern, replacement] of rules) result = result.replace(pattern, replacement)
  return result
}

/** `ns::Foo<std::map<int, int>>::run(int) const` → `ns::Foo::run`: symbol files differ in how much they spell out. */
function withoutArguments(name: string): string {
  if (name.startsWith('-[') || name.startsWith('+[') || name.includes('operator')) return name
  let depth = 0
  let kept = ''
  const plain = name
    .replaceAll('(anonymous namespace)', 'anonymous')
    .replaceAll("`anonymous namespace'", 'anonymous')
  for (const char of plain) {
    if (char === '(' && depth === 0 && kept !== '') break
    if (char === '<') depth++
    else if (char === '>') depth = Math.max(0, depth - 1)
    else if (depth === 0) kept += char
  }
  const words = kept.trim().split(/\s+(?=[\w:~]+$)/)
  return words.at(-1) ?? kept.trim()
}

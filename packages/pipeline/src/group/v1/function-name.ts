/** A function's name as a person would say it: the same in every build. Empty when the name says nothing. */
import { remembered } from './remember.ts'

export type Family = 'javascript' | 'native' | 'other'

export function familyOf(platform: string): Family {
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

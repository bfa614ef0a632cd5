/** What tells the languages apart for colouring: strings, comments, keywords. Not a grammar. */
import type { Frame } from '@sonde/protocol/event'

export type Language = {
  /** Comments, strings and numbers that end on their line; groups `c`, `s`, `n`, and words as `w`. */
  readonly tokens: RegExp
  readonly keywords: ReadonlySet<string>
  /** What goes on over lines: its begin, its end, its colour. */
  readonly blocks: readonly Block[]
}
export type Block = { readonly open: string; readonly close: string; readonly kind: 'comment' | 'string' }

const NUMBER = String.raw`(?<n>\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)\w{0,3}\b)`
const WORD = String.raw`(?<w>[A-Za-z_$][\w$]*)`
const DOUBLE = String.raw`"(?:\\.|[^"\\])*"?`
const SINGLE = String.raw`'(?:\\.|[^'\\])*'?`
const BLOCK_COMMENT: Block = { open: '/*', close: '*/', kind: 'comment' }
const backtick: Block = { open: '`', close: '`', kind: 'string' }

function language(
  comment: string,
  strings: readonly string[],
  keywords: string,
  blocks: readonly Block[],
): Language {
  const opens = blocks.map(({ open }) => open.replaceAll(/[*/`]/g, '\\$&')).join('|')
  const block = opens === '' ? '' : `(?<b>${opens})|`
  return {
    tokens: new RegExp(`${block}(?<c>${comment})|(?<s>${strings.join('|')})|${NUMBER}|${WORD}`, 'g'),
    keywords: new Set(keywords.split(' ')),
    blocks,
  }
}

const C_COMMENT = '//.*'
const HASH_COMMENT = '#.*'

const JS = language(
  C_COMMENT,
  [DOUBLE, SINGLE],
  'abstract any as async await break case catch class const constructor continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace never new null number of private protected public readonly return satisfies set static string super switch this throw true try type typeof undefined unknown var void while with yield',
  [BLOCK_COMMENT, backtick],
)
const PYTHON = language(
  HASH_COMMENT,
  [`[rbfuRBFU]{0,2}(?:${DOUBLE}|${SINGLE})`],
  'False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield',
  [
    { open: '"""', close: '"""', kind: 'string' },
    { open: "'''", close: "'''", kind: 'string' },
  ],
)
const GO = language(
  C_COMMENT,
  [DOUBLE, SINGLE],
  'any bool break byte case chan const continue default defer else error fallthrough false for func go goto if import int int32 int64 interface iota map nil package range return rune select string struct switch true type uint var',
  [BLOCK_COMMENT, backtick],
)
const JAVA = language(
  C_COMMENT,
  [DOUBLE, SINGLE],
  'abstract as assert async await base bool boolean break byte case catch char class companion const continue data decimal default delegate do double else enum event explicit extends false final finally float for foreach fun get if implements import in init instanceof int interface internal is it lateinit long namespace native new null object operator out override package params private protected public readonly record ref return sealed set short static string String struct super suspend switch synchronized this throw throws transient true try typeof using val var virtual void volatile when where while yield',
  [BLOCK_COMMENT],
)
const PHP = language(
  `${C_COMMENT}|#(?!\\[).*`,
  [DOUBLE, SINGLE],
  'abstract and array as bool break callable case catch class clone const continue declare default do echo else elseif empty enum extends false final finally float fn for foreach function global if implements include instanceof int interface isset list match namespace new null or print private protected public readonly require require_once return self static string switch this throw trait true try unset use var void while yield',
  [BLOCK_COMMENT],
)
const RUBY = language(
  HASH_COMMENT,
  [DOUBLE, SINGLE, String.raw`(?<![:\w]):[A-Za-z_]\w*[?!]?`],
  'alias and attr_accessor attr_reader begin break case class def defined do else elsif end ensure extend false for if in include module next nil not or private protected public raise redo require rescue retry return self super then true undef unless until when while yield',
  [],
)

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map([
  ...['js', 'jsx', 'mjs', 'cjs', 'ts', 'tsx', 'mts', 'cts', 'vue', 'svelte'].map(
    (name) => [name, JS] as const,
  ),
  ...['py', 'pyi', 'pyx'].map((name) => [name, PYTHON] as const),
  ['go', GO],
  ...['java', 'kt', 'kts', 'scala', 'groovy', 'cs', 'swift', 'dart', 'c', 'cc', 'cpp', 'h', 'rs'].map(
    (name) => [name, JAVA] as const,
  ),
  ...['php', 'phtml'].map((name) => [name, PHP] as const),
  ...['rb', 'erb', 'rake'].map((name) => [name, RUBY] as const),
])
const BY_PLATFORM: ReadonlyMap<string, Language> = new Map([
  ['javascript', JS],
  ['node', JS],
  ['python', PYTHON],
  ['go', GO],
  ['java', JAVA],
  ['csharp', JAVA],
  ['php', PHP],
  ['ruby', RUBY],
])

/** By the file's ending, else by the platform; undefined: nothing is coloured. */
export function languageOf(
  frame: Pick<Frame, 'filename' | 'abs_path' | 'platform'>,
  platform: string,
): Language | undefined {
  const file = frame.filename ?? frame.abs_path ?? ''
  const extension = /\.([a-z]{1,6})(?:[?#].*)?$/i.exec(file.slice(-200))?.[1]?.toLowerCase()
  const known = extension === undefined ? undefined : BY_EXTENSION.get(extension)
  return known ?? BY_PLATFORM.get(frame.platform ?? platform)
}

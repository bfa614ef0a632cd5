/**
 * The Markdown of comments: CommonMark with tables and struck-out text, by markdown-it. It becomes a tree of few elements, never
 * HTML: what is no element of the list is text, so nothing that a comment says can run. Runs on the server alone.
 */
import type { MarkdownIt, Token } from 'markdown-it'

/** Links lead to these alone. An image is a link: pages of ours fetch nothing from other hosts. */
const LINK_PROTOCOLS: readonly string[] = ['http:', 'https:', 'mailto:']

export const COMMENT_TAGS = [
  'p',
  'br',
  'hr',
  'strong',
  'em',
  's',
  'code',
  'pre',
  'blockquote',
  'ul',
  'ol',
  'li',
  'h4',
  'a',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'mention',
] as const
export type CommentTag = (typeof COMMENT_TAGS)[number]

export type CommentNode = string | CommentElement
export type CommentElement = {
  readonly tag: CommentTag
  readonly children: readonly CommentNode[]
  /** Of `a`: absolute. */
  readonly href?: string
  /** Of `ol`: its first number. */
  readonly start?: number
  /** Of `mention`: whom, by the caller's key. */
  readonly mention?: string
}

/** Handle, such as `@ada`, in lower case → what stands there instead. A name that is not known is text. */
export type MentionNames = ReadonlyMap<string, string>

export type ParsedComment = {
  readonly nodes: readonly CommentNode[]
  /** Handles that were found outside of code. */
  readonly mentions: readonly string[]
}

type Env = { readonly names: MentionNames; readonly found: Set<string> }

let parser: Promise<MarkdownIt> | undefined

/** Linear in the text but for a bounded depth; the caller bounds its length (`MAX_COMMENT_CHARS`). */
export async function parseComment(text: string, names: MentionNames): Promise<ParsedComment> {
  // Loaded with the first comment.
  const markdown = await (parser ??= openParser())
  const env: Env = { names, found: new Set() }
  const tokens = markdown.parse(text, env)
  return { nodes: nodesOf(tokens, names), mentions: [...env.found] }
}

async function openParser(): Promise<MarkdownIt> {
  const { default: createMarkdown } = await import('markdown-it')
  const markdown = createMarkdown({ html: false, linkify: true })
  // Only what begins like an address is one: `report.md` and `1.2.3` are no hosts.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  markdown.validateLink = (url) => hrefOf(url) !== undefined
  markdown.inline.ruler.before('emphasis', 'mention', (state, isSilent) => {
    const { names, found } = state.env as Env
    const handle = handleAt(state.src, state.pos, names)
    if (handle === undefined) return false
    if (!isSilent) {
      found.add(handle)
      const token = state.push('mention', '', 0)
      token.content = state.src.slice(state.pos, state.pos + handle.length)
      token.meta = { handle }
    }
    state.pos += handle.length
    return true
  })
  return markdown
}

const SIGN_AT = /[@#]/y
const HANDLE_AT = /@[\w.+-]{1,64}(?:@[\w.-]{1,190})?|#[a-z0-9-]{1,64}/iy

/** The longest known one that begins here: `@ada@example.com.` may be an address with the end of the sentence. */
function handleAt(text: string, at: number, names: MentionNames): string | undefined {
  SIGN_AT.lastIndex = at
  if (!SIGN_AT.test(text) || /[\w@#/&]/.test(text.charAt(at - 1))) return undefined
  HANDLE_AT.lastIndex = at
  const [found = ''] = HANDLE_AT.exec(text) ?? []
  const whole = found.toLowerCase().replace(/[.-]{1,64}$/, '')
  const [, local = ''] = whole.split('@')
  return [whole, `@${local.replace(/[.-]{1,64}$/, '')}`].find((handle) => names.has(handle))
}

/** Undefined: it leads nowhere that a comment may lead. */
function hrefOf(url: string): string | undefined {
  try {
    const { protocol, href } = new URL(url)
    return LINK_PROTOCOLS.includes(protocol) ? href : undefined
  } catch {
    return undefined
  }
}

const ELEMENTS: Readonly<Record<string, CommentTag>> = {
  paragraph: 'p',
  heading: 'h4',
  blockquote: 'blockquote',
  bullet_list: 'ul',
  ordered_list: 'ol',
  list_item: 'li',
  table: 'table',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
  strong: 'strong',
  em: 'em',
  s: 's',
  link: 'a',
}

type Open = { readonly tag: CommentTag | undefined; readonly children: CommentNode[]; readonly token?: Token }

function nodesOf(tokens: readonly Token[], names: MentionNames): readonly CommentNode[] {
  const root: Open = { tag: undefined, children: [] }
  const open: Open[] = [root]
  for (const token of tokens) {
    const into = (open.at(-1) ?? root).children
    if (token.nesting === 1) {
      // A paragraph of a tight list is none.
      const tag = token.hidden ? undefined : ELEMENTS[token.type.replace(/_open$/, '')]
      open.push({ tag, children: [], token })
    } else if (token.nesting === -1) {
      const closed = open.length > 1 ? open.pop() : undefined
      if (closed) append((open.at(-1) ?? root).children, elementOf(closed))
    } else append(into, leafOf(token, names))
  }
  return root.children
}

function elementOf({ tag, children, token }: Open): readonly CommentNode[] {
  if (tag === undefined) return children
  const href = tag === 'a' ? hrefOf(String(token?.attrGet('href') ?? '')) : undefined
  if (tag === 'a' && href === undefined) return children
  const start = tag === 'ol' ? Number(token?.attrGet('start') ?? 1) : 1
  return [
    {
      tag,
      children,
      ...(href !== undefined && { href }),
      ...(start !== 1 && Number.isSafeInteger(start) && { start }),
    },
  ]
}

function leafOf(token: Token, names: MentionNames): readonly CommentNode[] {
  const { type, content } = token
  if (type === 'inline') return nodesOf(token.children ?? [], names)
  // A line ends where it was ended, as in every field for comments.
  if (type === 'hardbreak' || type === 'softbreak') return [{ tag: 'br', children: [] }]
  if (type === 'hr') return [{ tag: 'hr', children: [] }]
  if (type === 'code_inline') return [{ tag: 'code', children: [content] }]
  if (type === 'fence' || type === 'code_block')
    return [{ tag: 'pre', children: [{ tag: 'code', children: [content] }] }]
  if (type === 'mention') {
    const handle = String(token.meta?.['handle'])
    return [{ tag: 'mention', children: [names.get(handle) ?? content], mention: handle }]
  }
  if (type === 'image') {
    const href = hrefOf(String(token.attrGet('src') ?? ''))
    const text = content === '' ? (href ?? '') : content
    return href === undefined ? [text] : [{ tag: 'a', children: [text], href }]
  }
  return content === '' ? [] : [content]
}

/** Neighbouring texts become one. */
function append(into: CommentNode[], nodes: readonly CommentNode[]): void {
  for (const node of nodes) {
    const last = into.at(-1)
    if (typeof node === 'string' && typeof last === 'string') into[into.length - 1] = last + node
    else into.push(node)
  }
}

const LINES: readonly CommentTag[] = ['p', 'br', 'hr', 'pre', 'blockquote', 'li', 'h4', 'tr']

/** What it says without its signs, a line a paragraph: for a quote, which may end anywhere in the text. */
export async function commentWords(text: string): Promise<string> {
  const { nodes } = await parseComment(text, new Map())
  const wordsOf = (node: CommentNode): string => {
    if (typeof node === 'string') return node
    const words = node.children.map(wordsOf).join('')
    if (node.tag === 'td' || node.tag === 'th') return `${words} `
    return LINES.includes(node.tag) ? `${words}\n` : words
  }
  return nodes
    .map(wordsOf)
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

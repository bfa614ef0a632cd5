/**
 * Markdown as Jira's "Atlassian Document Format", as far as drafts use it: paragraphs, lists, code, links.
 * https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/
 */

type TextNode = {
  readonly type: 'text'
  readonly text: string
  readonly marks?: readonly [{ readonly type: 'link'; readonly attrs: { readonly href: string } }]
}
type AdfNode = { readonly type: string; readonly content?: readonly (AdfNode | TextNode)[] }
export type AdfDocument = { readonly type: 'doc'; readonly version: 1; readonly content: readonly AdfNode[] }

const FENCE = '```'

export function adfOf(markdown: string): AdfDocument {
  const content: AdfNode[] = []
  const lines = markdown.replaceAll('\r\n', '\n').split('\n')
  let at = 0
  const take = (isOwn: (line: string) => boolean): string[] => {
    const from = at
    while (at < lines.length && isOwn(lines[at] ?? '')) at++
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.trim() === '') at++
    else if (line.startsWith(FENCE)) {
      at++
      const code = take((each) => !each.startsWith(FENCE)).join('\n')
      at++
      // A text node must not be empty.
      content.push({ type: 'codeBlock', content: code === '' ? [] : [{ type: 'text', text: code }] })
    } else if (line.startsWith('- ')) {
      const items = take((each) => each.startsWith('- '))
      content.push({
        type: 'bulletList',
        content: items.map((item) => ({ type: 'listItem', content: [paragraph([item.slice(2)])] })),
      })
    } else {
      content.push(
        paragraph(take((each) => each.trim() !== '' && !each.startsWith(FENCE) && !each.startsWith('- '))),
      )
    }
  }
  return { type: 'doc', version: 1, content }
}

const paragraph = (lines: readonly string[]): AdfNode => ({
  type: 'paragraph',
  content: lines.flatMap((line, index) => [...(index === 0 ? [] : [{ type: 'hardBreak' }]), ...inline(line)]),
})

/** `[text](https://…)`, or an address alone. */
const LINK = /\[([^\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,2000})\)|(https?:\/\/[^\s()<>]{1,2000})/g

function inline(line: string): TextNode[] {
  const nodes: TextNode[] = []
  let from = 0
  const plain = (text: string): void => {
    if (text !== '') nodes.push({ type: 'text', text })
  }
  for (const { 0: whole, 1: text, 2: named, 3: bare, index } of line.matchAll(LINK)) {
    const href = named ?? bare ?? ''
    plain(line.slice(from, index))
    nodes.push({ type: 'text', text: text ?? href, marks: [{ type: 'link', attrs: { href } }] })
    from = index + whole.length
  }
  plain(line.slice(from))
  return nodes
}

/** Comments as people type them: a tree of the few elements, whatever they say, and in a moment. */
import assert from 'node:assert/strict'
import { COMMENT_TAGS } from '../../../packages/commands/src/comments/markdown.ts'
import { type CommentNode, MAX_COMMENT_CHARS, parseComment } from '../../../packages/commands/src/index.ts'
import type { Target } from '../engine/target.ts'

const NAMES = new Map([
  ['@ada', 'Ada'],
  ['@ada@acme.test', 'Ada'],
  ['#checkout', 'Checkout'],
])
const TAGS: readonly string[] = COMMENT_TAGS
const FIELDS: readonly string[] = ['tag', 'children', 'href', 'start', 'mention']
/** As deep as the library goes; browsers render that. */
const MAX_DEPTH = 250

export const comment: Target = {
  name: 'comment',
  seeds: () => [
    Buffer.from(
      '**Hi** @ada, see [this](https://a.test "t") and `x < y`\n\n- a\n- b\n\n> said\n\n```js\n<script>\n```',
    ),
    Buffer.from('| a | b |\n|:--|--:|\n| ~~c~~ | ![i](https://b.test/i.png) |\n\n1. x\n2. y\n\n# T\n---'),
    Buffer.from(
      '[a](javascript:alert(1)) <script>alert(1)</script> <https://a.test> &lt; \\* [r]\n\n[r]: data:text/html,x',
    ),
  ],
  words: [
    '[',
    '](',
    '![',
    '**',
    '_',
    '`',
    '~~',
    '> ',
    '- ',
    '1. ',
    '\n\n',
    '|',
    '<script>',
    'javascript:',
    'data:',
    '@ada',
    '#checkout',
    '&#x6a;',
    'https://',
  ],
  open: () => ({ run }),
}

async function run(input: Buffer): Promise<void> {
  const { nodes, mentions } = await parseComment(input.toString('utf8').slice(0, MAX_COMMENT_CHARS), NAMES)
  assert.ok(mentions.every((handle) => NAMES.has(handle)))
  for (const node of nodes) check(node, 0)
}

function check(node: CommentNode, depth: number): void {
  if (typeof node === 'string') return
  assert.ok(depth < MAX_DEPTH, 'nested too deeply')
  assert.ok(TAGS.includes(node.tag), node.tag)
  assert.ok(Object.keys(node).every((key) => FIELDS.includes(key)))
  if (node.href !== undefined) assert.ok(/^(?:https?:|mailto:)/.test(node.href), node.href)
  for (const child of node.children) check(child, depth + 1)
}

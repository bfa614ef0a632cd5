/** Nothing that a comment says can run: the tree has elements of the list alone, and links to where they may lead. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type CommentNode, commentWords, parseComment } from '@sonde/commands'
import { COMMENT_TAGS } from '../../src/comments/markdown.ts'

const NAMES = new Map([
  ['@ada', 'Ada Lovelace'],
  ['@ada@acme.test', 'Ada Lovelace'],
  ['#checkout', 'Checkout'],
])
const nodes = async (text: string) => (await parseComment(text, NAMES)).nodes

/** `<p>a<strong>b</strong></p>`, so that a test reads like what is shown. */
const shown = (each: CommentNode): string =>
  typeof each === 'string'
    ? each
    : `<${each.tag}${each.href === undefined ? '' : ` ${each.href}`}>${each.children.map(shown).join('')}</>`
const render = async (text: string): Promise<string> => (await nodes(text)).map(shown).join('')

const SCRIPTS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](java\tscript:alert(1))',
  '[a](&#106;avascript:alert(1))',
  '[a](vbscript:x)',
  '[a](data:text/html;base64,PHNjcmlwdD4=)',
  '![a](data:image/svg+xml,<svg onload=alert(1)>)',
  '![a](javascript:alert(1))',
  '<javascript:alert(1)>',
  '[a]: javascript:alert(1)\n\n[a]',
  '<a href="https://x" onclick="alert(1)">x</a>',
  '<iframe src="https://x"></iframe>',
  '<style>*{display:none}</style>',
  '```html\n<script>alert(1)</script>\n```',
  '`<script>alert(1)</script>`',
  '<!-- --><script>alert(1)</script>',
  '<details open ontoggle=alert(1)>',
  '[<img src=x onerror=alert(1)>](https://x.test)',
  '**<script>**alert(1)</script>',
  '| a |\n|---|\n| <script>alert(1)</script> |',
  '[a](file:///etc/passwd)',
  '[a](//evil.test)',
  '[a](https://x.test "onmouseover=alert(1)")',
]

function check(each: CommentNode): void {
  if (typeof each === 'string') return
  assert.ok((COMMENT_TAGS as readonly string[]).includes(each.tag), each.tag)
  if (each.href !== undefined) assert.match(each.href, /^(?:https?:|mailto:)/)
  assert.deepEqual(
    Object.keys(each).filter((key) => !['tag', 'children', 'href', 'start', 'mention'].includes(key)),
    [],
  )
  each.children.forEach(check)
}

describe('a comment', () => {
  it('is Markdown', async () => {
    assert.equal(
      await render('**a** _b_ ~~c~~ `d`\ne'),
      '<p><strong>a</> <em>b</> <s>c</> <code>d</><br></>e</>',
    )
    assert.equal(await render('- a\n- b\n\n3. c'), '<ul><li>a</><li>b</></><ol><li>c</></>')
    assert.equal(await render('# Title\n> said\n\n---'), '<h4>Title</><blockquote><p>said</></><hr></>')
    assert.equal(await render('```ts\na < b\n```'), '<pre><code>a < b\n</></>')
    assert.equal(
      await render('| a |\n|---|\n| b |'),
      '<table><thead><tr><th>a</></></><tbody><tr><td>b</></></></>',
    )
    assert.equal(
      await render('see https://a.test/x and file.md, [here](https://b.test)'),
      '<p>see <a https://a.test/x>https://a.test/x</> and file.md, <a https://b.test/>here</></>',
    )
    assert.equal(await render('![a chart](https://b.test/c.png)'), '<p><a https://b.test/c.png>a chart</></>')
  })

  it('says names of people and teams, but not in code, addresses or words', async () => {
    assert.equal(
      await render('@ada, ask #checkout (or @ADA@acme.test).'),
      '<p><mention>Ada Lovelace</>, ask <mention>Checkout</> (or <mention>Ada Lovelace</>).</>',
    )
    const { nodes: plain, mentions } = await parseComment(
      'x@ada `@ada` @bob @adam https://a.test/@ada #checkouts\n\n    @ada',
      NAMES,
    )
    assert.deepEqual(mentions, [])
    assert.doesNotMatch(plain.map(shown).join(''), /<mention>/)
    assert.deepEqual((await parseComment('@ada. **@ada** #checkout-', NAMES)).mentions, ['@ada', '#checkout'])
  })

  it('makes no element but those of the list, and no link but to the web or an address', async () => {
    for (const text of SCRIPTS) {
      const tree = await nodes(text)
      tree.forEach(check)
      assert.doesNotMatch(JSON.stringify(tree), /"href":"(?!https?:|mailto:)/, text)
    }
  })

  it('is read in a moment, however it is nested', async () => {
    const long = [
      '[',
      '![',
      '*',
      '_a',
      '> ',
      '- ',
      '`',
      '~~',
      '<',
      '@ada',
      '#',
      '|a',
      'https://',
      '[a](',
      '&',
      '**a*',
    ]
    for (const piece of long) {
      const text = piece.repeat(Math.floor(10_000 / piece.length))
      const beganMs = performance.now()
      const tree = await nodes(text)
      assert.ok(performance.now() - beganMs < 2_000, `${piece}: ${performance.now() - beganMs} ms`)
      tree.forEach(check)
    }
  })
})

it('the words of a comment are its text without signs, also of one that was cut', async () => {
  assert.equal(
    await commentWords('It is **below zero**, see [the *map*](https://x.test/a)'),
    'It is below zero, see the map',
  )
  assert.equal(await commentWords('one\n\n- two\n- `three` @ada\n\n> four'), 'one\ntwo\nthree @ada\nfour')
  assert.equal(await commentWords('```js\na()\n\nb()'), 'a()\nb()')
  assert.equal(await commentWords('| a | b |\n|---|---|\n| 1 | 2 |'), 'a b\n1 2')
  assert.equal(await commentWords('<b>x</b> **cut…'), '<b>x</b> **cut…')
})

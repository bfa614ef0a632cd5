import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunkAddresses, manifestScripts, scriptAddresses } from '../../src/sourcemaps/named-scripts.ts'
import { webpackChunks } from '../../src/sourcemaps/webpack-chunks.ts'

const PAGE = `<!doctype html><base href="/assets/"><script src='main.js'></script>
<!-- <script src="old.js"></script> --><link rel=modulepreload href="main.js">
<link rel=preload as=script href=late.js#x><link rel=preload as=font href=font.woff2>
<script src="https://cdn.example/widget.js?a=1&amp;b=2"></script><script>inline()</script>`

test('scripts of a page are found with its base, once each, and none of a comment', () => {
  assert.deepEqual(scriptAddresses(PAGE, 'http://shop.test/cart'), [
    'http://shop.test/assets/main.js',
    'http://shop.test/assets/late.js',
    'https://cdn.example/widget.js?a=1&b=2',
  ])
})

test('chunks that Next.js names in its page, its build manifest and its scripts lie below /_next/', async () => {
  const html = `<script src="/docs/_next/static/chunks/main-1f.js"></script>
    <script>self.__next_f.push([1,"2:I[9275,[\\"static/chunks/app/cart/%5Bid%5D/page-8d.js\\"]"])</script>`
  assert.deepEqual(scriptAddresses(html, 'http://shop.test/docs'), [
    'http://shop.test/docs/_next/static/chunks/main-1f.js',
    'http://shop.test/docs/_next/static/chunks/app/cart/%5Bid%5D/page-8d.js',
  ])
  const manifest = 'self.__BUILD_MANIFEST={"/cart":["static/chunks/pages/cart-77.js"]}'
  assert.deepEqual(await chunkAddresses(manifest, 'http://shop.test/_next/static/x1/_buildManifest.js'), [
    'http://shop.test/_next/static/chunks/pages/cart-77.js',
  ])
  assert.deepEqual(await chunkAddresses(manifest, 'http://shop.test/assets/app.js'), [])
})

test('imports are found, at once and later; names of packages and computed ones are not', async () => {
  const code = `import{a}from"./shared-1.js";import"react";export*from"/lib/all.js"
    const b=()=>import("./later-2.js"),c=(n)=>import("./"+n+".js"),d=(n)=>import(\`./l/\${n}.js\`)
    // import("./comment.js")
    const text='import("./text.js")'`
  assert.deepEqual(await chunkAddresses(code, 'http://shop.test/assets/main.js'), [
    'http://shop.test/assets/shared-1.js',
    'http://shop.test/lib/all.js',
    'http://shop.test/assets/later-2.js',
  ])
  assert.deepEqual(await chunkAddresses('import{from"', 'http://shop.test/a.js'), [])
})

test('a manifest names scripts by path, below its root or below the site', () => {
  const manifest = {
    'src/main.ts': { file: 'assets/main-1.js', src: 'src/main.js', imports: ['_shared.js'], css: ['a.css'] },
    files: { 'a.js': '/static/js/a.2.js', 'a.js.map': '/static/js/a.2.js.map' },
  }
  assert.deepEqual(manifestScripts(manifest, 'http://shop.test/app/'), [
    'http://shop.test/app/assets/main-1.js',
    'http://shop.test/static/js/a.2.js',
  ])
})

for (const [name, code, publicPath, files] of [
  [
    'create-react-app',
    'r.u=e=>"static/js/"+e+"."+{27:"8d1f",453:"aa07"}[e]+".chunk.js",r.miniCssF=e=>{},r.p="/shop/"',
    '/shop/',
    ['static/js/27.8d1f.chunk.js', 'static/js/453.aa07.chunk.js'],
  ],
  [
    'names for some of the ids',
    'c.u=e=>"js/"+({27:"cart"}[e]||e)+"."+{27:"8d1f",453:"aa07"}[e]+".js";c.p="https://cdn.example/"',
    'https://cdn.example/',
    ['js/cart.8d1f.js', 'js/453.aa07.js'],
  ],
  [
    'a function, with conditions before',
    'd.u=function(e){return 361===e?"static/chunks/361-77.js":""+(({"main-cart":"c"})[e]||e)+"-"+({9:"b1","main-cart":"b2"})[e]+".js"}',
    undefined,
    ['static/chunks/361-77.js', '9-b1.js', 'c-b2.js'],
  ],
  ['ids alone', 'n.u=e=>({27:1,a:"x"})[e]', undefined, undefined],
  [
    'ids that the script loads',
    'n.u=e=>e+".main.js";x=()=>n.e(537).then(n.bind(n,537));y=n.e("a b")',
    undefined,
    ['537.main.js'],
  ],
  ['the folder above', 'n.u=e=>e+{1:"-a"}[e]+".js";n.p=t+"../"', '../', ['1-a.js']],
] as const)
  test(`webpack: ${name}`, () => {
    const found = webpackChunks(`(()=>{${code}})()`)
    assert.deepEqual(
      found && { ...found, files: [...found.files] },
      files && { publicPath, files: [...files] },
    )
  })

test('texts of a megabyte that mean to be slow are read within their length', async () => {
  const many = 500_000
  const started = performance.now()
  for (const text of [
    'r.u=e=>'.repeat(many / 7),
    'r.u=e=>' + '('.repeat(many),
    'r.u=e=>' + '"a"+'.repeat(many / 4),
  ])
    webpackChunks(text)
  for (const text of [
    'static/chunks/'.repeat(many / 14),
    'static/chunks/' + 'a'.repeat(many),
    '<script '.repeat(many / 8),
  ])
    scriptAddresses(`<script src="/_next/static/a.js"></script>${text}`, 'http://shop.test/')
  await chunkAddresses('import('.repeat(many / 7), 'http://shop.test/a.js')
  // Quadratic reading of any of them takes minutes.
  assert.ok(performance.now() - started < 20_000)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventImages } from '@sonde/queries'
import { openHarness } from '../harness.ts'
import { upload } from './uploads.ts'

const USED = 'c0bcc3f1-9827-fe65-3058-404b2831d9e6'
const OTHER = 'aaaaaaaa-9827-fe65-3058-404b2831d9e6'

test('images of an event say whether frames lie in them and whether the organization has their debug file', async (t) => {
  const harness = await openHarness()
  t.after(() => harness.close())
  const acme = await harness.org('acme')
  const shop = await harness.project(acme, 'shop')
  const api = await harness.project(acme, 'api')
  const foreign = await harness.project(await harness.org('other'), 'shop')
  const event = {
    exception: [{ stacktrace: { frames: [{ in_app: true, instruction_addr: '0x401021' }] } }],
    debug_meta: {
      images: [
        { type: 'elf', code_file: '/lib/libc.so.6', debug_id: OTHER, image_addr: '0x1000', image_size: 4096 },
        {
          type: 'elf',
          code_file: '/app/shop',
          debug_id: 'C0BCC3F19827FE653058404B2831D9E60',
          image_addr: '0x400000',
          image_size: 65_536,
        },
        { type: 'pe', image_addr: '0x900000' },
        { type: 'sourcemap', code_file: 'app.js', debug_id: USED },
      ],
    },
  }
  const seen = async (grant: typeof shop) => {
    const { shown = [], count } = (await eventImages(harness.deps, grant, event)) ?? {}
    return [
      count,
      ...shown.map(({ name, debugId, isUsed, isUploaded }) => [name, debugId, isUsed, isUploaded]),
    ]
  }
  assert.deepEqual(await seen(shop), [
    3,
    ['/app/shop', USED, true, false],
    ['/lib/libc.so.6', OTHER, false, false],
    ['', '', false, false],
  ])
  await upload(harness, acme, [api], { kind: 'debug_file' }, [{ type: 'elf', url: 'shop', debug_id: USED }])
  assert.deepEqual(
    (await seen(shop))[1],
    ['/app/shop', USED, true, true],
    'any project of the organization has it',
  )
  assert.deepEqual((await seen(foreign))[1], ['/app/shop', USED, true, false])
  assert.equal(await eventImages(harness.deps, shop, { debug_meta: { images: [] } }), undefined)
  assert.equal(await eventImages(harness.deps, shop, {}), undefined)
})

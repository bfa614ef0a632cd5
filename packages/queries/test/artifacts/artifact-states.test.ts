import assert from 'node:assert/strict'
import { test } from 'node:test'
import { artifactStates } from '@sonde/queries'
import { openHarness } from '../harness.ts'
import { upload } from './uploads.ts'

const id = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`

test('the newest map of a debug id says whether its frames can be read', async (t) => {
  const harness = await openHarness()
  t.after(() => harness.close())
  const acme = await harness.org('acme')
  const other = await harness.org('other')
  const shop = await harness.project(acme, 'shop')
  const broken = { type: 'source_map', problem: 'not_json', problem_detail: 'it ends early' } as const
  await upload(harness, acme, [shop], {}, [
    { debug_id: id('1') },
    { debug_id: id('1'), ...broken },
    { debug_id: id('2'), type: 'source_map' },
    { debug_id: id('3') },
  ])
  await upload(harness, acme, [shop], {}, [{ debug_id: id('1'), type: 'source_map' }])
  await upload(harness, acme, [shop], {}, [{ debug_id: id('2'), ...broken }])
  await upload(harness, other, [], {}, [{ debug_id: id('4'), type: 'source_map' }])
  const states = await artifactStates(harness.deps, acme, ['1', '2', '3', '4'].map(id))
  assert.deepEqual(
    states.map(({ state, detail }) => [state, detail]),
    [
      ['readable', ''],
      ['broken', 'not_json: it ends early'],
      ['broken', 'the script was uploaded without its map'],
      ['missing', ''],
    ],
  )
  assert.deepEqual(await artifactStates(harness.deps, acme, ['']), [
    { debugId: '', state: 'missing', detail: '' },
  ])
})

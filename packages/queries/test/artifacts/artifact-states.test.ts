import assert from 'node:assert/strict'
import { test } from 'node:test'
import { artifactStates } from '@sonde/queries'
import { openHouse } from '../house.ts'
import { upload } from './uploads.ts'

const id = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`

test('the newest map of a debug id says whether its frames can be read', async (t) => {
  const house = await openHouse()
  t.after(() => house.close())
  const acme = await house.org('acme')
  const other = await house.org('other')
  const shop = await house.project(acme, 'shop')
  const broken = { type: 'source_map', problem: 'not_json', problem_detail: 'it ends early' } as const
  await upload(house, acme, [shop], {}, [
    { debug_id: id('1') },
    { debug_id: id('1'), ...broken },
    { debug_id: id('2'), type: 'source_map' },
    { debug_id: id('3') },
  ])
  await upload(house, acme, [shop], {}, [{ debug_id: id('1'), type: 'source_map' }])
  await upload(house, acme, [shop], {}, [{ debug_id: id('2'), ...broken }])
  await upload(house, other, [], {}, [{ debug_id: id('4'), type: 'source_map' }])
  const states = await artifactStates(house.deps, acme, ['1', '2', '3', '4'].map(id))
  assert.deepEqual(
    states.map(({ state, detail }) => [state, detail]),
    [
      ['readable', ''],
      ['broken', 'not_json: it ends early'],
      ['broken', 'the script was uploaded without its map'],
      ['missing', ''],
    ],
  )
  assert.deepEqual(await artifactStates(house.deps, acme, ['']), [
    { debugId: '', state: 'missing', detail: '' },
  ])
})

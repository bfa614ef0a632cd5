import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FRAME_PROBLEMS, type FrameProblem } from '@sonde/protocol/frame-problem'
import { eventDoctor, folderOf, reasonSteps } from '../../../../src/parts/event/doctor/event-doctor.ts'
import { shellWord } from '../../../../src/parts/upload-commands.ts'

const PLACE = { url: 'https://sonde.example', org: 'acme', project: 'shop' }
const SCRIPT = 'https://shop.example/static/js/app.js?v=2'

const frame = (reason?: FrameProblem, detail?: string, isOurs = true) => ({
  function: 'n',
  abs_path: SCRIPT,
  in_app: isOurs,
  ...(reason === undefined ? {} : { problem: { reason, ...(detail === undefined ? {} : { detail }) } }),
})
const event = (...frames: ReturnType<typeof frame>[]) => ({
  release: "shop@1'0",
  dist: '41',
  exception: [{ stacktrace: { frames } }],
})

test('an event whose frames are readable has nothing to say', () => {
  assert.equal(eventDoctor(event(frame(), frame()), PLACE), undefined)
})

test('the reason of the most frames comes first, with a detail that is the same for all', () => {
  const detail = 'the event has dist 41, the files have dist 42'
  const doctor = eventDoctor(
    event(frame('no_map', 'a'), frame('other_dist', detail), frame('other_dist', detail), frame()),
    PLACE,
  )
  assert.deepEqual(
    doctor?.notes.map(({ reason, head, why }) => [reason, head, why]),
    [
      [
        'other_dist',
        '2 of 4 frames are not symbolicated:',
        `source maps of this release were uploaded under another dist: ${detail}`,
      ],
      ['no_map', '1 of 4 frames is not symbolicated:', 'the script was uploaded without its source map: a'],
    ],
  )
  assert.deepEqual(doctor?.beside, {
    other_dist: { short: 'dist mismatch', isDetailed: false },
    no_map: { short: 'map not uploaded', isDetailed: false },
  })
})

test('details that differ are left to the frames', () => {
  const doctor = eventDoctor(event(frame('no_artifact', 'a'), frame('no_artifact', 'b')), PLACE)
  const [note] = doctor?.notes ?? []
  assert.equal(doctor?.beside.no_artifact?.isDetailed, true)
  assert.equal(note?.head, 'Both frames are not symbolicated:')
  assert.equal(note?.why, 'no source map with the debug id of the script was uploaded')
})

test('the command for a release has everything of this very frame, quoted for a shell', () => {
  const [note] = eventDoctor(event(frame('other_dist')), PLACE)?.notes ?? []
  assert.equal(
    note?.steps[0]?.code?.split('\n')[1],
    `npx @sentry/cli --url https://sonde.example sourcemaps upload --org acme --project shop --release 'shop@1'\\''0' --dist 41 --url-prefix '~/static/js' ./dist`,
  )
})

test('every reason has a next step, and each command names the server or is run where the build is', () => {
  for (const reason of FRAME_PROBLEMS) {
    const steps = reasonSteps(reason, { ...PLACE, release: '1', dist: undefined, scriptUrl: undefined })
    assert.ok(steps.length > 0, reason)
    for (const { text, code } of steps) {
      assert.notEqual(text, '')
      if (code !== undefined && !code.startsWith('sonde sourcemaps verify'))
        assert.ok(code.includes('https://sonde.example'), `${reason}: ${code}`)
    }
  }
})

test('the folder of a script is the prefix that it is uploaded with', () => {
  assert.equal(folderOf(SCRIPT), '~/static/js')
  assert.equal(folderOf('https://shop.example/app.js'), '~/')
  assert.equal(folderOf('app:///main.js'), '~/')
  assert.equal(folderOf('<anonymous>'), '~/')
})

test('what a shell would read as more than a word is quoted', () => {
  assert.equal(shellWord('shop@1.0+build'), 'shop@1.0+build')
  assert.equal(shellWord('$(rm -rf /)'), "'$(rm -rf /)'")
  assert.equal(shellWord('-x'), "'-x'")
  assert.equal(shellWord('~/js'), "'~/js'")
})

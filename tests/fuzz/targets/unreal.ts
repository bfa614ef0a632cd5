/** Crash reports of Unreal Engine: refused by name, or files within what came, and an event that the stages take whole. */
import assert from 'node:assert/strict'
import { inflateSync } from 'node:zlib'
import { createEnvelope, serializeEnvelope } from '@sonde/protocol'
import { filesOf, unrealItems } from '../../../packages/ingest/src/endpoints/unreal-archive.ts'
import { Refusal } from '../../../packages/ingest/src/refusal.ts'
import { unpackedArchive } from '../../../packages/ingest/test/endpoints/unreal-archive.ts'
import type { Target } from '../engine/target.ts'
import { mutateBinary } from '../mutators/binary.ts'
import { fixture } from './fixtures.ts'
import { checkProcessed, processBody } from './process.ts'

const CONTEXT = `<?xml version="1.0"?><FGenericCrashContext><RuntimeProperties><CrashType>Ensure</CrashType>
<ErrorMessage>x &lt; 1</ErrorMessage><CallStack>Game!A::B() [f.cpp:3]
ntdll</CallStack><PCallStack>Game 0x00001000 + 10 ntdll 0x2000 + 3</PCallStack><LoginId>7</LoginId></RuntimeProperties>
<GameData><__sentry>{"release":"shop@1.2","tags":{"map":"desert"}}</__sentry></GameData></FGenericCrashContext>`
const LOG = '[2026.01.02-03.04.05:678][  0]LogInit: Warning: slow\nLogExit: Display: bye\nplain\n'
const FILES = [
  { name: 'CrashContext.runtime-xml', bytes: Buffer.from(CONTEXT) },
  { name: 'Game.log', bytes: Buffer.from(LOG) },
]

export const unreal: Target = {
  name: 'unreal',
  seeds: () => [
    unpackedArchive(FILES, { isMarked: true }),
    unpackedArchive(FILES, { isMarked: false }),
    unpackedArchive([...FILES, { name: 'UEMinidump.dmp', bytes: fixture('relay/native/windows.dmp') }], {
      isMarked: true,
    }),
    // All but its minidump, which is too long for a seed.
    Buffer.concat([Buffer.from('CR1'), inflateSync(fixture('relay/native/unreal_crash')).subarray(0, 1_040)]),
  ],
  mutate: mutateBinary,
  words: [
    'CR1',
    '<CrashType>',
    '</',
    '<!DOCTYPE x [',
    '&#x41;',
    '<![CDATA[',
    ']]>',
    '<GameData><__sentry>{',
    'MDMP',
    '<a ',
  ],
  open: () => ({ run }),
}

function run(input: Buffer): void {
  let files
  try {
    files = filesOf(input)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return
  }
  assert.ok(files.length <= 29, `${files.length} files`)
  assert.ok(files.reduce((sum, { bytes }) => sum + bytes.length, 0) <= input.length, 'files overlap')
  const eventId = 'f'.repeat(32)
  const body = serializeEnvelope(createEnvelope({ event_id: eventId }, unrealItems(files, eventId)))
  const processed = processBody(body)
  checkProcessed(processed)
  assert.equal(processed.events.length, 1, `no event: ${JSON.stringify(processed.outcomes)}`)
}

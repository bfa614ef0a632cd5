/** A real crash of Unreal Engine 4.20: the event of its minidump, with what the engine tells; without the minidump, its own stack. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { inflateSync } from 'node:zlib'
import { withMinidump } from '../../src/minidump/minidump-event.ts'
import { readUnrealContext } from '../../src/minidump/unreal-context.ts'
import { withUnreal } from '../../src/minidump/unreal-event.ts'
import { eventOf } from '../normalize/event-of.ts'

const REPORT = inflateSync(
  readFileSync(
    join(import.meta.dirname, '..', '..', '..', '..', 'fixtures', 'relay', 'native', 'unreal_crash'),
  ),
)
const part = (name: string): Buffer => {
  const at = REPORT.indexOf(`${name}\0`) + 260
  return REPORT.subarray(at + 4, at + 4 + REPORT.readUInt32LE(at))
}
const CONTEXT = part('CrashContext.runtime-xml')
const jsonOf = (payload: Uint8Array): object => JSON.parse(Buffer.from(payload).toString()) as object

describe('a crash of Unreal Engine', () => {
  it('is the event of its minidump, in the engine’s words', () => {
    const dumped = withMinidump(Buffer.from('{"platform":"native"}'), {}, part('UE4Minidump.dmp'))
    const event = eventOf(jsonOf(withUnreal(dumped, CONTEXT, part('YetAnother.log'))))
    const [exception] = event.exception ?? []
    assert.equal(exception?.type, 'EXCEPTION_ACCESS_VIOLATION')
    assert.match(exception.value ?? '', /^Access violation - code c0000005/)
    const frames = exception.stacktrace?.frames ?? []
    const images = event.debug_meta?.['images'] as readonly {
      readonly code_file: string
      readonly image_addr: string
    }[]
    const base = Number(images.find(({ code_file: file }) => file.endsWith('YetAnother.exe'))?.image_addr)
    assert.deepEqual(
      [frames.length, frames.at(-1)?.function, frames.at(-1)?.instruction_addr, frames.at(-1)?.data],
      [20, 'AActor::IsPendingKillPending', `0x${(base + 0x703394).toString(16)}`, { trust: 'prewalked' }],
    )
    assert.equal(exception.stacktrace?.registers?.['rip'], frames.at(-1)?.instruction_addr)
    assert.equal(event.level, 'fatal')
    assert.deepEqual(event.user?.id, '9776d4844cc893f55395dbbefb0eb6d7')
    assert.deepEqual(new Map(event.tags).get('unreal.engine_version'), '4.20.3-4369336+++UE4+Release-4.20')
    assert.equal(event.contexts?.['gpu']?.['name'], 'Parallels Display Adapter (WDDM)')
    assert.equal(event.contexts?.['unreal']?.['game_name'], 'UE4-YetAnother')
    assert.equal(event.contexts?.['unreal']?.['misc_primary_gpu_brand'], 'Parallels Display Adapter (WDDM)')
    assert.equal(event.contexts?.['device']?.['memory_size'], 6_896_832_512)
    assert.equal(event.breadcrumbs?.length, 100)
    assert.equal(event.errors, undefined, JSON.stringify(event.errors))
  })

  it('without a minidump has the stack that the engine walked', () => {
    const event = eventOf(jsonOf(withUnreal(Buffer.from('{"platform":"native"}'), CONTEXT, undefined)))
    const [exception] = event.exception ?? []
    assert.equal(exception?.type, 'Crash')
    const frames = exception.stacktrace?.frames ?? []
    assert.equal(frames.length, 20)
    assert.deepEqual(
      [frames.at(-1)?.function, frames.at(-1)?.package, frames.at(-1)?.instruction_addr],
      ['AActor::IsPendingKillPending', 'YetAnother', '0x54be3394'],
    )
    assert.deepEqual([frames[2]?.filename?.endsWith('exe_common.inl'), frames[2]?.lineno], [true, 288])
  })

  it('has what the game set, and is an error where an ensure failed', () => {
    const xml = `<FGenericCrashContext><RuntimeProperties><CrashType>Ensure</CrashType><ErrorMessage>Ensure condition failed: x &lt; 1 &#33;</ErrorMessage>
      </RuntimeProperties><GameData><__sentry>{"release":"shop@1.2","tags":{"map":"desert"}}</__sentry><Level>3</Level></GameData></FGenericCrashContext>`
    const event = eventOf(jsonOf(withUnreal(Buffer.from('{}'), Buffer.from(xml), undefined)))
    assert.deepEqual(
      [event.level, event.release, event.exception?.[0]?.type],
      ['error', 'shop@1.2', 'Ensure'],
    )
    assert.equal(event.exception?.[0]?.value, 'Ensure condition failed: x < 1 !')
    assert.equal(new Map(event.tags).get('map'), 'desert')
    assert.equal(event.contexts?.['unreal']?.['game_data.Level'], '3')
  })

  it('keeps what the dump tells of the machine where the engine’s context cannot be read', () => {
    const dumped = withMinidump(Buffer.from('{"platform":"native"}'), {}, part('UE4Minidump.dmp'))
    const event = eventOf(jsonOf(withUnreal(dumped, Buffer.from('<a'), undefined)))
    assert.equal(event.contexts?.['os']?.['name'], 'Windows')
    assert.equal(event.contexts['unreal']?.['problem'], 'CrashContext.runtime-xml cannot be read')
  })

  it('is kept where its context is no XML, or brings entities of its own', () => {
    for (const xml of [
      '<a',
      '',
      'plain',
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><FGenericCrashContext/>',
      '\0',
    ]) {
      assert.equal(readUnrealContext(Buffer.from(xml)), undefined, xml)
      const event = eventOf(jsonOf(withUnreal(Buffer.from('{"message":"x"}'), Buffer.from(xml), undefined)))
      assert.deepEqual(event.contexts?.['unreal'], {
        type: 'unreal',
        problem: 'CrashContext.runtime-xml cannot be read',
      })
    }
  })
})

/**
 * A native game: its library crashes, and the debug file that its build uploaded tells functions, lines and inlined calls. And a
 * crash report of Unreal Engine as a player's machine sent it, for which nobody uploaded anything.
 */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sendItems } from './send-items.ts'
import type { DemoSonde } from './sonde.ts'

const PROJECT = 'game'
const LIBRARY = ['packages', 'symbols', 'test', 'programs', 'gcc-dwarf5.so']
const REPORT = ['fixtures', 'relay', 'native', 'unreal_crash']
const PLAYERS = 4
const UPLOADED_WITHIN_MS = 60_000

/** Where the library lay in the memory of each player. */
const BASES = [0x7f3a10000000, 0x7f8800000000, 0x7fd204000000, 0x7f1e7c000000]

export async function sendNative(root: string, sonde: DemoSonde): Promise<void> {
  const dsn = sonde.dsnOf(`default/${PROJECT}`, 'native')
  const library = readFileSync(join(root, ...LIBRARY))
  const places = placesIn(library)
  await uploadDebugFile(sonde, 'libshop.so', library)
  for (let player = 0; player < PLAYERS; player++)
    await sendItems(dsn, [[{ type: 'event' }, crashOf(player, BASES[player] ?? 0, places)]])
  await sendUnreal(dsn, readFileSync(join(root, ...REPORT)))
}

type Places = {
  readonly debugId: string
  readonly codeId: string
  /** Of the instructions that the crash went through, from where the library begins: the innermost first. */
  readonly offsets: readonly [crash: number, checkout: number, run: number]
}

/** The note of the linker, and three instructions found by their bytes: `imul`, and what follows two calls. */
function placesIn(library: Buffer): Places {
  const note = library.indexOf(Buffer.from([4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 0x47, 0x4e, 0x55, 0]))
  const id = library.subarray(note + 16, note + 36)
  const guid = [
    id.subarray(0, 4).toReversed(),
    id.subarray(4, 6).toReversed(),
    id.subarray(6, 8).toReversed(),
  ]
  const uuid = [...guid, id.subarray(8, 10), id.subarray(10, 16)].map((part) =>
    Buffer.from(part).toString('hex'),
  )
  const crash = library.indexOf(Buffer.from([0x8b, 0x07, 0x0f, 0xaf, 0x47]))
  const calls: number[] = []
  for (let at = crash; calls.length < 2; at++) if (library[at] === 0xe8) calls.push(at + 5)
  const [checkout = 0, run = 0] = calls
  return { debugId: uuid.join('-'), codeId: id.toString('hex'), offsets: [crash, checkout, run] }
}

function crashOf(player: number, base: number, { debugId, codeId, offsets }: Places): object {
  const hex = (value: number): string => `0x${value.toString(16)}`
  const [crash, checkout, run] = offsets.map((offset) => base + offset)
  const stack = 0x7ffd1000 + player * 0x4000
  const [program, frame] = [
    0x55d000000000,
    (address = 0, trust = 'cfi', name = 'libshop.so') => ({
      instruction_addr: hex(address),
      package: name,
      in_app: true,
      data: { trust },
    }),
  ]
  return {
    event_id: randomUUID().replaceAll('-', ''),
    platform: 'native',
    level: 'fatal',
    release: 'game@2.1.0',
    environment: 'production',
    user: { id: `player-${player}` },
    sdk: { name: 'sentry.native', version: '0.9.1' },
    contexts: { os: { name: 'Linux', version: '6.8.0' }, device: { arch: 'x86_64' } },
    exception: {
      values: [
        {
          type: 'SIGSEGV',
          value: 'Segfault',
          mechanism: {
            type: 'signalhandler',
            handled: false,
            meta: { signal: { number: 11, name: 'SIGSEGV' } },
          },
          stacktrace: {
            frames: [
              frame(program + 0x1a2f, 'scan', 'game'),
              frame(run),
              frame(checkout),
              frame(crash, 'context'),
            ],
            registers: {
              rip: hex(crash ?? 0),
              rsp: hex(stack),
              rbp: hex(stack + 0x40),
              rax: '0x0',
              rdi: '0x0',
              rcx: '0x18',
              rdx: '0x0',
            },
          },
        },
      ],
    },
    debug_meta: {
      images: [
        {
          type: 'elf',
          code_file: '/opt/game/lib/libshop.so',
          debug_id: debugId,
          code_id: codeId,
          image_addr: hex(base),
          image_size: 0x4000,
        },
        {
          type: 'elf',
          code_file: '/opt/game/bin/game',
          debug_id: '6f1c2a3b-4d5e-4f60-8172-93a4b5c6d7e8',
          image_addr: hex(program),
          image_size: 0x20000,
        },
      ],
    },
  }
}

/** As `sentry-cli debug-files upload --wait` does it. */
async function uploadDebugFile(sonde: DemoSonde, name: string, bytes: Buffer): Promise<void> {
  const headers = { authorization: `Bearer ${sonde.tokenFor('project:releases,project:write')}` }
  const sha1 = createHash('sha1').update(bytes).digest('hex')
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), sha1)
  const chunks = `${sonde.url}/api/0/organizations/default/chunk-upload/`
  const sent = await fetch(chunks, { method: 'POST', headers, body: form })
  if (!sent.ok) throw new Error(`Sonde did not take a debug file: ${sent.status} ${await sent.text()}`)
  await sent.body?.cancel()
  const untilMs = Date.now() + UPLOADED_WITHIN_MS
  for (;;) {
    const answer = await fetch(`${sonde.url}/api/0/projects/default/${PROJECT}/files/difs/assemble/`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ [sha1]: { name, chunks: [sha1] } }),
    })
    const states = (await answer.json()) as Readonly<Record<string, { state?: string; detail?: string }>>
    const { state, detail } = states[sha1] ?? {}
    if (state === 'ok') return
    if (!answer.ok || state === 'error' || Date.now() > untilMs)
      throw new Error(`Sonde did not take a debug file: ${answer.status} ${state} ${detail}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

async function sendUnreal(dsn: string, report: Buffer): Promise<void> {
  const { protocol, host, username, pathname } = new URL(dsn)
  const url = `${protocol}//${host}/api${pathname}/unreal/${username}/`
  const answer = await fetch(url, { method: 'POST', body: new Uint8Array(report) })
  if (!answer.ok)
    throw new Error(`Sonde did not take a crash report: ${answer.status} ${await answer.text()}`)
  await answer.body?.cancel()
}

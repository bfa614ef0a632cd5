/** Defects planted on purpose: a fuzzer that finds nothing must be one that could have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mutateJson } from '../mutators/json.ts'
import { fuzzLoop } from './fuzz-loop.ts'
import { createJudge, type Find } from './judge.ts'
import { unpacked } from './packed-input.ts'
import { createRandom } from './random.ts'
import type { OpenTarget, Target } from './target.ts'

// Each is found within some hundred; how long that takes is the machine's matter.
const WITHIN_INPUTS = 20_000

type Found = Find & { readonly input: string }

/** Until the first find. */
async function firstFind(run: OpenTarget['run'], seed: string, target: Partial<Target> = {}): Promise<Found> {
  const whole: Target = {
    name: 'planted',
    seeds: () => [Buffer.from(seed)],
    open: () => ({ run }),
    isRemote: true,
    ...target,
  }
  let found: Found | undefined
  let left = WITHIN_INPUTS
  const isOver = (): boolean => found !== undefined || left-- <= 0
  await fuzzLoop(whole, createJudge(whole, { run }), createRandom(7), isOver, {
    onInput: () => undefined,
    onProgress: () => undefined,
    onFind: (find, input) => {
      found ??= { ...find, input: input.toString() }
    },
  })
  assert.ok(found, 'nothing was found')
  return found
}

test('an error is found, and its input is cut down to what shows it', async () => {
  const run = (input: Buffer): void => {
    if (input.includes('cart":[[')) throw new TypeError(`cannot read ${input.length} of undefined`)
  }
  const { signature, input } = await firstFind(run, '{"shop":1,"cart":{"items":[{"id":1}]},"more":"text"}', {
    mutate: mutateJson,
  })
  assert.match(signature, /^TypeError: cannot read _ of undefined/)
  assert.equal(input, 'cart":[[')
})

test('time that grows with the square of the input is found', async () => {
  const run = (input: Buffer): void => {
    const text = input.toString('latin1')
    // Backs off once per space, from each of them.
    text.search(/\s+$/)
  }
  const { signature } = await firstFind(run, 'a b', { maxCpuMs: 20, words: [' '.repeat(16_000)] })
  assert.equal(signature, 'slow')
})

test('a new key on a prototype that everybody has is found', async () => {
  const run = (input: Buffer): void => {
    const into: Record<string, Record<string, unknown>> = { a: {} }
    const parsed = JSON.parse(input.toString()) as Record<string, Record<string, unknown>>
    for (const key of Object.keys(parsed)) Object.assign((into[key] ??= {}), parsed[key])
  }
  const quiet = (input: Buffer): void => {
    try {
      run(input)
    } catch {
      // No JSON.
    }
  }
  try {
    const { signature } = await firstFind(quiet, '{"a":{"polluted":1}}', { mutate: mutateJson })
    assert.equal(signature, 'pollution')
  } finally {
    for (const key of Object.keys(Object.prototype)) Reflect.deleteProperty(Object.prototype, key)
  }
})

test('a mutator that fails tells its inputs, so that it can be run again on them', async () => {
  const mutate = (): Buffer => {
    throw new RangeError('Invalid string length')
  }
  const failing = firstFind(() => undefined, 'the only seed', { mutate })
  const message = await failing.then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  )
  const [, first = ''] = /inputs were (\S+) and/.exec(message) ?? []
  assert.equal(unpacked(first).toString(), 'the only seed')
})

test('the same seed makes the same inputs', async () => {
  const inputsOf = async (seed: number): Promise<string[]> => {
    const inputs: string[] = []
    const run = (input: Buffer): void => void inputs.push(input.toString('hex'))
    const target: Target = {
      name: 'kept',
      seeds: () => [Buffer.from('{"a":[1,2]}')],
      mutate: mutateJson,
      open: () => ({ run }),
      isRemote: true,
    }
    let left = 300
    const nothing = (): void => undefined
    await fuzzLoop(target, createJudge(target, { run }), createRandom(seed), () => left-- <= 0, {
      onInput: nothing,
      onFind: nothing,
      onProgress: nothing,
    })
    return inputs
  }
  assert.deepEqual(await inputsOf(5), await inputsOf(5))
  assert.notDeepEqual(await inputsOf(5), await inputsOf(6))
})

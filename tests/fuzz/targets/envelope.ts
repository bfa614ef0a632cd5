/** The envelope grammar: whatever parses is written again as the very bytes it was read from. */
import assert from 'node:assert/strict'
import { EnvelopeError, parseEnvelope, readHeaderFields, serializeEnvelope } from '@sonde/protocol'
import type { Target } from '../engine/target.ts'
import { mutateEnvelope } from '../mutators/envelope.ts'
import { fixturesIn } from './fixtures.ts'

const MAX_ITEMS = 100

export const envelope: Target = {
  name: 'envelope',
  seeds: () => [
    ...fixturesIn('relay/envelopes', 8_192, '.envelope'),
    ...fixturesIn('spotlight-envelopes', 16_384),
    ...fixturesIn('sentry-cli', 16_384, '.envelope'),
  ],
  mutate: mutateEnvelope,
  words: [
    '{"type":"event"}\n',
    '{"type":"attachment","length":0}\n\n',
    '"length":',
    '"type":""',
    '\n\n',
    '\r\n',
  ],
  open: () => ({ run }),
}

function run(input: Buffer): void {
  let parsed
  try {
    parsed = parseEnvelope(input, { maxItems: MAX_ITEMS })
  } catch (error) {
    if (error instanceof EnvelopeError) return
    throw error
  }
  assert.ok(parsed.items.length <= MAX_ITEMS)
  readHeaderFields(parsed.header)
  const written = serializeEnvelope(parsed)
  assert.ok(input.equals(written), 'what was parsed is not written as it was')
  // Without its first item the rest means the same.
  const [, ...rest] = parsed.items
  if (rest.length === 0) return
  const again = parseEnvelope(serializeEnvelope({ ...parsed, items: rest }))
  assert.deepEqual(again.items.map(contents), rest.map(contents))
}

const contents = ({ header, payload }: { header: object; payload: Uint8Array }): object => ({
  header,
  payload: Buffer.from(payload).toString('hex'),
})

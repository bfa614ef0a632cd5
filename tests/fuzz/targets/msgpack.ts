/** MessagePack of strangers: a list of values or nothing, and JSON can be made of what an event is taken from. */
import assert from 'node:assert/strict'
import { createEnvelope, parseEnvelope, serializeEnvelope } from '@sonde/protocol'
import { fieldsOfParts } from '../../../packages/pipeline/src/minidump/sent-parts.ts'
import { readMsgpack } from '../../../packages/pipeline/src/normalize/read-msgpack.ts'
import type { Target } from '../engine/target.ts'

/** `{a:1, values:["x"]}`, two breadcrumbs behind one another, and each width of a length. */
const SEEDS = [
  '82a16101a676616c75657391a178',
  '82a76d657373616765a26f6ba974696d657374616d70cb41d9a5ef5b00000081a76d657373616765a17a',
  'd9026162da00026162db000000026162c40201c5c5000100dc0001c0dd00000001c3de0001a16bc2df00000001a16bc0',
  'c70c0000000000000000000000000000d6ff00000000ca3e800000cb3fd0000000000000cf0000010000000000',
]

export const msgpack: Target = {
  name: 'msgpack',
  seeds: () => SEEDS.map((hex) => Buffer.from(hex, 'hex')),
  maxBytes: 16 * 1024,
  open: () => ({ run }),
}

function run(input: Buffer): void {
  const values = readMsgpack(input)
  if (values) assert.ok(values.length <= input.length)
  const parts = ['event.payload', 'event.breadcrumbs'].map((type) => ({
    header: { type: 'attachment', attachment_type: type },
    payload: input,
  }))
  const fields = fieldsOfParts(parseEnvelope(serializeEnvelope(createEnvelope({}, parts))).items)
  assert.equal(typeof JSON.parse(JSON.stringify(fields)), 'object')
}

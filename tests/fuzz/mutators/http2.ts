/** Changes to frames of HTTP/2 behind the preface of a client: their types, flags, streams, lengths that lie, order and content. */
import type { Random } from '../engine/random.ts'
import type { Mutate } from '../engine/target.ts'

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const HEAD = 9
const MAX_FRAMES = 200
const ODD_STREAMS = [0, 1, 2, 3, 5, 0x7fff_ffff, 0xffff_ffff]

type Frame = { type: number; flags: number; stream: number; content: Buffer; length?: number }

/** Undefined when the input is no client's: bytes are mutated as they are. */
export const mutateHttp2: Mutate = (input, random, other) => {
  const frames = read(input)
  if (frames === undefined || frames.length === 0) return input
  const theirs = read(other) ?? frames
  for (let left = 1 + random.int(4); left > 0; left--) change(frames, theirs, random)
  return Buffer.concat([PREFACE, ...frames.slice(0, MAX_FRAMES).map(write)])
}

function change(frames: Frame[], theirs: readonly Frame[], random: Random): void {
  const at = random.int(frames.length)
  const frame = frames[at]
  if (frame === undefined) return
  switch (random.int(9)) {
    case 0:
      frame.type = random.int(12)
      return
    case 1:
      frame.flags ^= 1 << random.int(8)
      return
    case 2:
      frame.stream = random.pick(ODD_STREAMS)
      return
    case 3:
      frame.length = random.pick([0, 1, frame.content.length + 1, 16_384, 16_385, 0xff_ffff])
      return
    case 4:
      frames.splice(at, 0, { ...frame })
      return
    case 5:
      if (frames.length > 1) frames.splice(at, 1)
      return
    case 6:
      frames.splice(at, 0, { ...random.pick(theirs) })
      return
    case 7:
      frame.content = frame.content.subarray(0, random.int(frame.content.length + 1))
      return
    default: {
      const content = Buffer.from(frame.content)
      if (content.length > 0) content[random.int(content.length)] = random.int(256)
      frame.content = content
    }
  }
}

function read(input: Buffer): Frame[] | undefined {
  if (!input.subarray(0, PREFACE.length).equals(PREFACE)) return undefined
  const frames: Frame[] = []
  for (let at = PREFACE.length; at + HEAD <= input.length && frames.length < MAX_FRAMES;) {
    const length = input.readUIntBE(at, 3)
    const content = input.subarray(at + HEAD, at + HEAD + length)
    frames.push({
      type: input.readUInt8(at + 3),
      flags: input.readUInt8(at + 4),
      stream: input.readUInt32BE(at + 5),
      content,
    })
    at += HEAD + content.length
  }
  return frames
}

function write({ type, flags, stream, content, length = content.length }: Frame): Buffer {
  const head = Buffer.alloc(HEAD)
  head.writeUIntBE(length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, content])
}

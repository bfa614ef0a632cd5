/** Segments as mobile SDKs send them: a MessagePack map of three parts, with a video that Chromium itself records. */
import type { Browser } from 'playwright-core'
import { custom, type RrwebEvent } from './replay-events.ts'

type Film = { readonly colors: readonly string[]; readonly everyMs: number }

/** An MP4 that shows one color after the other. Its length is theirs, and a little. */
export async function filmColors(browser: Browser, film: Film): Promise<Buffer> {
  const page = await browser.newPage()
  try {
    const bytes = await page.evaluate(async ({ colors, everyMs }: Film) => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: 180, height: 320 })
      const brush = canvas.getContext('2d')!
      const types = ['video/mp4;codecs=avc1.42E01E', 'video/mp4;codecs=vp9']
      const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type))
      if (mimeType === undefined) throw new Error('this Chromium records no MP4')
      const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType, videoBitsPerSecond: 200_000 })
      const parts: Blob[] = []
      recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
      recorder.start()
      for (const color of colors) {
        for (let frame = 0; frame < everyMs / 100; frame++) {
          brush.fillStyle = color
          brush.fillRect(0, 0, 180, 320)
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      }
      const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve))
      recorder.stop()
      await stopped
      return Array.from(new Uint8Array(await new Blob(parts).arrayBuffer()))
    }, film)
    return Buffer.from(bytes)
  } finally {
    await page.close()
  }
}

/** As the Android SDK writes it: a map of names and binaries. https://github.com/msgpack/msgpack/blob/master/spec.md */
export function replayVideoBody(parts: Readonly<Record<string, Uint8Array>>): Buffer {
  const chunks: Uint8Array[] = [Uint8Array.of(0x80 | Object.keys(parts).length)]
  for (const [name, bytes] of Object.entries(parts)) {
    const length = Buffer.alloc(5)
    length[0] = 0xc6
    length.writeUInt32BE(bytes.length, 1)
    chunks.push(Uint8Array.of(0xa0 | name.length), Buffer.from(name), length, bytes)
  }
  return Buffer.concat(chunks)
}

type Segment = {
  readonly replayId: string
  readonly segment: number
  readonly atMs: number
  readonly durationMs: number
  readonly video?: Uint8Array
  /** Beside the ones that say what the video is. */
  readonly events?: readonly RrwebEvent[]
  readonly [field: string]: unknown
}

/** The parts of a segment, as the Android SDK fills them. */
export function filmedParts({ replayId, segment, atMs, durationMs, video, events = [], ...told }: Segment) {
  const event = {
    type: 'replay_event',
    event_id: replayId,
    replay_id: replayId,
    segment_id: segment,
    replay_type: 'session',
    platform: 'java',
    replay_start_timestamp: atMs / 1000,
    timestamp: (atMs + durationMs) / 1000,
    urls: ['CartActivity'],
    error_ids: [],
    trace_ids: [],
    release: 'app@2.1.0',
    contexts: { os: { name: 'Android', version: '15' }, device: { family: 'Pixel', model: 'Pixel 9' } },
    sdk: { name: 'sentry.java.android', version: '8.20.0' },
    ...told,
  }
  const recording = [
    { type: 4, timestamp: atMs, data: { href: '', width: 180, height: 320 } },
    custom(atMs, 'video', {
      segmentId: segment,
      size: video?.length ?? 0,
      duration: durationMs,
      encoding: 'h264',
      container: 'mp4',
      width: 180,
      height: 320,
      frameCount: Math.ceil(durationMs / 100),
      frameRate: 10,
      frameRateType: 'constant',
      left: 0,
      top: 0,
    }),
    ...events,
  ]
  return {
    replay_event: Buffer.from(JSON.stringify(event)),
    replay_recording: Buffer.from(`{"segment_id":${segment}}\n${JSON.stringify(recording)}`),
    ...(video && { replay_video: video }),
  }
}

export async function sendReplayVideo(dsn: string, segment: Segment): Promise<void> {
  const { host, protocol, username, pathname } = new URL(dsn)
  const url = `${protocol}//${host}/api${pathname}/envelope/?sentry_version=7&sentry_key=${username}`
  const payload = replayVideoBody(filmedParts(segment))
  const head = [
    JSON.stringify({ event_id: segment.replayId, sent_at: new Date().toISOString() }),
    JSON.stringify({ type: 'replay_video', length: payload.length }),
  ].join('\n')
  const body = Buffer.concat([Buffer.from(`${head}\n`), payload, Buffer.from('\n')])
  const answer = await fetch(url, { method: 'POST', body })
  if (answer.status !== 200) throw new Error(`the door answered ${answer.status}: ${await answer.text()}`)
}

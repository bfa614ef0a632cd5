/**
 * The player: rrweb's, in a document of an origin of its own that reaches nothing (`frame/page.server.ts`). Built as a
 * script by itself and loaded when a replay is opened.
 */
import { Replayer } from '@rrweb/replay'
import type { FromFrame, RecordedEvent, ToFrame } from './frame-messages.ts'
import { withoutLoads } from './without-loads.ts'
import styles from '@rrweb/replay/dist/style.css?inline'

const TELL_EVERY_MS = 100
/** The pointer of the visitor, smaller than rrweb's, and the page in the middle. */
const OWN_STYLES = `html,body{margin:0;height:100%;overflow:hidden;background:transparent}
.replayer-wrapper{position:absolute;top:0;left:0;transform-origin:0 0;background:#fff}
.replayer-wrapper>iframe{border:0;display:block}`

function start(port: MessagePort): void {
  const tell = (message: FromFrame): void => port.postMessage(message)
  let replayer: Replayer | undefined
  let config = { speed: 1, skipInactive: true }
  let isPlaying = false
  let isSkipping = false
  let size = { width: 0, height: 0 }
  const early: RecordedEvent[] = []

  const fit = (): void => {
    const wrapper = document.querySelector<HTMLElement>('.replayer-wrapper')
    if (!wrapper || size.width === 0 || size.height === 0) return
    const scale = Math.min(innerWidth / size.width, innerHeight / size.height)
    wrapper.style.width = `${size.width}px`
    wrapper.style.height = `${size.height}px`
    wrapper.style.left = `${Math.max(0, (innerWidth - size.width * scale) / 2)}px`
    wrapper.style.transform = `scale(${scale})`
  }
  addEventListener('resize', fit)

  const build = (events: readonly RecordedEvent[]): Replayer => {
    const made = new Replayer(events as ConstructorParameters<typeof Replayer>[0], {
      root: document.body,
      ...config,
      showWarning: false,
      showDebug: false,
      mouseTail: false,
      triggerFocus: false,
      // Whatever the recording says: nothing is drawn by code of its.
      UNSAFE_replayCanvas: false,
    })
    made.on('resize', (given) => {
      size = given as typeof size
      fit()
      tell({ kind: 'size', ...size })
    })
    made.on('skip-start', () => (isSkipping = true))
    made.on('skip-end', () => (isSkipping = false))
    made.on('finish', () => {
      isPlaying = false
      tell({ kind: 'end' })
    })
    return made
  }

  const take = (message: ToFrame): void => {
    if (message.kind === 'events') {
      const events = message.events.map((event) => withoutLoads(event))
      if (replayer) {
        for (const event of events) replayer.addEvent(event as Parameters<Replayer['addEvent']>[0])
        return
      }
      early.push(...events)
      // It begins with two and more; a page that was closed at once has one.
      if (early.length < 2) return
      replayer = build(early)
      replayer.pause(0)
      tell({ kind: 'ready' })
    } else if (message.kind === 'config') {
      config = { speed: message.speed, skipInactive: message.skipInactive }
      replayer?.setConfig(config)
    } else if (message.kind === 'play') {
      isPlaying = true
      replayer?.play(message.atMs)
    } else {
      isPlaying = false
      isSkipping = false
      replayer?.pause(message.atMs)
    }
  }
  port.addEventListener('message', ({ data }: MessageEvent<ToFrame>) => {
    try {
      take(data)
    } catch (error) {
      tell({ kind: 'failed', message: String(error) })
    }
  })
  port.start()
  setInterval(() => {
    if (isPlaying && replayer) tell({ kind: 'time', atMs: replayer.getCurrentTime(), isSkipping })
  }, TELL_EVERY_MS)
}

const style = document.createElement('style')
style.textContent = styles + OWN_STYLES
document.head.append(style)
addEventListener('message', ({ data, ports, source }) => {
  const [port] = ports
  if (source === parent && data === 'port' && port) start(port)
})

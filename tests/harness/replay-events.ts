/** Recordings as SDKs send them, and some that nobody would send who means well. */
import { newEventId } from '@sonde/protocol'

export type RrwebNode = { readonly type: number; readonly id?: number; readonly [field: string]: unknown }
export type RrwebEvent = { readonly type: number; readonly timestamp: number; readonly data: unknown }

/** Elements of rrweb's snapshots: a text is a text node. Numbers are given by `pageOf`. */
export const element = (
  tagName: string,
  attributes: Readonly<Record<string, unknown>> = {},
  ...children: readonly (RrwebNode | string)[]
): RrwebNode => ({
  type: 2,
  tagName,
  attributes,
  childNodes: children.map((child) =>
    typeof child === 'string'
      ? { type: 3, textContent: child, ...(tagName === 'style' && { isStyle: true }) }
      : child,
  ),
})

function numbered(node: RrwebNode, next: { id: number }): RrwebNode {
  const id = next.id++
  const children = node['childNodes'] as readonly RrwebNode[] | undefined
  return { ...node, id, ...(children && { childNodes: children.map((child) => numbered(child, next)) }) }
}

/** A page that was opened at a time, and nothing more. */
export function pageOf(
  atMs: number,
  {
    head = [],
    body,
  }: { readonly head?: readonly RrwebNode[]; readonly body: readonly (RrwebNode | string)[] },
): readonly RrwebEvent[] {
  const html = element('html', {}, element('head', {}, ...head), element('body', {}, ...body))
  const node = numbered(
    { type: 0, childNodes: [{ type: 1, name: 'html', publicId: '', systemId: '' }, html] },
    { id: 1 },
  )
  return [
    { type: 4, timestamp: atMs, data: { href: 'https://shop.example/cart', width: 1000, height: 600 } },
    { type: 2, timestamp: atMs + 1, data: { node, initialOffset: { left: 0, top: 0 } } },
  ]
}

export const custom = (atMs: number, tag: string, payload: unknown): RrwebEvent => ({
  type: 5,
  timestamp: atMs,
  data: { tag, payload },
})

type Told = { readonly replayId: string; readonly segment: number; readonly [field: string]: unknown }

/** Posts a segment: what the SDK tells of it, and its recording. */
export async function sendReplay(
  dsn: string,
  { replayId, segment, ...told }: Told,
  events: readonly RrwebEvent[],
) {
  const { host, protocol, username, pathname } = new URL(dsn)
  const url = `${protocol}//${host}/api${pathname}/envelope/?sentry_version=7&sentry_key=${username}`
  const [first, last] = [events[0]!.timestamp / 1000, events.at(-1)!.timestamp / 1000]
  const event = {
    type: 'replay_event',
    event_id: replayId,
    replay_id: replayId,
    segment_id: segment,
    replay_type: 'session',
    platform: 'javascript',
    replay_start_timestamp: first,
    timestamp: last,
    urls: ['https://shop.example/cart'],
    error_ids: [],
    trace_ids: [],
    ...told,
  }
  const recording = `${JSON.stringify({ segment_id: segment })}\n${JSON.stringify(events)}`
  const body = [
    JSON.stringify({ event_id: replayId, sent_at: new Date().toISOString() }),
    JSON.stringify({ type: 'replay_event' }),
    JSON.stringify(event),
    JSON.stringify({ type: 'replay_recording', length: Buffer.byteLength(recording) }),
    recording,
  ].join('\n')
  const answer = await fetch(url, { method: 'POST', body: `${body}\n` })
  if (answer.status !== 200) throw new Error(`the door answered ${answer.status}: ${await answer.text()}`)
}

/** Everything by which a page loads, runs or leaves, aimed at `evil`; `RAN` stands in what runs. */
export function hostilePage(atMs: number, evil: string): readonly RrwebEvent[] {
  const run = `console.log('RAN');fetch('${evil}/run');parent.postMessage('RAN','*');top.postMessage('RAN','*')`
  const head = [
    element('script', {}, run),
    element('script', { src: `${evil}/script.js` }),
    element('script', { type: 'module', src: `${evil}/module.js` }),
    element('meta', { 'http-equiv': 'refresh', content: `0;url=${evil}/refresh` }),
    element('meta', { 'http-equiv': 'content-security-policy', content: 'default-src *' }),
    element('base', { href: `${evil}/base/` }),
    ...[
      'stylesheet',
      'preconnect',
      'dns-prefetch',
      'prefetch',
      'preload',
      'modulepreload',
      'icon',
      'manifest',
    ].map((rel) => element('link', { rel, href: `${evil}/${rel}`, as: 'image' })),
    element('link', {
      rel: 'stylesheet',
      _cssText: `@import '${evil}/import-link.css'; body{background:url(${evil}/link-bg)}`,
    }),
    element(
      'style',
      {},
      `@import '${evil}/import.css'; @font-face{font-family:x;src:url(${evil}/font)} p{font-family:x;background:url('${evil}/bg')}`,
    ),
    element('style', { _cssText: `@import url(${evil}/import-text.css);` }),
  ]
  const body = [
    element('p', { style: `background:url(${evil}/inline)` }, 'The hostile page'),
    element('img', { src: `${evil}/img`, srcset: `${evil}/srcset 2x`, onerror: run }),
    element('img', { src: 'data:image/png;base64,AAAA', onerror: run }),
    element('img', { rr_dataURL: `${evil}/dataurl` }),
    element('svg', { onload: run }, element('image', { href: `${evil}/svg` }), element('script', {}, run)),
    element('svg', {}, element('use', { 'xlink:href': `${evil}/use#a` })),
    element('body', { onload: run, background: `${evil}/background` }),
    element('iframe', { src: `${evil}/frame` }),
    element('iframe', { src: `javascript:${run}` }),
    element('iframe', { srcdoc: `<script>${run}</script><img src="${evil}/srcdoc">` }),
    element('iframe', {
      src: `data:text/html,<script>${run}</script><img src="${evil}/data">`,
      sandbox: 'allow-scripts allow-same-origin',
    }),
    element('iframe', { rr_src: `${evil}/rrsrc` }),
    element('object', { data: `${evil}/object`, type: 'text/html' }),
    element('embed', { src: `${evil}/embed` }),
    element('frame', { src: `${evil}/frame-element` }),
    element('video', {
      src: `${evil}/video`,
      poster: `${evil}/poster`,
      autoplay: true,
      rr_mediaState: 'played',
    }),
    element('audio', { src: `${evil}/audio`, autoplay: true, rr_mediaState: 'played' }),
    element(
      'picture',
      {},
      element('source', { srcset: `${evil}/source` }),
      element('img', { src: `${evil}/picture` }),
    ),
    element(
      'a',
      { href: `javascript:${run}`, ping: `${evil}/ping`, autofocus: true, onfocus: run },
      'a link',
    ),
    element(
      'form',
      { action: `${evil}/form` },
      element('input', { type: 'image', src: `${evil}/input`, autofocus: true, onfocus: run }),
    ),
    element('details', { open: true, ontoggle: run }, 'more'),
    element('marquee', { onstart: run }, 'm'),
    element('input', { autofocus: true, onfocus: run }),
    element('x-custom', { isCustom: true, onclick: run }, 'custom'),
    element('canvas', { rr_dataURL: `${evil}/canvas` }),
    element('table', { background: `${evil}/table` }),
    element('noscript', {}, `<img src="${evil}/noscript">`),
  ]
  const page = pageOf(atMs, { head, body })
  const bodyId = 4
  return [
    ...page,
    {
      type: 3,
      timestamp: atMs + 100,
      data: {
        source: 0,
        texts: [],
        removes: [],
        attributes: [
          { id: bodyId, attributes: { onclick: run, onpointermove: run, background: `${evil}/changed` } },
        ],
        adds: [
          {
            parentId: bodyId,
            nextId: null,
            node: { ...element('script', { src: `${evil}/added.js` }), id: 9001 },
          },
          {
            parentId: bodyId,
            nextId: null,
            node: { ...element('img', { src: `${evil}/added`, onerror: run }), id: 9002 },
          },
          {
            parentId: bodyId,
            nextId: null,
            node: { ...element('link', { rel: 'preconnect', href: evil }), id: 9003 },
          },
        ],
      },
    },
    {
      type: 3,
      timestamp: atMs + 150,
      data: { source: 8, id: bodyId, adds: [{ rule: `@import url(${evil}/rule.css)`, index: 0 }] },
    },
    {
      type: 3,
      timestamp: atMs + 160,
      data: { source: 10, family: 'y', fontSource: `url(${evil}/fontface)`, buffer: false },
    },
    {
      type: 3,
      timestamp: atMs + 200,
      data: { source: 9, id: bodyId, type: 0, commands: [{ property: 'constructor', args: [run] }] },
    },
    {
      type: 3,
      timestamp: atMs + 400,
      data: { source: 1, positions: [{ x: 5, y: 5, id: bodyId, timeOffset: 0 }] },
    },
    { type: 3, timestamp: atMs + 500, data: { source: 2, type: 2, id: bodyId, x: 5, y: 5 } },
    custom(atMs + 900, 'breadcrumb', {
      timestamp: (atMs + 900) / 1000,
      category: 'ui.click',
      message: '<img src=x onerror=alert(1)>',
      data: { nodeId: bodyId },
    }),
    { type: 3, timestamp: atMs + 1_000, data: { source: 3, id: 1, x: 0, y: 0 } },
  ]
}

export const newReplayId = newEventId

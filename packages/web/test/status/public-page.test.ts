/** What is made of a status page for everybody: HTML without scripts, a feed, JSON, and answers that caches may keep. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import type { StatusHistory, StatusIncident, StatusPage } from '@sonde/queries'
import { cachedAnswer, freshAnswer, statusDocument } from '../../src/parts/status/status-answer.server.ts'
import { statusFeed } from '../../src/parts/status/status-feed.server.ts'
import { statusBody } from '../../src/parts/status/status-page.server.ts'
import { statusSummary } from '../../src/parts/status/status-summary.server.ts'
import { shareText } from '../../src/parts/status/status-text.server.ts'

const HOSTILE = `<script>alert(1)</script>"'&\u0000\u000b]]>`
const AT_MS = Date.UTC(2026, 0, 31, 12)

const incident: StatusIncident = {
  id: 7,
  kind: 'incident',
  title: HOSTILE,
  impact: 'major',
  state: 'identified',
  startedMs: AT_MS,
  plannedEndMs: null,
  endedMs: null,
  components: [{ id: 1, name: HOSTILE }],
  updates: [{ id: 1, state: 'identified', body: `${HOSTILE}\nline`, atMs: AT_MS }],
}
const page: StatusPage = {
  slug: 'acme',
  title: HOSTILE,
  description: HOSTILE,
  indicator: 'major',
  components: [
    {
      id: 1,
      name: HOSTILE,
      group: HOSTILE,
      state: 'partial_outage',
      days: [
        { day: '2026-01-28', checks: 0, failed: 0 },
        { day: '2026-01-29', checks: 1_000_000, failed: 1 },
        { day: '2026-01-30', checks: 10, failed: 0 },
        { day: '2026-01-31', checks: 10, failed: 5 },
      ],
    },
    { id: 2, name: 'New', group: '', state: 'unknown', days: [{ day: '2026-01-31', checks: 0, failed: 0 }] },
  ],
  incidents: [incident],
  maintenance: [],
}
const history: StatusHistory = { slug: 'acme', title: HOSTILE, incidents: [incident], before: undefined }
const asked = (headers: Record<string, string> = {}, url = 'https://sonde.test/status/acme') => ({
  request: new Request(url, { headers }),
  url: new URL(url),
})

describe('a status page for everybody', () => {
  const html = statusDocument({ title: page.title, body: statusBody(page, { hasMail: true }) })

  it('escapes everything that people typed, and runs and fetches nothing', () => {
    assert.ok(!html.includes('<script') && !html.includes('alert(1)</script>'))
    assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'))
    assert.ok(!/\son\w+=|\sstyle=|javascript:|\ssrc=/.test(html))
  })

  it('says the share of each day, and of which days it knows nothing', () => {
    const titles = [...html.matchAll(/<rect class="(d\d)"[^>]*><title>([^<]*)</g)].map(([, look, text]) => [
      look,
      text,
    ])
    assert.deepEqual(titles, [
      ['d0', '2026-01-28: no data'],
      ['d2', '2026-01-29: 99.99%'],
      ['d1', '2026-01-30: 100%'],
      ['d3', '2026-01-31: 50%'],
      ['d0', '2026-01-31: no data'],
    ])
    assert.ok(html.includes('99.99% in 90 days, with data of 3'))
    assert.ok(html.includes('No data in 90 days'))
  })

  it('a share is never told better than it was', () => {
    assert.deepEqual([1, 0.999_999, 0.9999, 0.5, 0].map(shareText), ['100%', '99.99%', '99.99%', '50%', '0%'])
  })

  it('has no form where nobody can be told', () => {
    assert.ok(html.includes('<form'))
    assert.ok(!statusBody(page, { hasMail: false }).markup.includes('<form'))
  })

  it('its policy names the hash of the one style that it has', () => {
    const policy = cachedAnswer(asked(), html, 'text/html').headers.get('content-security-policy') ?? ''
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(html) ?? []
    assert.ok(policy.includes(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`))
    assert.ok(
      policy.startsWith("default-src 'none'") && !policy.includes('unsafe') && !policy.includes('script'),
    )
  })

  it('may be kept for seconds, in caches of many only where no cookie may be in the answer', async () => {
    const first = cachedAnswer(asked(), html, 'text/html')
    assert.equal(first.headers.get('cache-control'), 'public, max-age=5')
    assert.equal(first.headers.get('strict-transport-security'), 'max-age=31536000')
    const etag = first.headers.get('etag') ?? ''
    const again = cachedAnswer(asked({ 'if-none-match': `"other", ${etag}` }), html, 'text/html')
    assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag])
    assert.equal(cachedAnswer(asked({ 'if-none-match': etag }), `${html} `, 'text/html').status, 200)
    const member = cachedAnswer(asked({ cookie: 'session=1' }), html, 'text/html')
    assert.equal(member.headers.get('cache-control'), 'private, max-age=5')
    const form = freshAnswer(
      asked(undefined, 'http://sonde.test/'),
      { title: 'x', body: { markup: '' } },
      404,
    )
    assert.deepEqual(
      [form.status, form.headers.get('cache-control'), form.headers.get('strict-transport-security')],
      [404, 'private, no-store', null],
    )
  })

  it('is a feed that an XML reader takes, whatever was typed', () => {
    const feed = statusFeed(history, 'https://sonde.test')
    // oxlint-disable-next-line no-control-regex -- what XML cannot hold
    assert.ok(!/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(feed))
    // Text and the markup in `content` are escaped: after the declaration nothing but the elements of a feed is left.
    const elements = new Set([...feed.matchAll(/<\/?([\w?]+)/g)].map(([, name]) => name))
    assert.deepEqual(
      elements,
      new Set([
        '?xml',
        'feed',
        'id',
        'title',
        'author',
        'name',
        'updated',
        'link',
        'entry',
        'published',
        'content',
      ]),
    )
    assert.ok(feed.includes('<id>https://sonde.test/status/acme/history#incident-7</id>'))
    assert.ok(feed.includes('&lt;p&gt;Partial outage&lt;/p&gt;'))
    assert.ok(feed.includes('&amp;lt;script&amp;gt;'))
    assert.ok(
      statusFeed({ ...history, incidents: [] }, 'https://sonde.test').includes(
        '<updated>1970-01-01T00:00:00.000Z',
      ),
    )
  })

  it('is JSON in the shape that programs know', () => {
    const summary = statusSummary(page, 'https://sonde.test')
    assert.deepEqual(summary.page, {
      id: 'acme',
      name: HOSTILE,
      url: 'https://sonde.test/status/acme',
      time_zone: 'Etc/UTC',
    })
    assert.deepEqual(summary.status, { indicator: 'major', description: 'Partial outage' })
    assert.deepEqual(
      summary.components.map(({ id, status, position }) => [id, status, position]),
      [
        ['1', 'partial_outage', 1],
        ['2', 'unknown', 2],
      ],
    )
    assert.deepEqual(
      summary.incidents.map(({ status, impact, started_at, resolved_at }) => [
        status,
        impact,
        started_at,
        resolved_at,
      ]),
      [['identified', 'major', '2026-01-31T12:00:00.000Z', null]],
    )
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { filterReason, type FilterSettings, NO_FILTERS } from '../../src/stages/filter.ts'

const reason = (event: Parameters<typeof filterReason>[0], rules: Partial<FilterSettings>) =>
  filterReason(event, { ...NO_FILTERS, ...rules })
const error = (type: string, value: string) => ({ exception: [{ type, value }] })
const visitor = (agent: string) => ({ request: { headers: [['User-Agent', agent]] as const } })

const GOOGLEBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/140.0.0.0 Safari/537.36'
const UNKNOWN_BOT = 'Mozilla/5.0 (compatible; HamsterBot/0.3; +https://hamster.example/bot)'
const PERSON =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'
const CUBOT_PHONE =
  'Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36'

describe('inbound filters', () => {
  it('off, nothing is dropped', () => {
    const event = {
      ...error('TypeError', 'x'),
      release: 'shop@1.0.0',
      request: { url: 'http://localhost:3000/', headers: [['User-Agent', GOOGLEBOT]] as const },
    }
    assert.equal(filterReason(event, NO_FILTERS), undefined)
  })

  it('known crawlers go, and those that say they are one; people stay, also with a phone called Cubot', () => {
    for (const agent of [GOOGLEBOT, UNKNOWN_BOT])
      assert.equal(reason(visitor(agent), { crawlers: true }), 'crawler')
    for (const agent of [PERSON, CUBOT_PHONE, ''])
      assert.equal(reason(visitor(agent), { crawlers: true }), undefined, agent)
    assert.equal(reason({}, { crawlers: true }), undefined)
  })

  it('releases by glob', () => {
    const rules = { releases: ['shop@1.*', '*-rc?'] }
    for (const release of ['shop@1.4.2', 'SHOP@1.', 'api@2.0-rc1'])
      assert.equal(reason({ release }, rules), 'release', release)
    for (const release of ['shop@2.1.4', 'api@2.0-rc10', ''])
      assert.equal(reason({ release }, rules), undefined, release)
    assert.equal(reason({}, { releases: ['*'] }), undefined)
  })

  it('messages by glob: with the type, without it, and logged ones; any exception of a chain', () => {
    const rules = { messages: ['TypeError: *reading*', 'ResizeObserver loop*', 'cache ?ss'] }
    assert.equal(reason(error('TypeError', 'cannot while reading x'), rules), 'error_message')
    assert.equal(reason(error('Error', 'ResizeObserver loop limit exceeded'), rules), 'error_message')
    assert.equal(
      reason({ logentry: { formatted: 'Cache MISS' } }, { messages: ['cache ?iss'] }),
      'error_message',
    )
    const chain = {
      exception: [
        { type: 'TypeError', value: 'reading y' },
        { type: 'Other', value: 'z' },
      ],
    }
    assert.equal(reason(chain, rules), 'error_message')
    assert.equal(reason(error('RangeError', 'while reading x'), rules), undefined)
    assert.equal(reason({ logentry: { message: 'cache miss' } }, rules), undefined)
  })
})

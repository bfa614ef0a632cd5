import assert from 'node:assert/strict'
import { after, before, describe, it, mock } from 'node:test'
import type { NavigationTrigger } from '@sonde/protocol/navigation'
import fc from 'fast-check'
import type { Verdict } from '../../src/navigation/history-verdict.ts'
import { createRecorder, type EndOutcome, type OpenNavigation } from '../../src/navigation/recorder.ts'
import { attributesOf, type Navigation } from '../../src/navigation/timeline.ts'
import type { NavigationSignal } from '../../src/types.ts'

let nowMs = 0

function setUp() {
  mock.timers.reset()
  mock.timers.enable({ apis: ['setTimeout'] })
  nowMs = 1000
  let intent: { trigger: NavigationTrigger; atMs: number } | undefined
  const records: Navigation[] = []
  const signals: NavigationSignal[] = []
  let paint: (() => void) | undefined
  let verdict: Verdict | undefined
  let isLoading = false
  let settle: ((settledMs: number | undefined) => void) | undefined
  const client = {
    trace: { traceId: 't0', spanId: 's0' },
    emit(_: string, signal: unknown) {
      const { state, id } = signal as NavigationSignal
      signals.push(signal as NavigationSignal)
      if (state === 'start') client.trace = { traceId: `trace of ${id}`, spanId: 's1' }
    },
  }
  const recorder = createRecorder(client, {
    intent() {
      const used = intent
      intent = undefined
      return used
    },
    painted: (run) => (paint = () => run(nowMs - 5, nowMs, true)),
    settled: (_, run) => (settle = run),
    begin: () => {},
    judge: () => verdict,
    isLoading: () => isLoading,
    record: (navigation) => void records.push(structuredClone(navigation)),
    hungAfterMs: 5000,
  })
  return {
    recorder,
    records,
    signals,
    click: () => (intent = { trigger: 'click', atMs: nowMs - 8 }),
    // Called once at most, as the page does.
    paint() {
      paint?.()
      paint = undefined
    },
    settle: () => settle?.(nowMs),
    sees(next: Verdict | undefined, loading = false) {
      verdict = next
      isLoading = loading
    },
    press: (to: string): OpenNavigation => recorder.start({ to, router: 'test', isDraft: true }),
    wait(ms: number) {
      nowMs += ms
      mock.timers.tick(ms)
    },
    go: (to: string, route?: string): OpenNavigation => recorder.start({ to, route, router: 'test' }),
    /** `to outcome` of each record. */
    outcomes: () =>
      records.map(({ facts }) =>
        [facts.to, facts.outcome, ...(facts.provisional ? ['provisional'] : [])].join(' '),
      ),
  }
}

describe('the navigation recorder', () => {
  before(() => {
    performance.now = () => nowMs
  })
  after(() => {
    delete (performance as { now?: unknown }).now
    mock.timers.reset()
  })

  it('measures intent, match, data, code, commit, paint and what follows', () => {
    const page = setUp()
    page.recorder.show('/orders', '/orders')
    page.click()
    const open = page.go('/orders/7?tab=all#top', '/orders/[id]')
    page.wait(3)
    const endData = open.load('data')
    page.wait(10)
    const endChunk = open.load('chunk')
    page.wait(20)
    endChunk()
    page.wait(70)
    endData()
    page.wait(12)
    open.end('committed')
    page.wait(16)
    page.paint()
    page.wait(40)
    page.settle()
    assert.deepEqual(page.outcomes(), ['/orders/7 committed'])
    const attributes = attributesOf(page.records[0]!)
    assert.deepEqual(JSON.parse(JSON.stringify(attributes)), {
      trigger: 'click',
      outcome: 'committed',
      from: '/orders',
      to: '/orders/7',
      from_route: '/orders',
      to_route: '/orders/[id]',
      router: 'test',
      visible_after: 139,
      'phase.intent': 8,
      'phase.match': 3,
      'phase.data': 100,
      'phase.chunk': 20,
      'phase.commit': 23,
      'phase.paint': 5,
      'phase.settled': 40,
    })
    const follows = ['intent', 'match', 'data', 'commit', 'paint'].map(
      (phase) => attributes[`phase.${phase}`] as number,
    )
    assert.equal(
      follows.reduce((sum, ms) => sum + ms),
      attributes['visible_after'],
    )
  })

  it('reports a hung navigation while it goes on, then gives it up, under one id', () => {
    const page = setUp()
    page.go('/slow')
    page.wait(4999)
    assert.deepEqual(page.outcomes(), [])
    page.wait(1)
    assert.deepEqual(page.outcomes(), ['/slow pending provisional'])
    page.wait(54_999)
    assert.equal(page.records.length, 1)
    page.wait(1)
    assert.deepEqual(page.outcomes(), ['/slow pending provisional', '/slow timed_out'])
    assert.equal(new Set(page.records.map(({ id }) => id)).size, 1)
    assert.equal(page.recorder.current(), undefined)
  })

  it('replaces "left" when the page comes back and the navigation ends', () => {
    const page = setUp()
    const open = page.go('/slow')
    page.wait(100)
    page.recorder.hide()
    page.wait(100)
    open.end('committed')
    page.paint()
    page.settle()
    assert.deepEqual(page.outcomes(), ['/slow left provisional', '/slow committed'])
  })

  it('counts a redirect from the click that led to it, and links it to what was redirected', () => {
    const page = setUp()
    page.click()
    const first = page.go('/old')
    page.wait(50)
    first.redirect('/new')
    const second = page.go('/new')
    page.wait(30)
    second.end('committed')
    page.paint()
    page.settle()
    assert.deepEqual(page.outcomes(), ['/old redirected', '/new committed'])
    const [old, target] = page.records.map(attributesOf)
    assert.equal(old!['redirect_to'], '/new')
    assert.equal(target!['trigger'], 'redirect')
    assert.equal(target!['redirected_from'], first.id)
    assert.equal(target!['visible_after'], 88)
  })

  it('counts from the input that a router names, which waited before it started', () => {
    const page = setUp()
    page.click()
    page.wait(150)
    const open = page.recorder.start({ to: '/slow', router: 'test', trigger: 'click', intentMs: nowMs - 158 })
    open.redirect('/slower')
    const target = page.recorder.start({ to: '/slower', router: 'test' })
    target.end('committed', undefined, true)
    page.wait(16)
    page.paint()
    page.settle()
    const [first, last] = page.records.map(attributesOf)
    assert.equal(first?.['phase.intent'], 158)
    assert.deepEqual([last?.['phase.intent'], last?.['visible_after']], [undefined, 174])
  })

  it('takes the trace that the start signal brought', () => {
    const page = setUp()
    const open = page.go('/a')
    open.end('aborted')
    assert.equal(page.records[0]!.trace.traceId, `trace of ${open.id}`)
  })

  it('ends every navigation in exactly one final record, whatever happens in whatever order', () => {
    const outcomes: EndOutcome[] = ['committed', 'errored', 'aborted', 'full_load', 'timed_out']
    const steps = fc.oneof(
      fc.constant({ do: 'go' as const }),
      fc.constant({ do: 'redirect' as const }),
      fc.constant({ do: 'paint' as const }),
      fc.constant({ do: 'settle' as const }),
      fc.constant({ do: 'hide' as const }),
      fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 90_000 }) }),
      fc.record({ do: fc.constant('end' as const), outcome: fc.constantFrom(...outcomes) }),
    )
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 40 }), (list) => {
        const page = setUp()
        const opened: OpenNavigation[] = []
        for (const step of list) {
          if (step.do === 'go') opened.push(page.go('/x'))
          else if (step.do === 'wait') page.wait(step.ms)
          else if (step.do === 'end') opened.at(-1)?.end(step.outcome)
          else if (step.do === 'redirect') opened.at(-1)?.redirect('/y')
          else if (step.do === 'hide') page.recorder.hide()
          else page[step.do]()
        }
        page.go('/last').end('aborted')
        const finals = page.records.filter(({ facts }) => !facts.provisional)
        const started = page.signals.filter(({ state }) => state === 'start').map(({ id }) => id)
        const ended = page.signals.filter(({ state }) => state === 'end').map(({ id }) => id)
        assert.deepEqual(finals.map(({ id }) => id).toSorted(), started.toSorted())
        assert.deepEqual(ended.toSorted(), started.toSorted())
      }),
    )
  })
})

describe('a press on a link of which no router tells', () => {
  before(() => {
    performance.now = () => nowMs
  })
  after(() => {
    delete (performance as { now?: unknown }).now
    mock.timers.reset()
  })

  it('is kept to itself, and nothing when nothing comes of it', () => {
    const page = setUp()
    page.press('/like')
    page.wait(5000)
    page.recorder.hide()
    page.press('/like')
    page.go('/a').end('committed')
    page.paint()
    page.settle()
    assert.deepEqual(page.outcomes(), ['/a committed'])
    assert.deepEqual(
      page.signals.map(({ state }) => state),
      ['start', 'end'],
    )
  })

  it('is the beginning of the navigation once the address changes', () => {
    const page = setUp()
    page.click()
    const open = page.press('/orders')
    page.wait(400)
    open.end('committed')
    page.wait(16)
    page.paint()
    page.settle()
    const [record] = page.records
    assert.deepEqual(page.outcomes(), ['/orders committed'])
    assert.equal(attributesOf(record!)['visible_after'], 424)
    assert.equal(record!.trace.traceId, `trace of ${record!.id}`)
  })

  it('is what the page shows of it: at the next one, and when it has waited too long', () => {
    const page = setUp()
    page.press('/a')
    page.sees({ outcome: 'superseded', atMs: nowMs })
    page.press('/b')
    page.sees(undefined, true)
    page.wait(5000)
    assert.deepEqual(page.outcomes(), ['/a superseded', '/b pending provisional'])
    page.sees(undefined)
    page.wait(55_000)
    page.press('/c')
    page.sees({ outcome: 'errored', reason: 'chunk', atMs: nowMs })
    page.recorder.hide()
    assert.deepEqual(page.outcomes().slice(2), ['/b unknown', '/c errored'])
    assert.equal(page.records.at(-1)?.facts.reason, 'chunk')
    assert.equal(page.recorder.shown().path, '/', 'the address never changed')
  })

  it('is left when the page is hidden while it waits, and corrected after it', () => {
    const page = setUp()
    const open = page.press('/slow')
    page.sees(undefined, true)
    page.recorder.hide()
    open.end('committed')
    page.paint()
    page.settle()
    assert.deepEqual(page.outcomes(), ['/slow left provisional', '/slow committed'])
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createHardNavigation, type HardNavigationEnvironment } from '../../src/client/hard-navigation.ts'

/** A tab: its storage outlives the documents that come and go in it. */
function tab() {
  const stored = new Map<string, string>()
  let nowMs = 1_000_000
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
  return {
    wait: (ms: number) => void (nowMs += ms),
    document(currentUrl: string, { touched = false, broken = false } = {}) {
      const went: string[] = []
      const environment: HardNavigationEnvironment = {
        currentUrl: () => currentUrl,
        assign: (url) => void went.push(`assign ${url}`),
        reload: (url) => void went.push(`reload ${url}`),
        wasTouched: () => touched,
        nowMs: () => nowMs,
        storage: broken
          ? {
              getItem: () => {
                throw new Error('denied')
              },
              setItem: () => {
                throw new Error('denied')
              },
            }
          : storage,
      }
      return { navigateHard: createHardNavigation(environment), went }
    },
  }
}

describe('a full page load', () => {
  test('goes to the URL', () => {
    const { navigateHard, went } = tab().document('http://x/a')
    assert.equal(navigateHard('http://x/b'), true)
    assert.deepEqual(went, ['assign http://x/b'])
  })

  test('reloads when the address bar is there already: assigning might only scroll', () => {
    const { navigateHard, went } = tab().document('http://x/a')
    navigateHard('http://x/a#part')
    assert.deepEqual(went, ['reload http://x/a#part'])
  })

  test('is refused to a document that nobody touched for the URL that brought it', () => {
    const t = tab()
    assert.equal(t.document('http://x/a').navigateHard('http://x/b'), true)
    const next = t.document('http://x/b')
    assert.equal(next.navigateHard('http://x/b'), false)
    assert.deepEqual(next.went, [])
  })

  test('is allowed again when a person has touched the document, or half a minute later', () => {
    const t = tab()
    t.document('http://x/a').navigateHard('http://x/b')
    assert.equal(t.document('http://x/b', { touched: true }).navigateHard('http://x/b'), true)
    t.wait(30_000)
    assert.equal(t.document('http://x/b').navigateHard('http://x/b'), true)
  })

  test('ends a loop that passes through ever new URLs', () => {
    const t = tab()
    const allowed = Array.from({ length: 20 }, (_, n) =>
      t.document(`http://x/${n}`).navigateHard(`http://x/${n + 1}`),
    )
    assert.equal(allowed.filter(Boolean).length, 4)
  })

  test('works without storage', () => {
    assert.equal(tab().document('http://x/a', { broken: true }).navigateHard('http://x/b'), true)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type * as Sdk11 from '@sentry/browser'
import type * as Sdk8 from '@sentry/browser-8'
import type * as Sdk9 from '@sentry/browser-9'
import type * as Sdk10 from '@sentry/browser-10'
import { sondeNavigations } from '@sonde/sentry-integration'

type IntegrationOf<Sdk extends { init(options: never): unknown }> = Extract<
  Exclude<Parameters<Sdk['init']>[0], undefined>['integrations'],
  readonly unknown[]
>[number]

/** A version whose types refuse it does not compile. */
const accepted: readonly [
  IntegrationOf<typeof Sdk8>,
  IntegrationOf<typeof Sdk9>,
  IntegrationOf<typeof Sdk10>,
  IntegrationOf<typeof Sdk11>,
] = [sondeNavigations(), sondeNavigations(), sondeNavigations(), sondeNavigations()]

describe('the integration', () => {
  it('has the name by which a server knows that navigations have records', () => {
    assert.deepEqual(new Set(accepted.map(({ name }) => name)), new Set(['SondeNavigations']))
  })

  it('does nothing in an SDK that sends nothing', () => {
    let asked = 0
    const silent = { getDsn: () => void asked++ }
    sondeNavigations().afterAllSetup(silent as never)
    assert.equal(asked, 1, 'nothing else of the client or the page was touched')
  })
})

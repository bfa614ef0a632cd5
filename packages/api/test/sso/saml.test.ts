import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { ssoAddresses } from '@sonde/access'
import { addSsoDomain, addSsoGroup, saveSsoConnection, switchSso, verifySsoDomain } from '@sonde/commands'
import fc from 'fast-check'
import type { SamlOptions } from 'samlp'
import { formOf, type PlainBrowser, type Visit } from '../../../../tests/harness/sign-in/browser.ts'
import { newKeys, type SamlServer, startSamlServer } from '../../../../tests/harness/sign-in/saml-server.ts'
import { openSsoHarness, type SsoHarness, URL_HERE } from './sso-harness.ts'

const HERE = ssoAddresses(URL_HERE, 'acme')
const reasonOf = ({ url }: Visit) => url.searchParams.get('failed')

describe('SAML 2.0 with a real provider', () => {
  let sonde: SsoHarness
  let provider: SamlServer
  before(async () => {
    sonde = await openSsoHarness()
    provider = await startSamlServer(HERE)
    provider.people.set('ada', { email: 'ada@acme.test', name: 'Ada', groups: ['eng', 'sre'] })
  })
  after(async () => {
    await provider.close()
    await sonde.close()
  })

  const save = async (more: object = {}) =>
    saveSsoConnection(sonde.commands, await sonde.owner(), {
      kind: 'saml',
      name: 'Acme SAML',
      metadataUrl: `${provider.entityId}/metadata`,
      ...more,
    })
  /** Up to the page that posts the answer. */
  const askedBy = async (
    browser: PlainBrowser,
    start = HERE.start,
  ): Promise<{ readonly requestId: string; readonly page: Visit }> => {
    const page = await browser.open(start)
    const request = inflateRawSync(
      Buffer.from(page.url.searchParams.get('SAMLRequest') ?? '', 'base64'),
    ).toString()
    return { page, requestId: /\bID="([^"]+)"/.exec(request)?.[1] ?? '' }
  }
  const post = (browser: PlainBrowser, xml: string): Promise<Visit> =>
    browser.post(HERE.acs, { SAMLResponse: Buffer.from(xml).toString('base64') }, provider.entityId)
  const signIn = async (name: string, browser = sonde.browser(), start?: string) => {
    const { page } = await askedBy(browser, start)
    const { action, fields } = formOf(page)
    const posting = await browser.open(`${action}?${new URLSearchParams({ ...fields, login: name })}`)
    const form = formOf(posting)
    const last = await browser.post(form.action, form.fields, posting.url.origin)
    return { page: last, viewer: await sonde.viewerBy(browser.cookie(URL_HERE)) }
  }
  /** An answer to what a new browser asked, made otherwise than usual. */
  const attack = async (options: Partial<SamlOptions>, change = (xml: string) => xml, id = 'ada') => {
    const browser = sonde.browser()
    const { requestId } = await askedBy(browser)
    const xml = change(await provider.answer(id, { inResponseTo: requestId, ...options }))
    const page = await post(browser, xml)
    return { page, xml, browser, viewer: await sonde.viewerBy(browser.cookie(URL_HERE)) }
  }
  const refuses = async (reason: string, options: Partial<SamlOptions>, change?: (xml: string) => string) => {
    const { page, viewer } = await attack(options, change)
    assert.equal(reasonOf(page), reason)
    assert.equal(viewer, undefined)
  }

  test('metadata of the provider is read from its address, ours is valid for it', async () => {
    await assert.rejects(save({ metadataUrl: `${provider.entityId}/sso` }), /metadataUrl: this is a web page/)
    await assert.rejects(
      save({ metadataUrl: '', metadata: '<!DOCTYPE x><a/>' }),
      /with a document type is not read/,
    )
    await assert.rejects(save({ metadataUrl: '' }), /metadata: or its address is needed/)
    assert.deepEqual(await save(), { isNew: true, needsTest: true })
    const ours = await sonde.browser().open(HERE.metadata)
    assert.equal(ours.status, 200)
    for (const needed of [
      `entityID="${HERE.metadata}"`,
      `Location="${HERE.acs}"`,
      'WantAssertionsSigned="true"',
    ])
      assert.ok(ours.text.includes(needed), needed)
    assert.equal((await sonde.browser().open(ssoAddresses(URL_HERE, 'nobody').metadata)).status, 404)
  })

  test('an owner tests it, turns it on, and a new person gets an account, role and teams', async () => {
    const owner = await sonde.owner()
    const browser = sonde.browser()
    browser.give(URL_HERE, await sonde.withPassword('owner@acme.test'))
    const viewer = await sonde.viewerBy(browser.cookie(URL_HERE))
    assert.ok(viewer)
    const proof = sonde.access.sso.proofOf(viewer, 'acme')
    const tested = await signIn('ada', browser, `${HERE.start}?intent=test&proof=${proof}`)
    assert.equal(tested.page.url.search, '?saved=sso-tested')
    await switchSso(sonde.commands, owner, { isOn: true })
    await addSsoDomain(sonde.commands, owner, { domain: 'acme.test' })
    const { token } = await sonde.db.selectFrom('sso_domain').select('token').executeTakeFirstOrThrow()
    const deps = { ...sonde.commands, resolveTxt: async () => [[`sonde-domain=${token}`]] }
    await verifySsoDomain(deps, owner, { domain: 'acme.test' })
    await addSsoGroup(sonde.commands, owner, { group: 'eng', teamId: await sonde.team('web'), role: 'admin' })
    const { page, viewer: ada } = await signIn('ada')
    assert.equal(page.url.pathname, '/sign-in')
    assert.deepEqual([ada?.email, ada?.name, ada?.memberships[0]?.role], ['ada@acme.test', 'Ada', 'admin'])
    assert.deepEqual(await sonde.teamsOf('ada@acme.test'), ['web'])
    provider.people.set('ada', { email: 'ada@acme.test', name: 'Ada', groups: ['sre'] })
    assert.ok((await signIn('ada')).viewer)
    assert.deepEqual(await sonde.teamsOf('ada@acme.test'), [])
  })

  test('an answer is taken with its assertion signed, its response signed, or both', async () => {
    assert.ok((await attack({})).viewer)
    assert.ok((await attack({ signResponse: true })).viewer)
    assert.ok((await attack({ signAssertion: false, signResponse: true })).viewer)
  })

  test('an unsigned answer and one that another key signed are refused', async () => {
    await refuses('wrong-proof', { signAssertion: false })
    await refuses('wrong-proof', await newKeys())
    await refuses('wrong-proof', {}, (xml) => xml.replace(/<Signature\b[\s\S]*?<\/Signature>/, ''))
    await refuses('wrong-proof', { signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' })
  })

  test('a changed answer is refused', async () => {
    await refuses('wrong-proof', {}, (xml) => xml.replaceAll('ada@acme.test', 'owner@acme.test'))
    await refuses('wrong-proof', { signResponse: true, signAssertion: false }, (xml) =>
      xml.replace('>ada<', '>eve<'),
    )
  })

  test('a signed assertion that stands elsewhere in the answer lends its signature to no other', async () => {
    const evil = (assertion: string): string =>
      assertion
        .replace(/<Signature\b[\s\S]*?<\/Signature>/, '')
        .replaceAll('ada@acme.test', 'owner@acme.test')
        .replace(/(<saml:NameID[^>]*>)[^<]*/, '$1owner')
        .replace(/\bID="[^"]*"/, 'ID="_evil"')
    const assertionOf = (xml: string): string =>
      /<saml:Assertion\b[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''
    // XSW1 to XSW8 of "On Breaking SAML" (USENIX Security 2012), as far as they concern an assertion.
    const wrappings: readonly ((xml: string) => string)[] = [
      (xml) => xml.replace(assertionOf(xml), evil(assertionOf(xml)) + assertionOf(xml)),
      (xml) => xml.replace(assertionOf(xml), assertionOf(xml) + evil(assertionOf(xml))),
      (xml) =>
        xml.replace(
          assertionOf(xml),
          evil(assertionOf(xml)).replace('</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`),
        ),
      (xml) =>
        xml.replace(
          assertionOf(xml),
          evil(assertionOf(xml)).replace(
            '</saml:Assertion>',
            `<Object>${assertionOf(xml)}</Object></saml:Assertion>`,
          ),
        ),
      (xml) =>
        xml.replace(
          assertionOf(xml),
          `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>${evil(assertionOf(xml))}`,
        ),
      (xml) => {
        const good = assertionOf(xml)
        const signature = /<Signature\b[\s\S]*?<\/Signature>/.exec(good)?.[0] ?? ''
        const bare = good.replace(signature, '')
        const around = signature.replace('</Signature>', `<Object>${bare}</Object></Signature>`)
        return xml.replace(good, evil(good).replace('</saml:Issuer>', `</saml:Issuer>${around}`))
      },
      // The same id twice.
      (xml) => {
        const good = assertionOf(xml)
        const id = /\bID="([^"]*)"/.exec(good)?.[1] ?? ''
        return xml.replace(good, evil(good).replace('_evil', id) + good)
      },
    ]
    for (const wrap of wrappings) {
      const { page, xml, viewer } = await attack({}, wrap)
      assert.ok(xml.includes('owner@acme.test'), 'the attack is in it')
      assert.equal(reasonOf(page), 'wrong-proof', xml)
      assert.equal(viewer, undefined)
    }
  })

  test('a comment within an address cuts nothing off', async () => {
    provider.people.set('eve', { email: 'owner@acme.test.evil.test', name: 'Eve' })
    const { page, viewer } = await attack(
      {},
      (xml) => xml.replace('owner@acme.test.evil.test', 'owner@acme.test<!-- -->.evil.test'),
      'eve',
    )
    assert.equal(reasonOf(page), 'wrong-domain')
    assert.equal(viewer, undefined)
  })

  test('an answer for somebody else, from somebody else, or of another time is refused', async () => {
    await refuses('wrong-proof', { audience: 'https://other.example/metadata' })
    await refuses('wrong-proof', { recipient: 'https://other.example/acs' })
    await refuses('wrong-proof', { issuer: 'https://other.example' })
    await refuses('wrong-time', { lifetimeInSeconds: -120 })
    // Clocks may differ by a minute.
    assert.ok((await attack({ lifetimeInSeconds: -30 })).viewer)
  })

  test('an answer is taken once, by the browser that asked', async () => {
    const first = await attack({})
    assert.ok(first.viewer)
    assert.equal(reasonOf(await post(first.browser, first.xml)), 'expired')
    // Somebody leads another browser to their own answer.
    const [mine, theirs] = [sonde.browser(), sonde.browser()]
    const { requestId } = await askedBy(mine)
    await askedBy(theirs)
    const page = await post(theirs, await provider.answer('ada', { inResponseTo: requestId }))
    assert.equal(reasonOf(page), 'expired')
    assert.equal(await sonde.viewerBy(theirs.cookie(URL_HERE)), undefined)
    // Its ticket is used up by that.
    const ticket = theirs.trail.find((each) => each.includes('ticket=')) ?? ''
    assert.equal(reasonOf(await mine.open(ticket)), 'expired')
  })

  test('who begins at the provider is refused, or sent back once to be asked', async () => {
    const unasked = async () => post(sonde.browser(), await provider.answer('ada'))
    assert.equal(reasonOf(await unasked()), 'expired')
    await save({ metadataUrl: '', settings: { allowsProviderStart: true } })
    await sonde.db.updateTable('sso_connection').set({ is_on: 1, tested_ms: 1 }).execute()
    const browser = sonde.browser()
    const asked = await post(browser, await provider.answer('ada'))
    assert.equal(asked.url.pathname, '/sso')
    assert.ok(asked.url.searchParams.get('SAMLRequest'))
    // And does not go round for ever.
    assert.equal(reasonOf(await post(browser, await provider.answer('ada'))), 'expired')
  })

  test('what is no answer is refused, however it is made, and quickly', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><Response>&b;</Response>`
    const deep = '<a>'.repeat(20_000) + '</a>'.repeat(20_000)
    const wide = `<a ${Array.from({ length: 10_000 }, (_, i) => `b${i}=""`).join(' ')}/>`
    for (const xml of [
      bomb,
      deep,
      wide,
      '',
      '<a',
      '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>',
      '\u0000',
      'x'.repeat(180_000),
    ]) {
      const startedMs = performance.now()
      assert.equal(reasonOf(await post(sonde.browser(), xml)), 'wrong-proof', xml.slice(0, 50))
      const tookMs = performance.now() - startedMs
      assert.ok(tookMs < 3_000, `${xml.slice(0, 20)} took ${tookMs} ms`)
    }
    const { status } = await sonde
      .browser()
      .post(HERE.acs, { SAMLResponse: 'A'.repeat(600_000) }, provider.entityId)
    assert.equal(status, 400)
  })

  test('any bytes, and any cut or spliced answer, end on the page', async () => {
    const good = await provider.answer('ada', { inResponseTo: '_none' })
    const spliced = fc
      .tuple(
        fc.nat(good.length),
        fc.nat(60),
        fc.oneof(fc.string(), fc.constantFrom('<', '&', '"', '<!--', '-->', ']]>')),
      )
      .map(([at, length, text]) => good.slice(0, at) + text + good.slice(at + length))
    await fc.assert(
      fc.asyncProperty(fc.oneof(spliced, fc.string(), fc.string({ unit: 'binary' })), async (xml) => {
        const response = await sonde.api.fetch(
          new Request(HERE.acs, {
            method: 'POST',
            body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') }),
          }),
        )
        // 429: the bound of one address.
        assert.ok(response.status === 303 || response.status === 429, `${response.status} for ${xml}`)
      }),
      { numRuns: 150 },
    )
  })
})

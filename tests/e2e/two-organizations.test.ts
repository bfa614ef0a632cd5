/**
 * Every address of one organization, asked for by the owner of another, with a session and with tokens: the answer is that
 * of something that does not exist. Whatever the code answers must be named in `two-organizations/`.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answerChecks, type Document } from '../harness/described-answers.ts'
import {
  type Address,
  type Answer,
  ask,
  type Asker,
  filled,
  type Names,
  paramsOf,
} from './two-organizations/addresses.ts'
import {
  asInTable,
  operations,
  OPERATIONS,
  OWN_OPERATIONS,
  pathInDocument,
} from './two-organizations/api-addresses.ts'
import { codeOperations, codePages } from './two-organizations/code-routes.ts'
import { NOBODYS_PAGES, OWN_WORDS } from './two-organizations/nobodys-pages.ts'
import { type Organizations, openOrganizations } from './two-organizations/organizations.ts'
import { pageForms, pageReads, PAGES } from './two-organizations/page-addresses.ts'

const AS_DATA = { 'x-sonde-page': '1' }
const nameOf = ({ method, template, form }: Address): string =>
  `${method} ${template}${form ? ` ${new URLSearchParams(form).toString()}` : ''}`

describe('the tables of this test', () => {
  test('name every page, and no other', () => {
    const known = [...Object.keys(PAGES), ...Object.keys(NOBODYS_PAGES)]
    assert.deepEqual(
      known.toSorted(),
      codePages()
        .map(({ template }) => template)
        .toSorted(),
    )
  })

  test('post every form, and everything that an action tells apart', () => {
    for (const { template, hasAction, words } of codePages()) {
      const page = PAGES[template]
      if (!page) continue
      const forms = page.forms ?? []
      assert.equal(forms.length > 0, hasAction, template)
      const posted = new Set(forms.flatMap((form) => [...Object.keys(form), ...Object.values(form)]))
      const others = page.isOwn === true ? OWN_WORDS : new Set(page.sharedWords)
      const forgotten = [...words].filter((word) => !posted.has(word) && !others.has(word))
      assert.deepEqual(forgotten, [], template)
    }
  })

  test('name every operation of the API, and no other', () => {
    const known = [...Object.keys(OPERATIONS), ...OWN_OPERATIONS]
    assert.deepEqual(known.toSorted(), codeOperations().map(asInTable).toSorted())
  })
})

describe('two organizations', () => {
  let organizations: Organizations
  let untouched: ReturnType<Organizations['records']>
  let checks: ReturnType<typeof answerChecks>
  before(async () => {
    organizations = await openOrganizations()
    untouched = organizations.records()
    const { url } = organizations.askers.nobody
    checks = answerChecks((await (await fetch(`${url}/api/0/openapi.json`)).json()) as Document)
  })
  after(() => organizations.close())

  /** Operations that were answered as they are described. */
  const answered = new Set<string>()
  const wrong: string[] = []
  const holdToDocument = ({ kind, method, template }: Address, { text, ...answer }: Answer): void => {
    const operation = kind === 'api' && checks.operationOf(method, pathInDocument(template))
    if (!operation || answer.status >= 400) return
    const plain = Buffer.from(text, 'latin1').toString('utf8')
    const problem = checks.problemOf(operation, { ...answer, text: plain })
    if (problem !== undefined) wrong.push(problem)
    answered.add(operation.operationId)
  }

  const isUntouched = (): void => assert.deepEqual(organizations.records(), untouched)
  const hidesSecrets = ({ text, location }: Pick<Answer, 'text' | 'location'>, what: string): void => {
    for (const secret of organizations.secrets)
      assert.equal(
        `${text}${location}`.includes(secret),
        false,
        `${what} tells of acme: ${text.slice(0, 2000)}`,
      )
  }
  /** What is read is asked for again when an hour began between the two: intervals of `sessions` are then others. */
  const bothOf = async (
    asker: Asker,
    address: Address,
    [real, none]: readonly [Names, Names],
    headers: Readonly<Record<string, string>>,
  ): Promise<readonly [Answer, Answer]> => {
    const hour = (): number => Math.floor(Date.now() / 3_600_000)
    const before = hour()
    const found = await ask(asker, address, real, headers)
    const missing = await ask(asker, address, none, headers)
    return before === hour() || address.method !== 'GET'
      ? [found, missing]
      : bothOf(asker, address, [real, none], headers)
  }
  /** The two answers differ in the names alone that were asked for; of a change, in what was made. */
  const isAlike = async (asker: Asker, address: Address, real: Names, none: Names): Promise<void> => {
    const variants = address.kind === 'page' ? [AS_DATA, {}] : [{}]
    for (const headers of variants) {
      const [found, missing] = await bothOf(asker, address, [real, none], headers)
      // Its own address echoes what was asked for, where that is the secret's place.
      const told = withoutNames(found, real, address)
      hidesSecrets(told, nameOf(address))
      assert.equal(found.status, missing.status, `${nameOf(address)}: ${found.text.slice(0, 500)}`)
      const isMade = address.method !== 'GET' && found.status < 300
      const isDocument = address.kind === 'page' && !('x-sonde-page' in headers)
      if (isMade || (isDocument && found.status === 200)) continue
      const other = withoutNames(missing, none, address)
      assert.deepEqual(told, other, `${nameOf(address)}: ${firstDifference(told.text, other.text)}`)
    }
  }
  const reads = (): readonly Address[] => [...pageReads(false), ...operations(true)]
  const writes = (): readonly Address[] => [...pageForms(false), ...operations(false)]
  const askerOf = (address: Address, session: Asker, token: Asker): Asker =>
    address.kind === 'page' || address.bySession === true ? session : token

  test("acme's own owner is answered by each address that is read", async () => {
    for (const address of reads()) {
      const asker = askerOf(address, organizations.askers.ann, organizations.tokens.acme)
      const answer = await ask(asker, address, organizations.acme)
      assert.equal(answer.status, address.status ?? 200, `${nameOf(address)}: ${answer.text.slice(0, 500)}`)
      holdToDocument(address, answer)
    }
  })

  const WHO = [
    'its owner, signed in',
    'a token of the command line',
    'a token of builds',
    'a personal token',
  ] as const
  const globexAs = (who: (typeof WHO)[number]): Asker =>
    who === 'its owner, signed in'
      ? organizations.askers.bob
      : (organizations.tokens.globex[who] ?? assert.fail(who))
  // What is read comes first: afterwards globex has releases of its own that are called like those of acme.
  for (const [what, addresses] of [
    ['read', reads],
    ['changed', writes],
  ] as const)
    for (const who of WHO) {
      const concerned = (): readonly Address[] =>
        addresses().filter(({ kind }) => kind === 'api' || who === 'its owner, signed in')

      test(`what is of acme is ${what} by nobody of globex: ${who}`, async () => {
        for (const address of concerned())
          await isAlike(globexAs(who), address, organizations.acme, { ...organizations.acme, org: 'nowhere' })
        isUntouched()
      })

      test(`what is of acme is not ${what} by its id within globex either: ${who}`, async () => {
        for (const address of concerned().filter((each) => namesThings(each))) {
          const { acme, nothing, globex } = organizations
          await isAlike(globexAs(who), address, { ...acme, ...globex }, { ...nothing, ...globex })
        }
        isUntouched()
      })
    }

  test('pages of a person and of the installation give nothing of others to the owner of globex', async () => {
    const { bob, operator } = organizations.askers
    for (const address of pageReads(true)) {
      const headers = address.template.startsWith('/settings/go') ? {} : AS_DATA
      await isAlike(bob, address, organizations.acme, organizations.nothing)
      const own = await ask(operator, address, organizations.acme, headers)
      assert.equal(own.status, address.status ?? 200, `${nameOf(address)} of the operator`)
    }
    for (const address of pageForms(true))
      await isAlike(bob, address, organizations.acme, organizations.nothing)
    isUntouched()
  })

  test('nobody who is not signed in is told whether something exists', async () => {
    const { nobody } = organizations.askers
    for (const address of [...reads(), ...writes(), ...pageReads(true), ...pageForms(true)]) {
      const answer = await ask(nobody, address, organizations.acme, address.kind === 'page' ? AS_DATA : {})
      assert.ok(answer.status >= 300, `${nameOf(address)} answered ${answer.status}`)
      await isAlike(nobody, address, organizations.acme, organizations.nothing)
    }
    isUntouched()
  })

  test('a viewer of acme changes nothing of it', async () => {
    for (const address of writes().filter((each) => !isQuestion(each))) {
      const answer = await ask(organizations.askers.viewer, address, organizations.acme, {
        'x-sonde-page': '1',
      })
      assert.ok([403, 404, 501].includes(answer.status), `${nameOf(address)} answered ${answer.status}`)
    }
    isUntouched()
  })

  // The last: it takes away what the others looked at.
  test("acme's own owner is answered by each address that changes something, so each was there", async () => {
    const refused: string[] = []
    for (const address of [...operations(false), ...pageForms(false)].toSorted(lastToGo)) {
      const asker = askerOf(address, organizations.askers.ann, organizations.tokens.acme)
      const answer = await ask(asker, address, organizations.acme, address.kind === 'page' ? AS_DATA : {})
      holdToDocument(address, answer)
      const { status, text } = answer
      const isTaken = status >= 200 && status < 400
      if (!isTaken && !(status === 422 && mayFail(address)))
        refused.push(`${nameOf(address)} answered ${status}: ${text.slice(0, 500)}`)
    }
    assert.deepEqual(refused, [])
    assert.notDeepEqual(organizations.records(), untouched)
  })

  test('every operation of the OpenAPI document was answered as it is described', () => {
    assert.deepEqual(wrong, [])
    const own = OWN_OPERATIONS.map((each) => each.split(' ') as [string, string]).flatMap(
      ([method, path]) => checks.operationOf(method, pathInDocument(path))?.operationId ?? [],
    )
    const known = new Set([...answered, ...own, 'getOpenApiDocument'])
    assert.deepEqual(
      checks.operationIds.filter((id) => !known.has(id)),
      [],
    )
  })
})

/** Whether it names more than an organization and a project. */
function namesThings({ template, query, form, names }: Address): boolean {
  const texts = Object.values({ ...query, ...form, ...names }).join('')
  const named = [...paramsOf(template), ...[...texts.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')]
  return named.some((name) => !['org', 'project', 'key', 'tag', 'monitor'].includes(name))
}

/** What marks an issue for whoever asks, and for nobody else. */
const OF_ONESELF = ['bookmark', 'subscribe', 'seen']

/** A POST that only asks, and what a viewer may: run a statement, leave a team, mark an issue, keep a search of their own. */
function isQuestion({ method, template, form }: Address): boolean {
  if (form?.['form'] === 'membership') return true
  if (form && OF_ONESELF.some((name) => name in form)) return true
  if (/\/searches(?:\/:search\/pin)?$/.test(template)) return method !== 'DELETE' || template.endsWith('/pin')
  return template.endsWith('/artifact-states') || form?.['q'] !== undefined
}

/** What only tries answers with what was typed; nobody has proved the domain, and ann has no second factor to ask of others. */
const mayFail = ({ form = {} }: Address): boolean =>
  ['try', 'preview', 'verify'].includes(form['does'] ?? '') ||
  // Another form has turned automatic assignment off by then.
  form['form'] === 'ownership-apply' ||
  // Its slug is another: the API deletes it, at the end.
  form['form'] === 'delete-organization' ||
  (form['form'] === 'second-factor' && form['require'] === 'yes')

/** Before anything else: while a person is erased, events are not deleted. */
const isOfEvents = ({ template, form = {} }: Address): boolean =>
  /\/(?:events|events\/:event|deleted-events\/:deletion\/restore)$/.test(template) ||
  (template.endsWith('/[issue]/events') && ('event' in form || 'restore' in form))

const goes = (address: Address): number => (isOfEvents(address) ? -1 : goesByItsKind(address))

const goesByItsKind = ({ method, template, form = {} }: Address): number =>
  method === 'DELETE' && template === '/organizations/:org'
    ? 4
    : form['form'] === 'delete-project'
      ? 3
      : form['delete'] === undefined && method !== 'DELETE'
        ? 0
        : template.split('/').length > 4
          ? 1
          : 2
const lastToGo = (one: Address, other: Address): number => goes(one) - goes(other)

/** What stands around it in both. */
function firstDifference(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const around = (text: string): string => text.slice(Math.max(0, at - 80), at + 80)
  return `…${around(one)}… and …${around(other)}…`
}

/** Without the names that were asked for, and what is another each time. */
function withoutNames(
  { status, text, location }: Answer,
  names: Names,
  address: Address,
): Pick<Answer, 'status' | 'text' | 'location'> {
  const named = Object.values(
    filled(Object.fromEntries(Object.keys(names).map((name) => [name, `{${name}}`])), names),
  ).filter((value) => value.length > 3 || /^[a-z]+$/.test(value))
  // Ids that are asked for together are too short to be looked for one by one.
  const lists = Object.values(
    filled(
      Object.fromEntries(
        Object.entries({ ...address.query, ...address.form }).filter(([, text]) => text.includes('},{')),
      ),
      names,
    ),
  )
  const long = [...named, ...lists].toSorted((a, b) => b.length - a.length)
  const plain = (given: string): string => {
    let rest = given
      .replace(/nonce(?:=|":)"[^"]*"/g, '')
      .replace(/"digest":"\d+"/g, '')
      .replace(/"requestId":"[\da-f]{32}"/g, '')
      .replace(/Request(?: ID)?: [\da-f]{32}/gi, '')
      // `22s`, a second later `23s`.
      .replace(/<time [^<>]*>[^<>]*<\/time>/g, '')
      // What was posted comes back with what is wrong with it.
      .replace(/\\?"typed\\?":\{[^}]*\}/g, '')
      .replace(/"(?:\w*[mM]s|now|time|elapsed\w*|shownMs)":[\d.]+/g, '')
    for (const value of long) for (const form of writtenAs(value)) rest = rest.replaceAll(form, '«»')
    return rest.replace(/(\/|%2F|%3D)\d+(?=%2F|%26|%3F|[/?"'&<]|$)/g, '$1«»')
  }
  return { status, text: plain(text), location: plain(location) }
}

/** As it stands in a text, in an address, and in an address within an address. */
function writtenAs(value: string): readonly string[] {
  const inQuery = new URLSearchParams({ value }).toString().slice('value='.length)
  const once = [encodeURIComponent(value), inQuery]
  return [value, ...once, ...once.map((text) => encodeURIComponent(text))]
}

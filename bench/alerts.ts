/**
 * What alerts cost: processor time for each minute in which many rules are asked, of projects that all receive something, and
 * for a storm of new issues, with how many messages come of it. Engines are embedded, in this process, and the clock is turned
 * on by hand: figures are processor time, in which other work on the machine hardly shows.
 */
import { NOW_MS, openHarness } from '../packages/alerts/test/harness.ts'
import { fillProject, rulesOf } from './alerts/fill-projects.ts'
import { type Figure, median } from './report/figure.ts'

const MINUTE_MS = 60_000
const RULES_OF_PROJECT = 100
const MINUTES = 6
const NEW_ISSUES = 1_000

export async function alerts(say: (text: string) => void, rules: number): Promise<Figure[]> {
  const harness = await openHarness()
  const part = 'alerts'
  try {
    const projects = Math.ceil(rules / RULES_OF_PROJECT)
    for (let at = 0; at < projects; at++) {
      const { id, orgId, slug } = await harness.project(`shop-${at}`)
      const { id: channel } = await harness.webhook(orgId)
      await fillProject(harness, id, MINUTES)
      for (const rule of rulesOf(RULES_OF_PROJECT, channel, slug)) await harness.metricRule(id, rule)
    }
    say(`${projects * RULES_OF_PROJECT} rules of ${projects} projects are set up`)
    const asked: number[] = []
    for (let minute = 1; minute <= MINUTES; minute++) {
      harness.at(NOW_MS + minute * MINUTE_MS + 10_000)
      asked.push(await cpuMs(() => harness.minute()))
      say(`minute ${minute}: ${asked.at(-1)?.toFixed(0)} ms of processor time`)
    }
    const storm = await stormOf(harness)
    say(`${NEW_ISSUES} new issues: ${storm.cpuMs.toFixed(0)} ms, ${storm.messages} messages`)
    return [
      {
        part,
        name: `processor time for a minute of ${projects * RULES_OF_PROJECT} rules`,
        value: median(asked.slice(1)),
        unit: 'ms',
      },
      { part, name: `processor time for ${NEW_ISSUES} new issues`, value: storm.cpuMs, unit: 'ms' },
      { part, name: `mails that tell one person of them within a minute`, value: storm.messages, unit: '' },
    ]
  } finally {
    await harness.close()
  }
}

/** All within a minute, told to one person by mail. */
async function stormOf(harness: Awaited<ReturnType<typeof openHarness>>) {
  const project = await harness.project('storm')
  const userId = await harness.member(project.orgId, 'ada@example.com')
  await harness.rule(project.id, { triggers: [{ type: 'new' }], actions: [{ type: 'person', userId }] })
  const before = harness.mail.mails.length
  for (let at = 0; at < NEW_ISSUES; at++) {
    const issue = await harness.issue(project.id)
    await harness.change(project.id, issue.id, 'new', issue.eventId)
  }
  const spent = await cpuMs(() => harness.settle())
  harness.clock.advance(MINUTE_MS)
  await harness.settle()
  return { cpuMs: spent, messages: harness.mail.mails.length - before }
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** The demo from start to end: parts up, visitors through, history sent, then it stays until Ctrl+C. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { liveThroughDay } from './day.ts'
import { drive } from './drive.ts'
import { sendFeedback } from './feedback.ts'
import { sendHistory } from './history.ts'
import { startJobs } from './jobs.ts'
import { sendLogs } from './logs.ts'
import { startMailbox } from './mailbox.ts'
import { startMetrics } from './metrics.ts'
import { sendNative } from './native.ts'
import { sendNoise } from './noise.ts'
import { readOptions } from './options.ts'
import { createPageViews } from './page-views.ts'
import { sendProfiles } from './profiles.ts'
import { createProgress } from './progress.ts'
import { startRecorder } from './recorder.ts'
import { tellReleases } from './releases.ts'
import { recordReplays } from './replays.ts'
import { sendServices } from './services.ts'
import { sendSessions } from './sessions.ts'
import { startApi, startShops } from './shop.ts'
import { DEMO_OWNER, startDemoSonde } from './sonde.ts'
import { createStops } from './stops.ts'
import { sendTabs } from './tabs.ts'
import { gatherTeam, TEAM } from './team.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const options = readOptions(process.argv.slice(2))
const progress = createProgress()
const stops = createStops()
const startedMs = Date.now()

try {
  const dataDir = join(ROOT, 'data', 'demo')
  if (!options.keep) rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  const scratch = mkdtempSync(join(tmpdir(), 'sonde-demo-'))
  stops.push(() => rmSync(scratch, { recursive: true, force: true }))

  progress.say('Starting Sonde, the API, and three releases of the shop…')
  const mailbox = await startMailbox()
  stops.push(() => mailbox.close())
  const sonde = await startDemoSonde(ROOT, dataDir, mailbox.smtpUrl)
  stops.push(() => sonde.stop())
  const recorder = await startRecorder(sonde.url)
  stops.push(() => recorder.close())
  const shopDsn = sonde.dsnOf('default/shop', 'javascript-react')
  const apiDsn = sonde.dsnOf('default/api', 'node')
  await gatherTeam(sonde)
  const jobs = await startJobs(apiDsn)
  stops.push(() => jobs.stop())
  await tellReleases(sonde)
  const api = await startApi(ROOT, apiDsn.replace(new URL(sonde.url).host, new URL(recorder.url).host))
  stops.push(() => api.stop())
  const pageViews = createPageViews()
  const shops = await startShops({
    scratch,
    dsn: shopDsn,
    apiUrl: api.url,
    sondeUrl: sonde.url,
    via: recorder.url,
    token: sonde.tokenFor('org:ci'),
    tagsOf: (asked) => pageViews.tagsOf(asked),
  })
  stops.push(() => shops.stop())

  const executablePath = process.env['SONDE_CHROMIUM']
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
    ],
  })
  stops.push(() => browser.close())
  const visits = await drive({ browser, shops, options, progress, isStopping: stops.isStopping })
  await pageViews.send(apiDsn)
  const replays = await recordReplays(browser, shops.production.url, shopDsn)
  await browser.close()

  const recorded = [...recorder.recorded]
  const history = await sendHistory({ recorded, sondeUrl: sonde.url, progress })
  recorder.forget()
  await sendLogs(recorded, apiDsn)
  const sessions = await sendSessions(shopDsn)
  const open = await sendTabs(shopDsn)
  stops.push(open.stop)
  await sendFeedback(shopDsn)
  const noise = await sendNoise(shopDsn, sonde)
  const metrics = await startMetrics(apiDsn, await sendServices(apiDsn))
  stops.push(() => metrics.stop())
  const profiles = await sendProfiles(apiDsn)
  await sendNative(ROOT, sonde)
  const seconds = Math.round((Date.now() - startedMs) / 1000)
  progress.say(
    [
      '',
      `  Open       ${sonde.url}/default/shop`,
      `  Sign in    ${DEMO_OWNER.email}`,
      `  or as      ${Object.values(TEAM)
        .map(({ email }) => email)
        .join(', ')}`,
      `  Password   ${DEMO_OWNER.password}   (of all four)`,
      `  Slack, mail ${mailbox.url}   (what people are told)`,
      `  The shop   ${shops.production.url}   (what you do there arrives too)`,
      '',
      `What you see: ${visits.done} visits of ${visits.people} people in one headless Chromium, with slowed processors and networks;`,
      `only their user agents claim other browsers. The ${history.days} days before today are ${history.visits} of these page loads and`,
      'navigations sent again, through the same door, under other ids and with their times moved; those in which something',
      `went wrong more often than they happened. ${replays} visits are recorded by the unmodified SDK of Sentry (Issues → Replays): a quiet`,
      `one, one with an error, an angry one. The ${sessions} sessions of the last days, ${open.tabs} tabs left open over them, the ${profiles} profiles of the API, what visitors`,
      `wrote, ${noise} errors that the shop did not cause (Issues → Noise; the most frequent is thinned),`,
      'the services behind the chat with its agent and their metrics, and the crashes of default/game (one of them a real report',
      'of Unreal Engine) are made up. So are the jobs under Alerts → Crons of',
      'default/api, which run as long as this.',
      `It took ${seconds} s. Sonde, shop and API keep running: Ctrl+C ends them.`,
      '',
    ].join('\n'),
  )
  await liveThroughDay({ sonde, mailbox, dsn: apiDsn, say: progress.say }).catch((error: unknown) => {
    // All that was sent is there to be looked at.
    const why = error instanceof Error ? error.message : String(error)
    if (!stops.isStopping())
      progress.say(`  The team's day ended early: ${why}. Sonde, shop and API keep running.`)
  })
  await stops.asked
} catch (error) {
  if (!stops.isStopping()) {
    process.stderr.write(`\nThe demo stopped: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
} finally {
  await stops.all()
}
process.exit()

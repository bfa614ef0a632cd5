/**
 * The jobs of the role `alerts`: they look at what changed, at what is counted and at spikes, tell people what others did, deliver what
 * is to be told, and tell issue trackers what became of issues.
 */
import { type Bus, type Tracer, steadyMs } from '@sonde/base'
import { dueNow, type JobHost, type RunningJob, startJob } from '@sonde/jobs'
import { nextCronWorkMs, judgeMonitors } from './crons/judge-monitors.ts'
import { type EvaluateDeps, evaluateChanges, hasPendingChanges } from './issues/evaluate-changes.ts'
import { nextWakeMs, wakeIssues } from './issues/wake-issues.ts'
import { nextAccountMailMs, sendAccountMail } from './mail/account-mail.ts'
import { createInboxAnnouncer, type InboxAnnouncer } from './outbox/announce-inbox.ts'
import { type DeliverDeps, deliverDue, nextDueMs } from './outbox/deliver.ts'
import { hasReleaseRules, judgeReleases } from './releases/judge-releases.ts'
import { learnRates, type LearnDeps } from './spikes/learn-rates.ts'
import { nextSpikeMs, tellSpikes } from './spikes/tell-spikes.ts'
import { followMonitors, nextStatusWorkMs } from './status/follow-monitors.ts'
import { hasUntoldUpdates, queueStatusMail } from './status/queue-mail.ts'
import { nextStatusMailMs, sendStatusMail } from './status/send-mail.ts'
import { nextRequestMs, syncLinks } from './trackers/sync-links.ts'
import { nextUptimeWorkMs, runChecks } from './uptime/run-checks.ts'
import { evaluateWindows, nextWindowMs, type WindowDeps } from './windows/evaluate-windows.ts'
import { hasUntoldChanges, tellChanges } from './workflow/tell-changes.ts'

export type AlertsDeps = EvaluateDeps &
  DeliverDeps &
  WindowDeps &
  LearnDeps &
  Pick<JobHost, 'watch'> & { readonly bus: Bus; readonly tracer?: Tracer }

export type RunningAlerts = {
  stop(): Promise<void>
}

/** A wake from another process may be lost; then a change waits so long. */
const LOOK_EVERY_MS = 1_000
const HOUR_MS = 3_600_000
/** A release is judged by the minute. */
const JUDGE_EVERY_MS = 15_000

export function startAlerts(deps: AlertsDeps): RunningAlerts {
  const { records, clock, bus } = deps
  let announcer: Promise<InboxAnnouncer> | undefined
  const announce = async (): Promise<void> => {
    announcer ??= createInboxAnnouncer(records, bus)
    await (await announcer).announce()
  }
  // Before anything is written that is to be announced; while the records are away, the next one tries again.
  const ready = (): Promise<void> =>
    announce().catch(() => {
      announcer = undefined
    })
  void ready()
  const queued = async (): Promise<void> => {
    bus.publish('job.wake', { job: 'notifications' })
    await ready()
  }
  const delivery: RunningJob = startJob(deps, {
    name: 'notifications',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: () => nextDueMs(records),
    async run(signal) {
      while (!signal.aborted && (await deliverDue(deps, signal)) > 0);
      return 'done'
    },
  })
  const evaluation = startJob(deps, {
    name: 'alerts',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: async () => dueNow(await hasPendingChanges(records)),
    async run(signal) {
      while (!signal.aborted && (await evaluateChanges(deps)) > 0) await queued()
      return 'done'
    },
  })
  const workflow = startJob(deps, {
    name: 'workflow',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: async () => dueNow(await hasUntoldChanges(records)),
    async run(signal) {
      while (!signal.aborted && (await tellChanges(deps)) > 0) await queued()
      return 'done'
    },
  })
  const windows = startJob(deps, {
    name: 'alert-windows',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: () => nextWindowMs(deps),
    async run(signal) {
      while (!signal.aborted && (await evaluateWindows(deps)) > 0) await queued()
      return 'done'
    },
  })
  let judgedMs = -Infinity
  const releases = startJob(deps, {
    name: 'release-verdicts',
    lookEveryMs: LOOK_EVERY_MS,
    async dueMs() {
      const leftMs = judgedMs + JUDGE_EVERY_MS - steadyMs(clock)
      return (await hasReleaseRules(deps)) ? clock.nowMs() + leftMs : undefined
    },
    async run(signal) {
      judgedMs = steadyMs(clock)
      if ((await judgeReleases(deps, signal)) > 0) await queued()
      return 'done'
    },
  })
  const archive = startJob(deps, {
    name: 'archived-issues',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: () => nextWakeMs(deps),
    async run(signal) {
      while (!signal.aborted) {
        const { looked, woken } = await wakeIssues(deps)
        if (looked === 0) break
        if (woken.length === 0) continue
        const issues = woken.map(({ id }) => id)
        const projects = [...new Set(woken.map(({ projectId }) => projectId))]
        bus.publish('issues.changed', { projects, issues, created: [], regressed: [] })
        evaluation.wake()
      }
      return 'done'
    },
  })
  let learnedHour: number | undefined
  const hourNow = (): number => Math.floor(clock.nowMs() / HOUR_MS)
  const spikes = startJob(deps, {
    name: 'spikes',
    lookEveryMs: LOOK_EVERY_MS,
    async dueMs() {
      if (learnedHour === undefined || learnedHour !== hourNow()) return 0
      return Math.min((learnedHour + 1) * HOUR_MS, (await nextSpikeMs(deps)) ?? Infinity)
    },
    async run(signal) {
      const hour = hourNow()
      if (learnedHour !== hour) {
        await learnRates(deps, signal)
        if (!signal.aborted) learnedHour = hour
      }
      if ((await tellSpikes(deps)) > 0) await queued()
      return 'done'
    },
  })
  const { logger, publicUrl, channels } = deps
  const trackers = startJob(deps, {
    name: 'trackers',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: () => nextRequestMs(records),
    async run(signal) {
      const own = { records, clock, logger, publicUrl, trackers: channels }
      while (!signal.aborted && (await syncLinks(own, signal)) > 0);
      return 'done'
    },
  })
  const accountMail = startJob(deps, {
    name: 'account-mail',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: () => nextAccountMailMs(records),
    async run(signal) {
      while (!signal.aborted && (await sendAccountMail(deps, signal)) > 0);
      return 'done'
    },
  })
  const uptime = startJob(deps, {
    name: 'uptime',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: () => nextUptimeWorkMs(deps),
    async run(signal) {
      if ((await runChecks(deps, signal)) > 0) await queued()
      return 'done'
    },
  })
  const crons = startJob(deps, {
    name: 'crons',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: () => nextCronWorkMs(deps),
    async run(signal) {
      if ((await judgeMonitors(deps, signal)) > 0) await queued()
      return 'done'
    },
  })
  const statusPages = startJob(deps, {
    name: 'status-pages',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: async () => dueNow(await hasUntoldUpdates(records)) ?? nextStatusWorkMs(deps),
    async run(signal) {
      while (!signal.aborted && (await followMonitors(deps)) > 0);
      while (!signal.aborted && (await queueStatusMail(deps)));
      statusMail.wake()
      return 'done'
    },
  })
  // Apart from the above: a slow mail server does not keep a page from telling what happens.
  const statusMail = startJob(deps, {
    name: 'status-mail',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: () => nextStatusMailMs(records),
    async run(signal) {
      while (!signal.aborted && (await sendStatusMail(deps, signal)) > 0);
      return 'done'
    },
  })
  const unsubscribe = bus.subscribe('issues.changed', ({ created, regressed }) => {
    if (created.length + regressed.length > 0) evaluation.wake()
  })
  return {
    async stop() {
      unsubscribe()
      await evaluation.stop()
      await workflow.stop()
      await windows.stop()
      await releases.stop()
      await archive.stop()
      await spikes.stop()
      await uptime.stop()
      await crons.stop()
      await statusPages.stop()
      await statusMail.stop()
      await delivery.stop()
      await trackers.stop()
      await accountMail.stop()
    },
  }
}

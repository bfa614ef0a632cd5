/** Agents, models, tools and conversations on the real engine. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { aiConversations, aiUsage, conversationSteps } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { spanIdOf, START_MS, traceFixture } from '../trace-fixture.ts'

const TRACE = 'e'.repeat(32)
const LONE = 'f'.repeat(32)
const byText = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : 1)
const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }

describe('AI agents', () => {
  let harness: Harness
  let shop: ProjectGrant
  let other: ProjectGrant
  before(async () => {
    harness = await openHarness()
    const org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    other = await harness.project(org, 'api')
    const talk = { 'gen_ai.conversation.id': 'talk-1', 'gen_ai.agent.name': 'Weather' }
    const model = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.response.model': 'gpt-x-1',
    }
    await traceFixture(harness, TRACE, shop.projectId).spans([
      {
        spanId: spanIdOf(1),
        op: 'gen_ai.invoke_agent',
        name: 'invoke_agent Weather',
        durationMs: 900,
        attributes: { ...talk, 'gen_ai.usage.input_tokens': 300, 'gen_ai.usage.output_tokens': 70 },
      },
      {
        spanId: spanIdOf(2),
        parentSpanId: spanIdOf(1),
        startMs: START_MS + 1,
        op: 'gen_ai.chat',
        durationMs: 400,
        attributes: {
          ...talk,
          ...model,
          'gen_ai.input.messages': '[{"role":"user","content":"Rain?"}]',
          'gen_ai.usage.input_tokens': 200,
          'gen_ai.usage.input_tokens.cached': 100,
          'gen_ai.usage.output_tokens': 50,
          'gen_ai.usage.output_tokens.reasoning': 30,
        },
      },
      {
        spanId: spanIdOf(3),
        parentSpanId: spanIdOf(1),
        startMs: START_MS + 2,
        op: 'gen_ai.execute_tool',
        name: 'execute_tool forecast',
        durationMs: 20,
        status: 'internal_error',
        attributes: {
          ...talk,
          'gen_ai.tool.name': 'forecast',
          'gen_ai.tool.call.arguments': '{"city":"Wien"}',
          'gen_ai.tool.call.result': 'sunny',
        },
      },
      {
        spanId: spanIdOf(4),
        startMs: START_MS + 3,
        op: 'gen_ai.chat',
        durationMs: 100,
        attributes: { ...talk, ...model, 'gen_ai.usage.input_tokens': 100, 'gen_ai.cost.total_tokens': 0.5 },
      },
    ])
    await traceFixture(harness, LONE, shop.projectId).spans([
      // As Vercel's AI SDK sends it through Sentry's: without an op.
      { op: 'default', attributes: { 'gen_ai.request.model': 'small', 'gen_ai.usage.prompt_tokens': 7 } },
      { op: 'db', attributes: {} },
    ])
  })
  after(() => harness.close())

  it('are summed up by agent, model and tool; tokens are those of models alone', async () => {
    const prices = [{ model: 'GPT-X*', input: 1000, output: 2000, cached: 100 }]
    const rows = await aiUsage(harness.deps, shop, WINDOW, prices)
    const short = rows.map(({ kind, name, calls, failureRate }) => [kind, name, calls, failureRate])
    assert.deepEqual(short.toSorted(byText), [
      ['agent', 'Weather', 1, 0],
      ['model', 'gpt-x-1', 2, 0],
      ['model', 'small', 1, 0],
      ['tool', 'forecast', 1, 1],
    ])
    const model = rows.find(({ name }) => name === 'gpt-x-1')
    assert.ok(model)
    const { inputTokens, cachedTokens, outputTokens, reasoningTokens, cost, provider } = model
    assert.deepEqual(
      [inputTokens, cachedTokens, outputTokens, reasoningTokens, provider],
      [300, 100, 50, 30, 'openai'],
    )
    // What was sent, and (100 × 1000 + 100 × 100 + 50 × 2000) / 1,000,000 of the call without a cost.
    assert.ok(Math.abs((cost ?? 0) - 0.71) < 1e-9)
    assert.equal(rows.find(({ name }) => name === 'small')?.cost, undefined)
    assert.equal(rows.find(({ kind }) => kind === 'agent')?.inputTokens, 0)
    assert.deepEqual(await aiUsage(harness.deps, other, WINDOW, []), [])
  })

  it('list conversations, and runs without one by their trace', async () => {
    const list = await aiConversations(harness.deps, shop, WINDOW)
    const talk = list.find(({ conversation }) => conversation === 'talk-1')
    assert.ok(talk)
    assert.equal(list.length, 2)
    assert.deepEqual(
      [talk.trace, talk.agent, talk.turns, talk.modelCalls, talk.toolCalls, talk.failed, talk.inputTokens],
      [TRACE, 'Weather', 1, 2, 1, 1, 300],
    )
    assert.equal(list.find(({ conversation }) => conversation === '')?.trace, LONE)
  })

  it('show each step of one in its order, with what went in and came out', async () => {
    const ref = { conversation: 'talk-1' }
    const { steps, hasMore } = await conversationSteps(harness.deps, shop, WINDOW, ref)
    assert.equal(hasMore, false)
    assert.deepEqual(
      steps.map(({ kind, name }) => [kind, name]),
      [
        ['agent', 'Weather'],
        ['model', 'gpt-x-1'],
        ['tool', 'forecast'],
        ['model', 'gpt-x-1'],
      ],
    )
    assert.deepEqual(
      [steps[2]?.input, steps[2]?.output, steps[2]?.isFailed],
      ['{"city":"Wien"}', 'sunny', true],
    )
    assert.equal((await conversationSteps(harness.deps, shop, WINDOW, { trace: LONE })).steps.length, 1)
    assert.equal((await conversationSteps(harness.deps, other, WINDOW, ref)).steps.length, 0)
  })
})

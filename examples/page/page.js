/** What the buttons do. The reporter was started by its tag; `Sonde` is only needed to say something oneself. */
const said = document.getElementById('said')
const say = (text) => (said.textContent = text)

function priceOf(order) {
  return order.lines.reduce((sum, line) => sum + line.price, 0)
}

const actions = {
  throw() {
    say('An error was thrown.')
    priceOf({})
  },
  reject() {
    say('A promise was rejected, and nobody caught it.')
    void Promise.reject(new Error('The newsletter could not be ordered'))
  },
  fetch() {
    void fetch('/missing.json').then(({ status }) =>
      say(`The server answered ${status}; it is a breadcrumb of the next error.`),
    )
  },
  navigate() {
    const next = Number(new URLSearchParams(location.search).get('view') ?? 1) + 1
    history.pushState({}, '', `?view=${next}`)
    document.getElementById('view').textContent = `View ${next}`
    say('A navigation without loading a page.')
  },
  slow() {
    const endMs = performance.now() + 350
    while (performance.now() < endMs);
    say('That took 350 ms.')
  },
  message() {
    Sonde.captureMessage('Somebody pressed the last button', 'info')
    say('A message was sent.')
  },
}

for (const [id, action] of Object.entries(actions))
  document.getElementById(id).addEventListener('click', action)
addEventListener('popstate', () => {
  document.getElementById('view').textContent =
    `View ${new URLSearchParams(location.search).get('view') ?? 1}`
})

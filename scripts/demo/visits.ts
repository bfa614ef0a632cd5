/** What visitors do. Each is a short story; some end badly, because the shop is broken there on purpose. */
import type { Visitor } from './visitor.ts'

export type Visit = (visitor: Visitor, shopUrl: string) => Promise<void>

const PRODUCTS = [
  'Kestrel gooseneck',
  'Heron ceramic',
  'Burr One',
  'Sand cup',
  'Moss French',
  'Harbour stovetop',
  'Burr Two',
]
const CATEGORIES = ['kettles', 'brewing', 'grinders', 'cups', 'coffee']
const pick = (list: readonly string[], index: number): string => list[index % list.length] as string

const arrive = async (visitor: Visitor, url: string): Promise<void> => {
  await visitor.page.goto(url)
  await visitor.page
    .getByRole('heading', { level: 1 })
    .waitFor()
    .catch(() => undefined)
  await visitor.think()
}

/** From the start page over two categories to a product, and back. */
const browse =
  (index: number): Visit =>
  async (visitor, url) => {
    await arrive(visitor, url)
    for (const step of [0, 1]) {
      await visitor.press(new RegExp(`^${pick(CATEGORIES, index + step)}$`, 'i'))
      await visitor.think()
    }
    // Looks at more than is wanted: what is fetched ahead for these is for nobody.
    for (const card of [1, 2, 3].slice(index % 3))
      await visitor.page
        .locator('.card a')
        .nth(card)
        .hover()
        .catch(() => undefined)
    await visitor.page
      .locator('.card a')
      .first()
      .click()
      .catch(() => undefined)
    await visitor.think()
    await visitor.page.goBack().catch(() => undefined)
    await visitor.think()
  }

/** From a product through the cart to the till. `card` decides whether the payment goes through. */
const buy =
  (index: number, card: string): Visit =>
  async (visitor, url) => {
    await arrive(visitor, url)
    await visitor.press(new RegExp(pick(PRODUCTS, index)))
    await visitor.think()
    if (!(await visitor.press('Add to cart'))) return
    await visitor.think()
    // Slow on purpose: each press searches for a delivery date.
    await visitor.press(/ more$/)
    await visitor.press(/ more$/)
    await visitor.think()
    await visitor.press('Check out')
    const { page } = visitor
    await page.getByLabel('Name').fill('A. Visitor')
    await page.getByLabel('Card number').fill(card)
    await page.getByLabel('Street and town').fill('1 Harbour Road, Lisbon')
    await visitor.press(/^Pay/)
    await page.getByText(/Thank you|did not go through/).waitFor()
    await visitor.think()
  }

/** Its API answers after more than two seconds, and not everybody waits. */
const slowProduct =
  (waits: boolean): Visit =>
  async (visitor, url) => {
    await arrive(visitor, `${url}/c/brewing`)
    await visitor.press(/Slow drip tower/)
    if (waits) await visitor.page.getByRole('button', { name: 'Add to cart' }).waitFor()
    else await visitor.press(/^kettles$/i)
    await visitor.think()
  }

const reviewsThatFail: Visit = async (visitor, url) => {
  await arrive(visitor, `${url}/c/coffee`)
  await visitor.page.locator('.card a').first().click()
  await visitor.page.getByText('cannot be shown').waitFor()
  await visitor.think()
}

/** The product page trusts in something that this product does not have. */
const productThatBreaks: Visit = async (visitor, url) => {
  await arrive(visitor, `${url}/c/cups`)
  await visitor.press(/Crane mug/)
  await visitor.page.getByText('Something broke').waitFor()
  await visitor.press('To the shop')
  await visitor.think()
}

/** A page whose data never comes: longer than the reporter calls it hung, then the person leaves. */
const invoicesThatHang: Visit = async (visitor, url) => {
  await arrive(visitor, `${url}/account`)
  if (!(await visitor.press('Invoices'))) return
  await visitor.page.waitForTimeout(6_000)
}

const notFound: Visit = async (visitor, url) => {
  await arrive(visitor, url)
  await visitor.press(/espresso machine/)
  await visitor.page.getByText('Not on our shelves').waitFor()
  await visitor.press('To the shop')
  await visitor.think()
}

/** Rendered on the server; who is quick presses before the page answers. */
const openingHours =
  (isQuick: boolean): Visit =>
  async ({ page, think, press }, url) => {
    await page.goto(`${url}/opening`, { waitUntil: isQuick ? 'commit' : 'load' })
    await press(/come by/)
    await think()
    await press(/come by/)
    await think()
  }

const search =
  (index: number): Visit =>
  async (visitor, url) => {
    await arrive(visitor, url)
    await visitor.page
      .getByRole('searchbox')
      .pressSequentially(pick(['kettle', 'grinder', 'tea'], index), { delay: 40 })
    await visitor.think()
    await visitor.page
      .locator('.card a')
      .first()
      .click()
      .catch(() => undefined)
    await visitor.think()
  }

/** Which story the `index`th visit of a release is. The newest release breaks more often: somebody should notice. */
export function visitOf(index: number, isNewest: boolean): Visit {
  const declined = buy(index + 2, '4000 0000 0000 0002')
  const common = [
    buy(index, '4242 4242 4242 4242'),
    reviewsThatFail,
    browse(index),
    declined,
    slowProduct(true),
    openingHours(index % 2 === 0),
    search(index),
    notFound,
    browse(index + 3),
    slowProduct(false),
  ]
  const stories = isNewest
    ? [productThatBreaks, declined, browse(index), invoicesThatHang, productThatBreaks, ...common]
    : common
  return stories[index % stories.length] as Visit
}

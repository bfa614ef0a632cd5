import { captureException } from '@sonde/browser'
import { useEffect, useState } from 'react'
import { type LoaderFunctionArgs, useLoaderData, useNavigate } from 'react-router'
import { euros, get, post, type Product, type Review } from '../api.ts'
import { ProductCard } from '../ui/product-card.tsx'

export async function loader({ params, request }: LoaderFunctionArgs) {
  return { product: await get<Product>(`/api/products/${params['product']}`, request.signal) }
}

export function Component() {
  const { product } = useLoaderData<typeof loader>()
  const navigate = useNavigate()
  const [isAdding, setAdding] = useState(false)
  const add = async (): Promise<void> => {
    setAdding(true)
    await post('/api/cart', { id: product.id, count: 1 })
    await navigate('/cart')
  }
  return (
    <>
      <section className="product">
        <img src={`/api/products/${product.id}/picture`} alt={product.name} width="400" height="400" />
        <div>
          <p className="crumb">{product.category}</p>
          <h1>{product.name}</h1>
          <p className="lead">{product.text}</p>
          <p className="price">{euros(product.price)}</p>
          <button className="buy" disabled={isAdding} onClick={() => void add()}>
            {isAdding ? 'Adding…' : 'Add to cart'}
          </button>
          <Care product={product} />
        </div>
      </section>
      <Reviews key={product.id} product={product} />
      <Recommended />
    </>
  )
}

/** On purpose: trusts that every product has care instructions. One has none. */
function Care({ product }: { readonly product: Product }) {
  return (
    <dl className="care">
      <dt>Made of</dt>
      <dd>{product.care.material}</dd>
      <dt>Dishwasher</dt>
      <dd>{product.care.dishwasher ? 'yes' : 'by hand, please'}</dd>
    </dl>
  )
}

function Reviews({ product }: { readonly product: Product }) {
  const [reviews, setReviews] = useState<readonly Review[] | 'failed'>()
  useEffect(() => {
    const gone = new AbortController()
    get<Review[]>(`/api/products/${product.id}/reviews`, gone.signal).then(setReviews, (error: unknown) => {
      if (gone.signal.aborted) return
      setReviews('failed')
      captureException(error, { tags: { part: 'reviews' } })
    })
    return () => gone.abort()
  }, [product.id])
  return (
    <section className="reviews">
      <h2>
        What others say{' '}
        <span>
          ★ {product.rating.toFixed(1)} from {product.ratings}
        </span>
      </h2>
      {reviews === 'failed' && <p className="empty">The reviews cannot be shown at the moment.</p>}
      {Array.isArray(reviews) &&
        reviews.map(({ by, stars, text }) => (
          <blockquote key={by}>
            <p>{text}</p>
            <cite>
              {by}, {'★'.repeat(stars)}
            </cite>
          </blockquote>
        ))}
    </section>
  )
}

function Recommended() {
  const [products, setProducts] = useState<readonly Product[]>([])
  useEffect(() => {
    const gone = new AbortController()
    // Nice to have: when it fails nobody needs to see it.
    get<Product[]>('/api/recommendations', gone.signal).then(setProducts, () => undefined)
    return () => gone.abort()
  }, [])
  if (products.length === 0) return null
  return (
    <section>
      <h2>Goes well with it</h2>
      <div className="grid">
        {products.map((product) => (
          <ProductCard key={product.id} product={product} />
        ))}
      </div>
    </section>
  )
}

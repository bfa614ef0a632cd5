import { euros, type Product } from '../api.ts'
import { WarmLink } from './warm-link.tsx'

export function ProductCard({
  product,
  eager = false,
}: {
  readonly product: Product
  readonly eager?: boolean
}) {
  return (
    <article className="card">
      <WarmLink to={`/products/${product.id}`} chunk="product" data={`/api/products/${product.id}`}>
        <img
          src={`/api/products/${product.id}/picture`}
          alt=""
          width="400"
          height="400"
          loading={eager ? 'eager' : 'lazy'}
        />
        <h2>{product.name}</h2>
      </WarmLink>
      <p className="card-line">
        <span>{euros(product.price)}</span>
        <span className="stars" aria-label={`${product.rating} of 5`}>
          ★ {product.rating.toFixed(1)}
        </span>
      </p>
    </article>
  )
}

import { useState } from 'react'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { get, type Product } from '../api.ts'
import { ProductCard } from '../ui/product-card.tsx'
import { Promotion } from '../ui/promotion.tsx'

export async function loader({ params, request }: LoaderFunctionArgs) {
  const { category } = params
  const { products } = await get<{ products: Product[] }>(
    `/api/products${category ? `?category=${encodeURIComponent(category)}` : ''}`,
    request.signal,
  )
  return { category, products }
}

export function Component() {
  const { category, products } = useLoaderData<typeof loader>()
  const [words, setWords] = useState('')
  const found = products.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase()))
  return (
    <>
      {!category && <Promotion />}
      <section className="hero">
        <h1>{category ?? 'For slow mornings'}</h1>
        <label className="search">
          <span>Search</span>
          <input
            type="search"
            value={words}
            onChange={(event) => setWords(event.target.value)}
            placeholder="kettle, grinder…"
          />
        </label>
      </section>
      {found.length === 0 && <p className="empty">Nothing is called that. Try fewer letters.</p>}
      <div className="grid">
        {found.map((product, index) => (
          <ProductCard key={product.id} product={product} eager={index < 4} />
        ))}
      </div>
    </>
  )
}

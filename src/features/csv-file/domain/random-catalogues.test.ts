import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { tidyLine } from '#domain/typed-text.ts';
import type { ProductInput } from '#domain/admin/products/product-input.ts';
import { plainText } from './plain-text.ts';
import { fileOf, readFile, type Row } from '#tests/features/csv-file/read-file.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

/* A random catalogue, written in the form of each source, is read back as it was. */

interface Made extends Pick<ProductInput, 'name' | 'description' | 'price' | 'hidden'> {
  offer: number | null;
  sizes: { size: string; stock: number }[];
  stock: number;
  images: number;
}
const word = fc.stringMatching(/^[A-Za-zഅ-ഹ]{1,9}$/u);
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
const made: fc.Arbitrary<Made[]> = fc.uniqueArray(
  fc.record({
    name: words.map(tidyLine),
    description: fc.array(words, { maxLength: 3 }).map((lines) => lines.join('\n')),
    price: fc.integer({ min: 200, max: 100_000_000 }),
    offer: fc.option(fc.integer({ min: 1, max: 199 })),
    sizes: fc.uniqueArray(
      fc.record({ size: fc.stringMatching(/^[A-Z0-9]{1,6}$/u), stock: fc.nat(500) }),
      { selector: ({ size }) => size.toLowerCase(), minLength: 0, maxLength: 4 },
    ),
    stock: fc.nat(500),
    hidden: fc.boolean(),
    images: fc.nat(3),
  }),
  { selector: ({ name }) => name.toLowerCase(), minLength: 1, maxLength: 6 },
);

const rupees = (paise: number): string => (paise / 100).toFixed(2);
const html = (text: string): string =>
  text === '' ? '' : `<p>${text.replaceAll('\n', '<br>')}</p>`;
const imagesOf = ({ images }: Made, at: number): string[] =>
  Array.from(
    { length: images },
    (_, place) => `https://old.example/${String(at)}-${String(place)}.jpg`,
  );
const variantsOf = ({ sizes, stock }: Made) => (sizes.length === 0 ? [{ size: '', stock }] : sizes);

const writers: Readonly<Record<string, (products: readonly Made[]) => Row[]>> = {
  Shopify: (products) =>
    products.flatMap((product, at) => {
      const rows = variantsOf(product).map(({ size, stock }): Row => ({
        'URL handle': `p-${String(at)}`,
        'Option1 value': size === '' ? 'Default Title' : size,
        Price: rupees(product.offer ?? product.price),
        'Compare-at price': product.offer === null ? '' : rupees(product.price),
        'Inventory tracker': 'shopify',
        'Inventory quantity': String(stock),
      }));
      const images = imagesOf(product, at).map((address, place): Row => ({
        'URL handle': `p-${String(at)}`,
        'Product image URL': address,
        'Image position': String(place + 1),
      }));
      const [first = {}, ...others] = rows;
      return [
        {
          ...first,
          Title: product.name,
          Description: html(product.description),
          Type: 'Rings',
          Status: product.hidden ? 'draft' : 'active',
          'Published on online store': 'true',
        },
        ...others,
        ...images,
      ];
    }),
  WooCommerce: (products) =>
    products.flatMap((product, at) => {
      const shared = { Published: product.hidden ? '-1' : '1', 'Visibility in catalog': 'visible' };
      const prices = {
        'Regular price': rupees(product.price),
        'Sale price': product.offer === null ? '' : rupees(product.offer),
      };
      const parent = {
        ...shared,
        ...(product.sizes.length === 0 ? { ...prices, Stock: String(product.stock) } : {}),
        ID: String(at + 1),
        SKU: `sku-${String(at)}`,
        Type: product.sizes.length === 0 ? 'simple' : 'variable',
        Name: product.name,
        Description: product.description.replaceAll('\n', '\\n'),
        Categories: 'Rings',
        Images: imagesOf(product, at).join(', '),
        Parent: '',
      };
      return [
        parent,
        ...product.sizes.map(({ size, stock }, place) => ({
          ...shared,
          ...prices,
          ID: `${String(at + 1)}00${String(place)}`,
          Type: 'variation',
          Parent: `sku-${String(at)}`,
          Stock: String(stock),
          'Attribute 1 value(s)': size,
        })),
      ];
    }),
  'a catalogue of Meta or Google': (products) =>
    products.flatMap((product, at) =>
      variantsOf(product).map(({ size, stock }, place) => ({
        id: `${String(at)}-${String(place)}`,
        item_group_id: `g${String(at)}`,
        title: product.name,
        description: product.description,
        price: `${rupees(product.price)} INR`,
        sale_price: product.offer === null ? '' : `${rupees(product.offer)} INR`,
        link: `https://old.example/p/${String(at)}`,
        image_link: imagesOf(product, at)[0] ?? '',
        additional_image_link: imagesOf(product, at).slice(1).join(','),
        size,
        product_type: 'Rings',
        inventory: String(stock),
        availability: 'in stock',
        status: product.hidden ? 'archived' : 'active',
      })),
    ),
};

test.each(Object.keys(writers))(
  'a random catalogue in a file of %s is read back as it was',
  (source) => {
    fc.assert(
      fc.property(made, (products) => {
        const result = readFile(fileOf(writers[source]?.(products) ?? []));
        expect(result.source).toBe(source);
        expect(result.plan.faults).toEqual([]);
        expect(result.plan.added.map(({ product }) => product)).toMatchObject(
          products.map((product, at) => ({
            name: product.name,
            description: plainText(product.description),
            category: 'rings',
            price: product.price,
            offerPrice: product.offer,
            sizes: product.sizes,
            stock:
              product.sizes.length === 0
                ? product.stock
                : product.sizes.reduce((sum, { stock }) => sum + stock, 0),
            hidden: product.hidden,
            images: imagesOf(product, at),
          })),
        );
      }),
      { numRuns: 60 },
    );
  },
);

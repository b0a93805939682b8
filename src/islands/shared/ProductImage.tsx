import { imageAddress, isResizable, placeholderImage, sizedImage } from '#domain/image.ts';
import * as environment from '#services/environment.ts';

interface ProductImageProps {
  /** The product's image entry: a path or an address. */
  entry: string | undefined;
  /** Shown width in CSS pixels; twice as many are fetched, for sharp screens. */
  width: number;
  className?: string;
}

/** A small square image of a product. Its name stands beside it, so its `alt` is empty. */
export function ProductImage({ entry, width, className = '' }: ProductImageProps) {
  const address = imageAddress(entry, environment.supabaseUrl);
  return (
    <picture className={`block shrink-0 bg-tile ${className}`}>
      {isResizable(address) ? (
        <source srcSet={sizedImage(address, width * 2, 'avif')} type="image/avif" />
      ) : null}
      <img
        className="aspect-square w-full object-cover"
        src={sizedImage(address, width * 2, 'webp')}
        width={width}
        height={width}
        alt=""
        decoding="async"
        onError={(event) => {
          const image = event.currentTarget;
          if (image.src.endsWith(placeholderImage)) return;
          // The sources go first: a browser would choose them again.
          for (const source of image.parentElement?.querySelectorAll('source') ?? [])
            source.remove();
          image.src = placeholderImage;
        }}
      />
    </picture>
  );
}

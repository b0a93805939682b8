import { categories } from '#settings/categories.ts';
import type { Attributes } from '#domain/catalogue/attributes.ts';
import { scaleForms, type BodyForm, type Box } from './scale-forms.ts';
import type { Category } from '#domain/catalogue/category.ts';

/** A line with a measure beside it, from end to end as long as the measure. */
export interface MeasureLine {
  from: readonly [x: number, y: number];
  to: readonly [x: number, y: number];
  text: string;
}

/** A product drawn on an ear, neck, finger or wrist. Every length is in millimetres. */
export interface ScaleDrawing {
  view: Box;
  body: BodyForm;
  /** The area that the product covers, as worn. */
  product: Box;
  /** The product's outline, as a path. */
  outline: string;
  /** The outline is a line, not a shape: a necklace is open. */
  isOpen: boolean;
  lines: readonly [height: MeasureLine, width: MeasureLine];
  /** Height of the figures beside the lines. */
  textSize: number;
  /** The drawing in words, for readers who do not see it. */
  description: string;
}

/** The drawing of a product whose height and width are known, else null. */
export function scaleDrawing(
  category: Category,
  { height_mm: height, width_mm: width }: Attributes,
): ScaleDrawing | null {
  if (height === undefined || width === undefined || height <= 0 || width <= 0) return null;
  const settings = categories.find(({ slug }) => slug === category);
  if (settings === undefined) return null;
  const form = scaleForms[settings.wornOn];
  const { body, crop } = form;
  const top = form.top(height);
  const product = { x: form.middle - width / 2, y: top, width, height };
  const reach = Math.max(crop.width, crop.height);
  const gap = Math.round(reach / 28);
  const textSize = Math.round(reach / 17);
  const right = Math.max(product.x + width, form.edge) + gap;
  const bottom = top + height + gap;
  const lines = [
    { from: [right, top], to: [right, top + height], text: `${String(height)} mm` },
    { from: [product.x, bottom], to: [product.x + width, bottom], text: `${String(width)} mm` },
  ] as const;
  return {
    view: around(crop, {
      x: product.x - gap,
      y: top - gap,
      width: right + textSize * 4.5 - product.x + gap,
      height: height + 2 * gap + textSize * 1.5,
    }),
    body,
    product,
    outline: form.outline(product),
    isOpen: form.isOpen,
    lines,
    textSize,
    description: `The ${settings.one} drawn to scale ${body.where}: ${String(height)} mm high and ${String(width)} mm wide.`,
  };
}

/** The smallest box around two. */
function around(one: Box, other: Box): Box {
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}

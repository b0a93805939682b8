import type { WornOn } from '#shop-schema/shop-schema.ts';

/** A rectangle in millimetres; y points down. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A part of the body in its average size, as paths in millimetres. */
export interface BodyForm {
  /** 'on an ear of 62 mm' */
  where: string;
  /** Filled shapes, drawn as one silhouette. */
  shapes: readonly string[];
  /** Lines inside the silhouette. */
  lines: readonly string[];
}

interface ScaleForm {
  body: BodyForm;
  /** The visible part of the body. */
  crop: Box;
  /** Where the middle of the product is, and the right edge of the body beside it. */
  middle: number;
  edge: number;
  /** Where a product of this height begins. */
  top: (height: number) => number;
  outline: (product: Box) => string;
  isOpen: boolean;
}

const n = (value: number): string => String(Math.round(value * 10) / 10);

/** A finger with a round tip, from its root at (x, y), leaning by `degrees` to the right. */
function finger(x: number, y: number, degrees: number, length: number, root: number, tip: number) {
  const angle = (degrees / 180) * Math.PI;
  const at = (along: number, across: number) =>
    `${n(x + Math.sin(angle) * along + Math.cos(angle) * across)} ${n(y - Math.cos(angle) * along + Math.sin(angle) * across)}`;
  const straight = length - tip;
  return `M${at(-14, -root)}L${at(straight, -tip)}A${n(tip)} ${n(tip)} 0 0 1 ${at(straight, tip)}L${at(-14, root)}Z`;
}

/** The back of a left hand with its forearm; the wrist is 52 mm wide and lies at y = 0. */
const hand = [
  'M-46 200C-38 110-29 45-26 0C-30-20-34-46-31-84C-20-92 22-92 33-76C35-48 30-22 26 0C29 45 38 110 46 200Z',
  'M-25-4C-38-22-46-42-50-62C-53-76-54-86-50-92C-46-96-41-93-40-87C-38-76-35-62-24-48Z',
  finger(-22.5, -82, -5, 78, 8.8, 6.6),
  finger(-5.5, -86, -1, 87, 9, 6.8),
  finger(11.5, -82, 3, 80, 8.5, 6.4),
  finger(26, -74, 9, 63, 7.6, 5.6),
];

/** A left foot seen from above; the ball is 98 mm wide. */
const foot = [
  'M-40 170C-42 100-52 50-49-6C-47-34-24-48 8-52C34-55 50-44 49-16C50 40 38 100 36 170Z',
  finger(34, -38, 3, 52, 14.5, 12.5),
  finger(10, -44, -1, 50, 9, 7.8),
  finger(-8.5, -40, -5, 44, 8.6, 7.2),
  finger(-25, -31, -9, 38, 8.2, 6.8),
  finger(-39, -18, -14, 31, 8, 6.2),
];

/** A leg with its foot, from the front; the ankle is 66 mm wide and narrowest at y = 0. */
const ankle = [
  'M-56-170C-50-100-38-50-33 0C-30 20-40 30-41 46C-42 62-50 88-54 112C-57 134-40 142 0 142C40 142 57 134 54 112C50 88 42 62 41 46C40 30 30 20 33 0C38-50 50-100 56-170Z',
];

const ear: BodyForm = {
  where: 'on an ear of 62 mm',
  shapes: [
    'M-140-140L-24-140C-14-112-12-88-14-62C-14-40-15-20-12 8C-16 34-40 62-140 86Z',
    'M-13-8C-18-22-22-38-14-50C-6-61 10-62 17-50C24-38 18-26 13-18C9-11 9-5 6 2C3 9-6 11-10 5C-13 1-12-3-13-8Z',
  ],
  lines: [
    'M-11-34C-12-46-3-54 6-51C15-47 14-34 9-25',
    'M-6-39C0-45 8-41 6-32C4-24-1-24-1-17C-1-12-7-10-10-15C-11-18-8-21-9-25',
  ],
};

const neck: BodyForm = {
  where: 'on a neck of 108 mm',
  shapes: [
    'M-56-240C-52-150-54-80-60-52C-72-34-120-18-160-6C-180 4-200 30-210 60L-210 400L210 400L210 60C200 30 180 4 160-6C120-18 72-34 60-52C54-80 52-150 56-240Z',
  ],
  lines: [
    'M-132 6C-96 0-52-2-18 12C-14 14-10 19-8 24',
    'M132 6C96 0 52-2 18 12C14 14 10 19 8 24',
    'M-50-70C-40-40-26-10-14 8',
    'M50-70C40-40 26-10 14 8',
  ],
};

/** Height of the nape above the hollow of the throat: a necklace that is laid flat begins there. */
const nape = -122;
/** Where a necklace goes behind the neck. */
const shoulder = -44;

/** The part of a loop that lies in front of the neck. */
function loop({ x, y, width, height }: Box): string {
  const [rx, ry] = [width / 2, height / 2];
  const rise = Math.max(-0.98, Math.min(0.98, (shoulder - y - ry) / ry));
  const half = rx * Math.sqrt(1 - rise ** 2);
  const at = y + ry + rise * ry;
  const large = rise < 0 ? 1 : 0;
  return `M${n(x + rx - half)} ${n(at)}A${n(rx)} ${n(ry)} 0 ${n(large)} 0 ${n(x + rx + half)} ${n(at)}`;
}

const oval = ({ x, y, width, height }: Box): string =>
  `M${n(x)} ${n(y + height / 2)}a${n(width / 2)} ${n(height / 2)} 0 1 1 ${n(width)} 0a${n(width / 2)} ${n(height / 2)} 0 1 1 ${n(-width)} 0Z`;

/** A band that goes around a finger or a limb: its edges curve towards whoever looks at it. */
function band({ x, y, width, height }: Box): string {
  const sag = Math.min(width * 0.07, height * 0.45);
  const low = y + height;
  return `M${n(x)} ${n(y)}Q${n(x + width / 2)} ${n(y + 2 * sag)} ${n(x + width)} ${n(y)}L${n(x + width)} ${n(low - sag)}Q${n(x + width / 2)} ${n(low + sag)} ${n(x)} ${n(low - sag)}Z`;
}

/** A case on a strap, or a plate: straight edges with round corners. */
function plate({ x, y, width, height }: Box): string {
  const r = Math.min(height, width) / 5;
  return `M${n(x + r)} ${n(y)}h${n(width - 2 * r)}a${n(r)} ${n(r)} 0 0 1 ${n(r)} ${n(r)}v${n(height - 2 * r)}a${n(r)} ${n(r)} 0 0 1 ${n(-r)} ${n(r)}h${n(2 * r - width)}a${n(r)} ${n(r)} 0 0 1 ${n(-r)} ${n(-r)}v${n(2 * r - height)}a${n(r)} ${n(r)} 0 0 1 ${n(r)} ${n(-r)}Z`;
}

/** Thickness of a ring's shank, and how wide it is around a finger. */
const shank = { height: 2.2, width: 17 };

/** A flat ring is a band; another one is a head on the band that holds it. */
function ring(product: Box): string {
  const { x, y, width, height } = product;
  if (height < width * 0.3) return band(product);
  const middle = { x: x + width / 2, y: y + height / 2 };
  // The measures of a wide ring include its band, those of a high one are the head's.
  const head = Math.min(width, Math.max(height * 1.1, width * 0.45));
  const half = Math.max(width, shank.width) / 2;
  const [top, low] = [middle.y - shank.height / 2, middle.y + shank.height / 2];
  const inner = (head / 2) * Math.sqrt(Math.max(0, 1 - (shank.height / height) ** 2));
  const side = (sign: 1 | -1): string => {
    const [from, to] = [n(middle.x + sign * inner), n(middle.x + sign * half)];
    const bend = n(middle.x + (sign * (inner + half)) / 2);
    return `M${from} ${n(top)}Q${bend} ${n(top)} ${to} ${n(top - 1.2)}L${to} ${n(low - 1.2)}Q${bend} ${n(low)} ${from} ${n(low)}`;
  };
  return oval({ x: middle.x - head / 2, y, width: head, height }) + side(-1) + side(1);
}

/** Outline of a pendant: pointed above, round below. */
function pendant({ x, y, width, height }: Box): string {
  const [middle, low] = [x + width / 2, y + height - Math.min(width / 2, height * 0.4)];
  const round = y + height - low;
  return `M${n(middle)} ${n(y)}C${n(middle)} ${n(y + (low - y) * 0.6)} ${n(x)} ${n(y + (low - y) * 0.6)} ${n(x)} ${n(low)}A${n(width / 2)} ${n(round)} 0 0 0 ${n(x + width)} ${n(low)}C${n(x + width)} ${n(y + (low - y) * 0.6)} ${n(middle)} ${n(y + (low - y) * 0.6)} ${n(middle)} ${n(y)}Z`;
}

/** A stud of at most this height sits on the lobe, whose middle is at (0, 0); anything higher hangs from it. */
const maxStud = 22;

/** Across a finger or a wrist, centred on this height. */
const centredOn =
  (y: number) =>
  (height: number): number =>
    y - height / 2;

export const scaleForms: Readonly<Record<WornOn, ScaleForm>> = {
  ear: {
    body: ear,
    crop: { x: -34, y: -68, width: 96, height: 96 },
    middle: 0,
    edge: 14,
    top: (height) => (height <= maxStud ? -height / 2 : 0),
    outline: (product) => (product.width > product.height * 0.7 ? oval(product) : pendant(product)),
    isOpen: false,
  },
  neck: {
    body: neck,
    crop: { x: -130, y: -118, width: 260, height: 210 },
    middle: 0,
    edge: 0,
    top: () => nape,
    outline: loop,
    isOpen: true,
  },
  finger: {
    body: { where: 'on a finger of 17 mm', shapes: hand, lines: [] },
    crop: { x: -42, y: -158, width: 104, height: 100 },
    middle: 13,
    edge: 40,
    top: centredOn(-108),
    outline: ring,
    isOpen: false,
  },
  wrist: {
    body: { where: 'on a wrist of 52 mm', shapes: hand, lines: [] },
    crop: { x: -70, y: -86, width: 160, height: 150 },
    middle: 0,
    edge: 0,
    top: centredOn(14),
    outline: band,
    isOpen: false,
  },
  watch: {
    body: {
      where: 'on a wrist of 52 mm',
      shapes: hand,
      lines: ['M-27.5 5L27.5 5', 'M-28.6 23L28.6 23'],
    },
    crop: { x: -70, y: -86, width: 160, height: 150 },
    middle: 0,
    edge: 30,
    top: centredOn(14),
    outline: (product) =>
      Math.abs(product.height - product.width) < product.width / 5 ? oval(product) : plate(product),
    isOpen: false,
  },
  ankle: {
    body: { where: 'on an ankle of 66 mm', shapes: ankle, lines: [] },
    crop: { x: -80, y: -70, width: 190, height: 180 },
    middle: 0,
    edge: 0,
    top: centredOn(4),
    outline: band,
    isOpen: false,
  },
  toe: {
    body: { where: 'on a toe of 17 mm', shapes: foot, lines: [] },
    crop: { x: -58, y: -104, width: 130, height: 110 },
    middle: 10.5,
    edge: 52,
    top: centredOn(-66),
    outline: ring,
    isOpen: false,
  },
};

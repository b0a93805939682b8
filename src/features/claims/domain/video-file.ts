/*
 * The boxes of an MP4 or MOV file (ISO/IEC 14496-12): four bytes of length, four of type, then the content. WebM has none; of it
 * nothing is known here.
 */

/** Reads `length` bytes of a file from `at`; fewer at its end. */
type Read = (at: number, length: number) => Promise<Uint8Array>;

interface Box {
  type: string;
  at: number;
  /** The positions where its content begins and ends. */
  from: number;
  to: number;
}

/** More than a phone writes; a file that was made to load the shop has more. */
const maxBoxes = 500;

/** Adds the boxes between two places of a file, with those inside of `moov` and of its `trak`. Stops where there is none. */
async function addBoxes(
  boxes: Box[],
  read: Read,
  from: number,
  to: number,
  inside = '',
): Promise<void> {
  for (let at = from; at + 8 <= to && boxes.length < maxBoxes;) {
    const head = await read(at, 16);
    if (head.byteLength < 8) return;
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    const short = view.getUint32(0);
    const isLong = short === 1 && head.byteLength === 16;
    const bytes = isLong ? Number(view.getBigUint64(8)) : short === 0 ? to - at : short;
    const type = String.fromCodePoint(...head.subarray(4, 8));
    const box = { type, at, from: at + (isLong ? 16 : 8), to: at + bytes };
    if (box.to < box.from || box.to > to) return;
    boxes.push(box);
    if ((inside === '' && type === 'moov') || (inside === 'moov' && type === 'trak'))
      await addBoxes(boxes, read, box.from, box.to, type);
    at = box.to;
  }
}

async function boxesOf(read: Read, size: number): Promise<Box[]> {
  const boxes: Box[] = [];
  await addBoxes(boxes, read, 0, size);
  return boxes;
}

/** Boxes of what a phone notes beside the film: place, device, names. */
const noted = new Set(['udta', 'meta', 'uuid']);

/** A video without the place and the names that a phone wrote into it; its film, sound and size stay. WebM stays as it is. */
export async function withoutNotes(file: Blob): Promise<Blob> {
  const read: Read = async (at, length) =>
    new Uint8Array(await file.slice(at, at + length).arrayBuffer());
  const parts: BlobPart[] = [];
  let done = 0;
  for (const { type, at, from, to } of await boxesOf(read, file.size)) {
    if (!noted.has(type)) continue;
    // Empty space of the same size, which every player skips.
    parts.push(
      file.slice(done, at + 4),
      'free',
      file.slice(at + 8, from),
      new Uint8Array(to - from),
    );
    done = to;
  }
  return parts.length === 0 ? file : new Blob([...parts, file.slice(done)], { type: file.type });
}

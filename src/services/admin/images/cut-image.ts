import {
  isSquare,
  placement,
  turnedSize,
  type ImageEdit,
  type Size,
} from '#domain/admin/products/image-crop.ts';
import { decodeImage, ImageError } from '#services/images/prepare-image.ts';

/** The longest side of what comes out; `prepareImage` makes it smaller still when it is sent. */
const maxSide = 2_000;

/** An image that is being cut. `close` gives its memory back. */
export interface ImageCutter {
  size: Size;
  /** Draws it as the edit has it on a square canvas, `ground` being a CSS colour beside it. */
  draw: (canvas: HTMLCanvasElement, edit: ImageEdit, ground: string | null) => void;
  /** The square file that comes out. Throws ImageError when this browser cannot write one. */
  cut: (edit: ImageEdit, ground: string) => Promise<Blob>;
  close: () => void;
}

/** Decodes an image file to be cut. @throws ImageError */
export async function createImageCutter(file: Blob): Promise<ImageCutter> {
  const image = await decodeImage(file);
  const size = { width: image.width, height: image.height };
  const draw: ImageCutter['draw'] = (canvas, edit, ground) => {
    const brush = canvas.getContext('2d');
    if (!brush) return;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.clearRect(0, 0, canvas.width, canvas.height);
    if (ground !== null) {
      brush.fillStyle = ground;
      brush.fillRect(0, 0, canvas.width, canvas.height);
    }
    const { x, y, scale } = placement(size, edit, canvas.width);
    brush.imageSmoothingQuality = 'high';
    brush.translate(x, y);
    brush.rotate((edit.turns * Math.PI) / 2);
    brush.drawImage(
      image,
      (-size.width * scale) / 2,
      (-size.height * scale) / 2,
      size.width * scale,
      size.height * scale,
    );
    brush.setTransform(1, 0, 0, 1, 0, 0);
  };
  return {
    size,
    draw,
    cut: async (edit, ground) => {
      const { width, height } = turnedSize(size, edit.turns);
      const canvas = document.createElement('canvas');
      canvas.width = Math.min(maxSide, edit.whole ? Math.max(width, height) : edit.box.side);
      canvas.height = canvas.width;
      // JPEG has no transparency, which would come out black; what may be transparent stays so.
      const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp';
      draw(canvas, edit, edit.whole || type === 'image/jpeg' ? ground : null);
      const blob = await new Promise<Blob | null>((resolve) => {
        canvas.toBlob(resolve, type, 0.92);
      });
      if (blob === null)
        throw new ImageError(
          'This browser could not write the picture. Please cut it in the phone’s gallery first.',
        );
      return blob;
    },
    close: () => {
      if ('close' in image) image.close();
    },
  };
}

/** Whether the shop's square tiles would cut an image. False for a file that cannot be read: the upload reports why. */
export async function needsCut(file: Blob): Promise<boolean> {
  try {
    const image = await decodeImage(file);
    const { width, height } = image;
    if ('close' in image) image.close();
    return !isSquare({ width, height });
  } catch {
    return false;
  }
}

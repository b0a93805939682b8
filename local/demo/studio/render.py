"""Render finished product pictures:

    blender -b --python render.py -- NAME... [--preview] [--view N] [--samples N] [--out DIR] [--png]

NAME is a key of `PIECES` in one of models/*.py, or a module's name for all of its pieces. Each piece is
`"name": (build, [view, view])`, where build() adds objects and a view holds keyword arguments of studio.shoot; a view
may have its own `name` (the file's) and `size` (a number or (width, height)) and `format` ("webp", "jpg").
Writes NAME-1.webp, NAME-2.webp: rendered, cleaned of noise channel by channel (which keeps gold from bleeding into the
paper) and compressed at 86. --preview renders 420 px at 16 samples; --png keeps the raw picture as well.
"""
import argparse
import importlib.util
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

QUALITY = 86
CLEAN = (48, 3, 4.2)  # strength of the non-local means: from this many samples on, and below


def calm(picture):
    """Clean the paper and its soft shadows once more and harder; whatever has an edge or a colour stays as it is."""
    import cv2
    import numpy as np
    p = picture.astype(np.float32); soft, softer = cv2.GaussianBlur(p, (0, 0), 3), cv2.GaussianBlur(p, (0, 0), 9)
    chroma = soft / soft.mean(2, keepdims=True) - np.array((0.972, 1.005, 1.023), np.float32)  # the paper's, as BGR
    plain = np.exp(-(np.abs(chroma).max(2) / 0.035) ** 4) * np.exp(-(np.abs(soft - softer).max(2) / 7) ** 4)
    weight = cv2.GaussianBlur(cv2.erode(plain, np.ones((7, 7))), (0, 0), 3)[..., None]
    smooth = cv2.merge([cv2.fastNlMeansDenoising(c, None, 11, 5, 17) for c in cv2.split(picture)])
    smooth = cv2.GaussianBlur(smooth, (0, 0), 1.2).astype(np.float32)
    return (p * (1 - weight) + smooth * weight + 0.5).clip(0, 255).astype(np.uint8)


def finish(png, target, samples="64"):
    """Clean a rendered PNG and write it as `target` (WebP or JPEG, by its ending)."""
    import cv2
    picture, clean = cv2.imread(str(png)), CLEAN[1] if int(str(samples)) >= CLEAN[0] else CLEAN[2]
    picture = cv2.merge([cv2.fastNlMeansDenoising(c, None, clean, 5, 15) for c in cv2.split(picture)])
    if int(str(samples)) < CLEAN[0]:
        picture = calm(picture)
    kind = cv2.IMWRITE_JPEG_QUALITY if target.suffix == ".jpg" else cv2.IMWRITE_WEBP_QUALITY
    cv2.imwrite(str(target), picture, [kind, QUALITY])


def load_pieces():
    """All pieces, by name, with the module each comes from."""
    pieces = {}
    for path in sorted((HERE / "models").glob("*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, (build, views) in module.PIECES.items():
            pieces[name] = (path.stem, build, views)
    return pieces


def main(argv):
    import studio
    parser = argparse.ArgumentParser(prog="render.py", description=__doc__)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--preview", action="store_true")
    parser.add_argument("--view", type=int)
    parser.add_argument("--samples", type=int)
    parser.add_argument("--out", default="pictures")
    parser.add_argument("--png", action="store_true")
    args = parser.parse_args(argv)
    samples = args.samples or (16 if args.preview else 64)
    pieces = load_pieces()
    wanted = [n for n, (module, _, _) in pieces.items() if n in args.names or module in args.names]
    unknown = [n for n in args.names if n not in pieces and n not in {m for m, _, _ in pieces.values()}]
    if unknown:
        sys.exit(f"no such piece: {', '.join(unknown)}")
    out = pathlib.Path(args.out).resolve(); out.mkdir(parents=True, exist_ok=True)
    for name in wanted:
        _, build, views = pieces[name]
        for number, view in enumerate(views, 1):
            if args.view not in (None, number):
                continue
            start = time.time(); view = dict(view)
            stem, ending = view.pop("name", f"{name}-{number}"), view.pop("format", "webp")
            size = view.pop("size", 840)
            if args.preview:
                w, h = size if isinstance(size, tuple) else (size, size)
                k = (420 if w == h else 520) / max(w, h); size = (round(w * k), round(h * k))
            png, target = out / f"{stem}.png", out / f"{stem}.{ending}"
            studio.build_set()
            build()
            studio.shoot(str(png), size=size, samples=samples, **view)
            # a process of its own: Blender and OpenCV may carry the same libraries in two versions
            subprocess.run(["/usr/bin/python3", __file__, "--finish", str(png), str(target), str(samples)], check=True)
            if not args.png:
                png.unlink()
            print(f"RENDERED {target.name} in {time.time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    if "--finish" in sys.argv:
        finish(*map(pathlib.Path, sys.argv[sys.argv.index("--finish") + 1:]))
    else:
        main(sys.argv[sys.argv.index("--") + 1:])

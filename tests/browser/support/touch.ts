import type { CDPSession, Page } from '@playwright/test';

interface Point {
  x: number;
  y: number;
}

/** Frames for which a finger rests before it leaves the screen. 40 ms without a movement end a fling; six frames take 100. */
const restFrames = 6;

/**
 * Fingers on the screen, each given by the points it passes, all in step: real touches, as the browser gets them. They rest
 * before they leave the screen. A finger that leaves while it moves flings, also where nothing can scroll, and Chromium gives a
 * tap during a fling (about 100 ms) no click: the next tap of a fast test would be lost.
 */
export async function touch(page: Page, ...fingers: readonly (readonly Point[])[]): Promise<void> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const steps = Math.max(...fingers.map((points) => points.length)) + restFrames;
  for (let step = 0; step < steps; step += 1) {
    const touchPoints = fingers.map((points, id) => ({
      ...(points[Math.min(step, points.length - 1)] ?? { x: 0, y: 0 }),
      id,
    }));
    await session.send('Input.dispatchTouchEvent', {
      type: step === 0 ? 'touchStart' : 'touchMove',
      touchPoints,
    });
    // A screen reports where the fingers are once a frame.
    await page.evaluate(async () => new Promise(requestAnimationFrame));
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}

/** The points of a straight line, in so many steps. */
export function line(from: Point, to: Point, steps = 12): Point[] {
  return Array.from({ length: steps + 1 }, (_, step) => ({
    x: from.x + ((to.x - from.x) * step) / steps,
    y: from.y + ((to.y - from.y) * step) / steps,
  }));
}

import { usePush } from './use-push.ts';

/** Registers a device that is on with the shop again, whichever view the admin opens first. */
export function DashboardPart() {
  usePush();
  return null;
}

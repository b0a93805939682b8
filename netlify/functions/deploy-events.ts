import type {
  DeployBuildingEvent,
  DeployFailedEvent,
  DeploySucceededEvent,
} from '@netlify/functions';
import { recordDeploy } from '#core/publishing/deploy-events.ts';

/** Netlify's events of a deploy: the admin page shows how the build of their changes went. */
export default {
  deployBuilding: (event: DeployBuildingEvent) => recordDeploy(event, 'building'),
  deploySucceeded: (event: DeploySucceededEvent) => recordDeploy(event, 'published'),
  deployFailed: (event: DeployFailedEvent) => recordDeploy(event, 'failed'),
};

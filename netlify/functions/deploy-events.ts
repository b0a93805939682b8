import type { DeployBuildingEvent, DeployFailedEvent, DeploySucceededEvent } from '@netlify/functions';
import { noteDeploy } from '../server/publishing/deploy-events.ts';

/** Netlify's events of a deploy: the owner's page shows how the build of their changes went. */
export default {
  deployBuilding: (event: DeployBuildingEvent) => noteDeploy(event, 'building'),
  deploySucceeded: (event: DeploySucceededEvent) => noteDeploy(event, 'published'),
  deployFailed: (event: DeployFailedEvent) => noteDeploy(event, 'failed'),
};

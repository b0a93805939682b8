import packageJson from '../../../package.json' with { type: 'json' };

/** The version of these sources. */
export const { version } = packageJson;

/** Where the admin sells besides the shop itself. */
export const salesChannels = ['instagram', 'whatsapp', 'exhibition', 'other'] as const;

/** @public */
export const channelLabels: Readonly<Record<(typeof salesChannels)[number], string>> = {
  instagram: 'Instagram',
  whatsapp: 'WhatsApp',
  exhibition: 'An exhibition',
  other: 'Elsewhere',
};

/** 'instagram' → 'Instagram'; an unknown channel as it is. */
export const channelLabel = (channel: string): string =>
  new Map<string, string>(Object.entries(channelLabels)).get(channel) ?? channel;

import type { PersonAction } from '../../islands/admin/shared/person-actions.ts';
import { fetchPersonalData } from './fetch-personal-data.ts';

function keep(data: Blob, name: string): void {
  const address = URL.createObjectURL(data);
  const link = document.createElement('a');
  Object.assign(link, { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}

const download = (label: string, as: 'page' | 'file', name: string): PersonAction => ({
  label,
  busyText: 'Reading…',
  failure: 'The data could not be loaded',
  async run(email) {
    keep(await fetchPersonalData(email, as), name);
    return `Saved to your downloads. Send it to ${email}, and to nobody else.`;
  },
});

/** What the shop knows about the person, to send to them. */
export const personActions: readonly PersonAction[] = [
  download('Download to read', 'page', 'your-data.html'),
  download('Download for programs', 'file', 'your-data.json'),
];

import { shop } from '#settings/shop.ts';
import { DialogFoot } from '#islands/shared/DialogFoot.tsx';
import { ModalDialog } from '#islands/shared/ModalDialog.tsx';
import { copyText } from './copy-text.ts';

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  Object.assign(link, { href: address, download: 'recovery-codes.txt' });
  link.click();
  URL.revokeObjectURL(address);
}

/** Shows recovery codes. Only the button closes it, because the codes are never shown again. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = `${shop.name} admin: recovery codes. Each works once.\n\n${codes.join('\n')}\n`;
  return (
    <ModalDialog
      open
      title="Your recovery codes"
      closable={false}
      onClose={onClose}
      className="max-w-lg"
    >
      <div className="mt-4 grid gap-4 text-sm/relaxed">
        <p className="text-ink-700">
          Two-step login is on. Store these codes where you find them without your phone: each one
          logs in once instead of a code from the app. They are not shown again.
        </p>
        <ul className="text-[0.8125rem]/[1.75] font-medium whitespace-nowrap tabular-nums">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-3">
          <button
            type="button"
            className="btn btn-secondary"
            onClick={() => {
              download(text);
            }}
          >
            Download codes
          </button>
          <button
            type="button"
            className="btn btn-secondary"
            onClick={() => void copyText(text, 'Codes copied')}
          >
            Copy codes
          </button>
        </div>
        <DialogFoot>
          <button type="button" className="btn btn-primary" onClick={onClose}>
            I have stored them
          </button>
        </DialogFoot>
      </div>
    </ModalDialog>
  );
}

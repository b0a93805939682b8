import { openWithToken } from '#services/auth/post-token.ts';
import { showToast } from '#stores/toasts.ts';

async function open(as: 'page' | 'file'): Promise<void> {
  if (await openWithToken(`/api/my-data?as=${as}`)) return;
  showToast('Please sign in again to see your data.', { tone: 'destructive' });
}

/** Buttons that show the customer's stored data, or download it. */
export function MyDataButtons() {
  return (
    <>
      <button
        type="button"
        className="btn btn-secondary btn-small"
        onClick={() => void open('page')}
      >
        See my data<span className="visually-hidden"> (opens in a new tab)</span>
      </button>
      <button
        type="button"
        className="btn btn-secondary btn-small"
        onClick={() => void open('file')}
      >
        Download it
      </button>
    </>
  );
}

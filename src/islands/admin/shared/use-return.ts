import { useEffect } from 'react';

/** Calls back when the admin comes back to the tab: orders were placed and mails were read meanwhile. */
export function useReturn(onReturn: () => void): void {
  useEffect(() => {
    const comeBack = () => {
      if (document.visibilityState === 'visible') onReturn();
    };
    document.addEventListener('visibilitychange', comeBack);
    return () => {
      document.removeEventListener('visibilitychange', comeBack);
    };
  }, [onReturn]);
}

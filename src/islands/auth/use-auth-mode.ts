import { useEffect, useState } from 'react';
import type { User } from '../../domain/session.ts';
import { readMailedLink } from '../../services/auth/mailed-link.ts';
import { takeNext } from '../../services/storage/stored-next-path.ts';
import { showToast } from '../../stores/toasts.ts';
import { useSession } from '../shared/use-session.ts';
import { readMode, readNext } from './auth-address.ts';
import { setsPassword, type AuthMode } from './auth-texts.ts';

function readAddress() {
  const address = new URL(window.location.href);
  const link = readMailedLink(address);
  return { link, mode: readMode(address.search), next: address.searchParams.get('next') };
}

export interface SignInQuestion {
  /** The account of the link. */
  email: string;
  /** Who is signed in now; null when nobody is. */
  present: string | null;
  answer: (signIn: boolean) => void;
}

export interface AuthState {
  mode: AuthMode;
  setMode: (mode: AuthMode) => void;
  /** Where to go once signed in. */
  next: string;
  /** A mailed link is being redeemed, or the page is being left: the form is disabled. */
  waiting: boolean;
  /** A link that was not requested here needs a confirmation first. */
  question: SignInQuestion | null;
  leave: () => void;
}

/** The shown form, by the URL, a mailed link and the session. */
export function useAuthMode(): AuthState {
  const session = useSession();
  const [start] = useState(readAddress);
  const [mode, setMode] = useState(start.mode);
  const [opening, setOpening] = useState(start.link !== null);
  const [next, setNext] = useState(() => readNext(start.next));
  const [left, setLeft] = useState(false);
  const [question, setQuestion] = useState<Omit<SignInQuestion, 'present'> | null>(null);

  useEffect(() => {
    if (!start.link) return;
    const { link, mode: wanted } = start;
    import('./redeem-link.ts')
      .then(async ({ redeemLink }) => {
        const ask = ({ email }: User) =>
          new Promise<boolean>((answer) => {
            setQuestion({ email, answer });
          });
        const nextMode = await redeemLink(link, wanted, ask);
        setNext(readNext(start.next ?? takeNext()));
        setMode(nextMode);
      })
      .catch((error: unknown) => {
        console.warn('The link could not be handled', error);
        showToast('An error occurred', {
          description: 'Please open the link again.',
          tone: 'destructive',
        });
      })
      .finally(() => {
        setQuestion(null);
        setOpening(false);
      });
  }, [start]);

  const signedIn = session.state === 'signed-in';
  const leaving = left || (signedIn && !opening && !setsPassword(mode));
  useEffect(() => {
    if (leaving) window.location.replace(next);
  }, [leaving, next]);

  return {
    // A new password needs the session that the mailed link opens.
    mode: setsPassword(mode) && !signedIn ? 'forgot' : mode,
    setMode,
    next,
    question: question && {
      ...question,
      present: session.state === 'signed-in' ? session.user.email : null,
    },
    waiting: opening || leaving || session.state === 'loading',
    leave: () => {
      setLeft(true);
    },
  };
}

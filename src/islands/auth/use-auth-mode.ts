import { useEffect, useMemo, useState } from 'react';
import type { User } from '../../domain/account/session.ts';
import { readMailedLink } from '../../services/auth/mailed-link.ts';
import {
  forgetAwaitedCode,
  readAwaitedCode,
  type AwaitedCode,
} from '../../services/storage/stored-awaited-code.ts';
import { takeNext } from '../../services/storage/stored-next-path.ts';
import { showToast } from '../../stores/toasts.ts';
import { useIsClient } from '../shared/use-is-client.ts';
import { useSession } from '../shared/use-session.ts';
import { readMode, readNext } from './auth-address.ts';
import { announceSavedPassword, onSavedPassword } from './saved-password.ts';
import { setsPassword, type AuthMode } from './auth-texts.ts';

function readAddress() {
  const address = new URL(window.location.href);
  const wanted = readMode(address.search);
  const awaited = readAwaitedCode();
  return {
    link: readMailedLink(address),
    // The field for an awaited code stands above the login.
    mode: awaited !== null && !setsPassword(wanted) ? ('login' as const) : wanted,
    next: address.searchParams.get('next'),
    awaited,
  };
}

/** The state that the server renders: a login, because it knows no address. */
const firstState: Omit<ReturnType<typeof readAddress>, 'mode'> & { mode: AuthMode } = {
  link: null,
  mode: 'login',
  next: null,
  awaited: null,
};

export interface SignInQuestion {
  /** The account of the link. */
  email: string;
  /** The present account; null when nobody is signed in. */
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
  /** The code that this tab waits for. */
  awaited: AwaitedCode | null;
  setAwaited: (awaited: AwaitedCode | null) => void;
  /** Password typed into the sign-up of this page; lost when it is loaded again. */
  typedPassword: string;
  setTypedPassword: (password: string) => void;
  /** While a code is being redeemed, the page is not left. */
  setRedeeming: (redeeming: boolean) => void;
  leave: () => void;
}

/** The shown form, by the URL, a mailed link, an awaited code and the session. */
export function useAuthMode(): AuthState {
  const session = useSession();
  const isClient = useIsClient();
  const start = useMemo(() => (isClient ? readAddress() : firstState), [isClient]);
  const [chosenMode, setMode] = useState<AuthMode | null>(null);
  const [chosenNext, setNext] = useState<string | null>(null);
  const [chosenAwaited, setAwaited] = useState<AwaitedCode | null | undefined>();
  const [opened, setOpened] = useState(false);
  const [redeeming, setRedeeming] = useState(false);
  const [left, setLeft] = useState(false);
  const [question, setQuestion] = useState<Omit<SignInQuestion, 'present'> | null>(null);
  const [typedPassword, setTypedPassword] = useState('');
  const mode = chosenMode ?? start.mode;
  const next = chosenNext ?? readNext(start.next);
  const awaited = chosenAwaited === undefined ? start.awaited : chosenAwaited;
  const opening = start.link !== null && !opened;

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
        setOpened(true);
      });
  }, [start]);

  const user = session.state === 'signed-in' ? session.user : null;
  const leaving = left || (user !== null && !opening && !redeeming && !setsPassword(mode));
  useEffect(() => {
    if (!leaving) return;
    const isWaitedFor = awaited?.mode === 'signup' && awaited.email === user?.email;
    forgetAwaitedCode();
    if (isWaitedFor && typedPassword !== '')
      // The link of the mail was opened in another tab of this browser.
      void announceSavedPassword(typedPassword).then(() => {
        window.location.replace(next);
      });
    else window.location.replace(next);
  }, [leaving, next, awaited, user, typedPassword]);
  useEffect(() => {
    if (mode !== 'confirm') return;
    return onSavedPassword(() => {
      setLeft(true);
    });
  }, [mode]);

  return {
    // A new password needs the session that the mailed link opens.
    mode: setsPassword(mode) && user === null ? 'forgot' : mode,
    setMode,
    next,
    question: question && { ...question, present: user?.email ?? null },
    waiting: opening || leaving,
    awaited,
    setAwaited,
    typedPassword,
    setTypedPassword,
    setRedeeming,
    leave: () => {
      setLeft(true);
    },
  };
}

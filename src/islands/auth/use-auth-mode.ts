import { useEffect, useMemo, useState } from 'react';
import { readMailedLink, withoutMailedLink, type MailedLink } from '#services/auth/mailed-link.ts';
import {
  forgetAwaitedCode,
  readAwaitedCode,
  type AwaitedCode,
} from '#services/storage/stored-awaited-code.ts';
import { takeNext } from '#services/storage/stored-next-path.ts';
import { useIsClient } from '#islands/shared/use-is-client.ts';
import { useSession } from '#islands/shared/use-session.ts';
import { readMode, readNext } from './auth-address.ts';
import { announceSavedPassword, onSavedPassword } from './saved-password.ts';
import { setsPassword, type AuthMode } from './auth-texts.ts';
import type { LinkAnswer } from './MailedLinkQuestion.tsx';

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

export interface AuthState {
  mode: AuthMode;
  setMode: (mode: AuthMode) => void;
  /** Where to go once signed in. */
  next: string;
  /** The page is being left: the form is hidden. */
  waiting: boolean;
  /** The link of a mail that led here, until the customer has decided what to do with it. */
  question: {
    link: MailedLink;
    present: string | null;
    onAnswer: (answer: LinkAnswer) => void;
  } | null;
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
  const [isAnswered, setAnswered] = useState(false);
  const [redeeming, setRedeeming] = useState(false);
  const [left, setLeft] = useState(false);
  const [typedPassword, setTypedPassword] = useState('');
  const mode = chosenMode ?? start.mode;
  const next = chosenNext ?? readNext(start.next);
  const awaited = chosenAwaited === undefined ? start.awaited : chosenAwaited;
  const link = isAnswered ? null : start.link;

  const onAnswer = (answer: LinkAnswer) => {
    const address = withoutMailedLink(new URL(window.location.href));
    let nextMode: AuthMode = 'login';
    // The link of a sign-up is followed by the password, too: somebody else may have registered the account, and knows the first one.
    if (answer.kind === 'signed-in') nextMode = link?.type === 'signup' ? 'confirm' : 'reset';
    if (answer.kind === 'no-address') nextMode = link?.type === 'recovery' ? 'forgot' : 'code';
    const here = answer.kind === 'signed-in' ? `/auth?mode=${nextMode}` : address;
    window.history.replaceState(window.history.state, '', here);
    if (answer.kind === 'code') setAwaited(answer.awaited);
    setNext(readNext(start.next ?? takeNext()));
    setMode(nextMode);
    setAnswered(true);
  };

  const user = session.state === 'signed-in' ? session.user : null;
  const leaving = left || (user !== null && link === null && !redeeming && !setsPassword(mode));
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
    question: link && { link, present: user?.email ?? null, onAnswer },
    waiting: leaving,
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

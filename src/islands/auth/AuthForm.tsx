import { useStore } from '@nanostores/react';
import { useMemo, useState } from 'react';
import { emptyCart } from '#domain/cart/cart.ts';
import { keepsSessions } from '#services/storage/browser-storage.ts';
import { $cart } from '#stores/cart.ts';
import { modeTexts, setsPassword } from './auth-texts.ts';
import { CredentialsForm } from './CredentialsForm.tsx';
import { EnterCode } from './EnterCode.tsx';
import { MailedLinkQuestion } from './MailedLinkQuestion.tsx';
import { UnkeptLogin } from './UnkeptLogin.tsx';
import { useAuthMode } from './use-auth-mode.ts';
import { useIsClient } from '#islands/shared/use-is-client.ts';
import { withFaultNotice } from '#islands/shared/FaultNotice.tsx';

const toggles = {
  login: { text: "Don't have an account? Sign up", to: 'signup' },
  signup: { text: 'Already have an account? Login', to: 'login' },
  code: { text: 'Back to login', to: 'login' },
  forgot: { text: 'Back to login', to: 'login' },
} as const;

const panel = 'panel min-h-[33rem] sm:min-h-[35.5rem]';

/**
 * Login, sign-up, codes and new passwords (spec section 2, Auth). The server renders the login, whose fields can be filled in before
 * the script comes; pages/auth.astro hides it from whoever sees another state next.
 */
function AuthForm() {
  const isClient = useIsClient();
  const state = useAuthMode();
  const { mode, setMode, awaited, setAwaited } = state;
  const [isOtherWay, setOtherWay] = useState(false);
  const isUnkept = useMemo(() => isClient && !keepsSessions(), [isClient]);
  if (isUnkept) {
    return (
      <div className={panel}>
        <UnkeptLogin />
      </div>
    );
  }
  if (state.question) {
    return (
      <div className={panel}>
        <MailedLinkQuestion {...state.question} />
      </div>
    );
  }
  const texts = modeTexts[mode];
  const toggle = setsPassword(mode) ? null : toggles[mode];
  const isAwaiting = awaited !== null && mode === 'login';
  return (
    <div className={isClient ? panel : `${panel} first-state loading-part`}>
      {state.waiting ? (
        <p className="flex items-center gap-3 text-ink-700" role="status">
          <span className="spinner text-accent-700" aria-hidden="true" /> One moment, please…
        </p>
      ) : (
        <>
          {isAwaiting ? (
            <>
              <h1 className="page-title">One step left</h1>
              <WaitingCart />
            </>
          ) : (
            <>
              <h1 className="page-title">{texts.title}</h1>
              <p className="mt-2 text-ink-700">{texts.lead}</p>
            </>
          )}
          {isAwaiting ? (
            <EnterCode
              awaited={awaited}
              password={state.typedPassword}
              onResent={setAwaited}
              onChangeAddress={() => {
                setAwaited(null);
                setMode(awaited.mode);
              }}
              onBusy={state.setRedeeming}
              onOutcome={(outcome) => {
                setAwaited(null);
                if (outcome.kind === 'leave') state.leave();
                else setMode(outcome.mode);
              }}
            />
          ) : null}
          {isAwaiting ? (
            <button
              type="button"
              className="link mt-4 min-h-11"
              aria-expanded={isOtherWay}
              onClick={() => {
                setOtherWay(!isOtherWay);
              }}
            >
              Log in another way
            </button>
          ) : null}
          {/* The form is hidden and stays mounted, so that it keeps the typed e-mail address. */}
          <div hidden={isAwaiting && !isOtherWay}>
            <CredentialsForm
              mode={mode}
              next={state.next}
              onPassword={state.setTypedPassword}
              awaited={awaited}
              onAwaited={setAwaited}
              onMode={setMode}
              onLeave={state.leave}
            />
            {toggle ? (
              <p className="mt-6 text-center">
                <button
                  type="button"
                  className="link py-2.5"
                  onClick={() => {
                    setMode(toggle.to);
                  }}
                >
                  {toggle.text}
                </button>
              </p>
            ) : null}
          </div>
        </>
      )}
    </div>
  );
}

/** That nothing is lost: the customer came from the cart. */
function WaitingCart() {
  const { itemCount } = useStore($cart, { ssr: () => emptyCart });
  if (itemCount === 0) return null;
  return (
    <p className="mt-2 text-ink-700">
      Your cart with {itemCount === 1 ? '1 item' : `${String(itemCount)} items`} waits.
    </p>
  );
}

export default withFaultNotice(AuthForm);

import { modeTexts, setsPassword } from './auth-texts.ts';
import { CredentialsForm } from './CredentialsForm.tsx';
import { EnterCode } from './EnterCode.tsx';
import { SignInQuestion } from './SignInQuestion.tsx';
import { useAuthMode } from './use-auth-mode.ts';
import { useIsClient } from '../shared/use-is-client.ts';
import { withFaultNotice } from '../shared/FaultNotice.tsx';

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
  if (state.question) {
    return (
      <div className={panel}>
        <SignInQuestion {...state.question} />
      </div>
    );
  }
  const texts = modeTexts[mode];
  const toggle = setsPassword(mode) ? null : toggles[mode];
  return (
    <div className={isClient ? panel : `${panel} first-state loading-part`}>
      {state.waiting ? (
        <p className="flex items-center gap-3 text-ink-700" role="status">
          <span className="spinner text-accent-700" aria-hidden="true" /> One moment, please…
        </p>
      ) : (
        <>
          <h1 className="page-title">{texts.title}</h1>
          <p className="mt-2 text-ink-700">{texts.lead}</p>
          {awaited !== null && mode === 'login' ? (
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
        </>
      )}
    </div>
  );
}

export default withFaultNotice(AuthForm);
